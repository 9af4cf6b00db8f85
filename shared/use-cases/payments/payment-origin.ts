import { toPaymentObject } from "../../contracts/objects/payment.ts";
import { slotOf, type Payment } from "../../domain/payment/record/payment.ts";
import type { Origin } from "../outbox/origin.ts";

/** The parts of a payment that its messages and events use. */
export const originOf = (payment: Payment): Origin => ({
  ...payment,
  webhookUrl: payment.webhookUrl,
  slot: slotOf(payment, payment.sequence),
  sessionIdAsReceived: payment.asReceived.sessionId,
  data: () => toPaymentObject(payment),
});
