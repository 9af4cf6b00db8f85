import type { JSX } from "preact";
import type { PaymentView } from "../../../views/payments.ts";
import { Badge, Money, Status, Time } from "../../parts.tsx";
import { useLive } from "../../store.ts";
import { counted, moneyText } from "../../text.ts";
import { amountOf, standingOf } from "../../words.ts";

/** One payment as a row of the list. */
export const PaymentRow = ({ payment }: { payment: PaymentView }): JSX.Element => (
  <span class="payment-row">
    <Time at={payment.createdAt} />
    <span class="row-state">
      <Status of={standingOf(payment)} reason={payment.reason} />
      {payment.alerts > 0 && <Alerted payment={payment} />}
    </span>
    <span class="row-what">
      <b>{payment.merchantName}</b> <span class="quiet">{payment.orderId ?? payment.sessionId.slice(0, 8)}</span>
    </span>
    <span class="row-terminal quiet">{payment.terminalName}</span>
    <span class="row-money">
      <Money of={amountOf(payment)} currency={payment.currency} />
      {amountOf(payment) !== payment.amount + payment.tip && (
        <small class="quiet">of {moneyText(payment.amount + payment.tip, payment.currency)}</small>
      )}
      {payment.tip > 0 && <small class="quiet">{moneyText(payment.tip, payment.currency)} of it tip</small>}
      {payment.refunded > 0 && <small class="quiet">{moneyText(payment.refunded, payment.currency)} refunded</small>}
    </span>
  </span>
);

/** The number of its open alerts. They look calm if nothing is left to do. */
function Alerted({ payment: { partnerId, sessionId, alerts } }: { payment: PaymentView }): JSX.Element {
  const isSettled = useLive((state) =>
    state.alerts.every((alert) => alert.isOver || alert.partnerId !== partnerId || alert.sessionId !== sessionId),
  );
  return <Badge tone={isSettled ? "plain" : "bad"}>{counted(alerts, "alert")}</Badge>;
}
