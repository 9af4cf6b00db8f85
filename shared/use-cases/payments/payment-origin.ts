import { toPaymentObject } from "../../contracts/objects/payment.ts";
import type { Actor } from "../../domain/payment/record/events.ts";
import { slotOf, type Payment } from "../../domain/payment/record/payment.ts";
import type { Origin } from "../outbox/origin.ts";

/** The parts of a payment, and of its change by this actor, that its messages and events use. */
export const originOf = (payment: Payment, causedBy: Actor): Origin => ({
  ...payment,
  webhookUrl: payment.webhookUrl,
  causedBy,
  slot: slotOf(payment, payment.sequence),
  sessionIdAsReceived: payment.asReceived.sessionId,
  data: () => toPaymentObject(payment),
});
