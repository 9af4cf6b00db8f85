import type { JSX } from "preact";
import type { PaymentView } from "../../../views/payments.ts";
import { Badge, Money, Status, Time } from "../../parts.tsx";
import { moneyText } from "../../text.ts";
import { counted } from "../../text.ts";

/** One payment as a line of the list. */
export const PaymentRow = ({ payment }: { payment: PaymentView }): JSX.Element => (
  <span class="payment-row">
    <Time at={payment.createdAt} />
    <span class="row-state">
      <Status of={payment.status} reason={payment.statusReason} />
      {payment.alerts > 0 && <Badge tone="bad">{counted(payment.alerts, "alert")}</Badge>}
    </span>
    <span class="row-what">
      <b>{payment.merchantName}</b> <span class="quiet">{payment.orderId ?? payment.sessionId.slice(0, 8)}</span>
    </span>
    <span class="row-terminal quiet">{payment.terminalName}</span>
    <span class="row-money">
      <Money of={payment.amount} currency={payment.currency} />
      {payment.refunded > 0 && <small class="quiet">{moneyText(payment.refunded, payment.currency)} refunded</small>}
    </span>
  </span>
);
