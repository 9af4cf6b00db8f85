import { isOfPayment, type Alert } from "../../../shared/domain/alert.ts";
import { merchantMoney } from "../../../shared/domain/payment/operator/merchant-money.ts";
import type { Charge } from "../../../shared/domain/payment/record/charge.ts";
import { givenTip } from "../../../shared/domain/payment/record/kept-money.ts";
import { isFinal, payableAmount, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { PaymentKey } from "../../../shared/ports/subjects.ts";
import type { InspectedPayment } from "../../../shared/use-cases/operator/inspect/inspect-payment.ts";
import { contradiction, moneyText } from "../../../infra/operator/common/money-text.ts";
import { changeText, reasonText, refundReason } from "../../../infra/operator/common/reasons.ts";
import { storyOf } from "../../../infra/operator/common/story.ts";
import { alertView } from "./alerts.ts";
import { chargeLines, declineText, refundLines } from "./evidence.ts";
import type { Lanes } from "./lanes.ts";
import { outcomesOf } from "./outcomes.ts";
import type { PlaceView } from "./views/registered.ts";
import type { ChangeLine, PaymentDetail, PaymentView } from "./views/payments.ts";
import { waitsOf } from "./waits.ts";

/** `<partnerID>/<pointOfServiceID>/<sessionID>`, as stored. */
const paymentId = ({ partnerId, terminalId, sessionId }: PaymentKey): string =>
  `${partnerId}/${terminalId}/${sessionId}`;

/** The key in an identifier of the page. Undefined if the identifier is invalid. */
export function paymentKeyIn(id: string): PaymentKey | undefined {
  const [partnerId, terminalId, sessionId, ...more] = id.toLowerCase().split("/");
  return partnerId && terminalId && sessionId && more.length === 0 ? { partnerId, terminalId, sessionId } : undefined;
}

/** A name that the payment does not have is the one of its registered terminal, if that is given. */
export function paymentView(payment: Payment, openAlerts: readonly Alert[], registered?: PlaceView): PaymentView {
  const { partnerId, sessionId, statusReason, references } = payment;
  const { status, currency, sequence } = payment;
  const given = givenTip(payment);
  return {
    id: paymentId(payment),
    partnerId,
    sessionId,
    ...namesOf(payment, registered),
    status,
    ...(statusReason !== undefined && { reason: reasonText(statusReason) }),
    ...(status === "voidRequested" && statusReason === "voidFailed" && { hasVoidFailed: true }),
    amount: payableAmount(payment),
    ...(given !== undefined && { givenTip: given }),
    ...moneyView(payment),
    currency,
    ...(references?.orderId !== undefined && { orderId: references.orderId }),
    createdAt: Date.parse(payment.createdAt),
    updatedAt: Date.parse(payment.updatedAt),
    alerts: openAlerts.filter((alert) => isOfPayment(alert, payment)).length,
    sequence,
  };
}

const namesOf = ({ terminalId, terminalName, merchantId, merchantName }: Payment, registered?: PlaceView) => ({
  terminalId,
  terminalName: terminalName ?? registered?.terminalName ?? terminalId,
  merchantId,
  merchantName: merchantName ?? registered?.merchantName ?? "",
});

/** There is no text yet about a running payment without captured money. */
function moneyView(
  payment: Payment,
): Pick<PaymentView, "captured" | "tip" | "refunded" | "held" | "isInDoubt" | "money"> {
  const { captured, tip, refunded, held, own, open } = merchantMoney(payment);
  const isTold = isFinal(payment.status) || own === "unknown" || captured > 0 || open.length > 0;
  return {
    captured,
    tip,
    refunded,
    held,
    isInDoubt: own === "unknown" || open.some(({ is }) => is === "inDoubt"),
    ...(isTold && { money: moneyText(payment) }),
  };
}

/** All details of one payment that the page shows. */
export function paymentDetail(
  inspected: InspectedPayment,
  { items, left }: Lanes,
  registered?: PlaceView,
): PaymentDetail {
  const { payment, history } = inspected;
  const openAlerts = inspected.alerts.filter(({ status }) => status === "open");
  const decline = declineText(payment);
  return {
    ...paymentView(payment, openAlerts, registered),
    ...(decline !== undefined && { decline }),
    captureMode: payment.captureMode,
    changes: history.map((entry) => changeLine(entry, payment.currency)),
    charges: payment.charges.map(chargeLine),
    refunds: payment.refunds.map((refund) => ({
      refundId: refund.idAsReceived,
      amount: refund.made ?? refund.amount,
      status: refund.status,
      reason: refundReason(refund) ?? refund.reason,
      lines: refundLines(refund),
    })),
    waits: waitsOf(inspected),
    discounts: payment.discounts.map(({ discountId, amount, status }) => ({ discountId, amount, status })),
    openAlerts: openAlerts.map((alert) => alertView(alert, { payment })),
    outcomes: outcomesOf(payment),
    lanes: items,
    ...(left > 0 && { lanesLeftOut: left }),
    story: storyOf(inspected, undefined),
  };
}

function chargeLine(charge: Charge): PaymentDetail["charges"][number] {
  const { chargeId, amount, currency, status } = charge;
  const said = contradiction(charge);
  return {
    chargeId,
    amount,
    currency,
    status,
    ...(said !== undefined && { contradiction: said }),
    lines: chargeLines(charge),
  };
}

function changeLine(entry: InspectedPayment["history"][number], currency: string): ChangeLine {
  const { sequence, at, from, to, reason, detail, operator } = entry;
  return {
    sequence,
    at: Date.parse(at),
    what: changeText(entry, currency),
    ...(from !== undefined && { from }),
    to,
    ...(reason !== undefined && { reason: reasonText(reason) }),
    ...(detail !== undefined && { detail }),
    ...(operator && { operator }),
  };
}
