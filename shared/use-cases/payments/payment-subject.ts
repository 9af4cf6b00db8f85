import { toPaymentObject } from "../../contracts/objects/payment.ts";
import { paymentHasEnded } from "../../domain/payment/record/ended.ts";
import { slotOf, type Payment } from "../../domain/payment/record/payment.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import { lacksPayment, type Payments } from "../../stores/payments.ts";
import type { Origin, SubjectRules } from "../outbox/subject.ts";

/** The outbox's rules for payments. The command that ends a payment marks this. */
export const paymentSubject = ({
  payments,
}: {
  readonly payments: Pick<Payments, "find" | "findOrTombstone" | "unlist">;
}): SubjectRules<PaymentKey> => ({
  async find(key) {
    const read = await payments.findOrTombstone(key);
    if (!read || lacksPayment(read)) return undefined; // a tombstone does not stop a request for another terminal
    return { hasEnded: paymentHasEnded(read.payment), unlist: () => payments.unlist(read) };
  },
  endsByCommand: true,
  /**
   * Nearly every look comes after its payment has ended. The payment alone shows what it awaits once it has reached the sequence of the
   * look's change. That change was then committed, or never can be.
   */
  async seenBy(key, { sequence = 0, at }) {
    if (at === undefined) return undefined;
    const payment = (await payments.find(key))?.payment;
    if (payment === undefined || payment.sequence < sequence) return undefined;
    const next = payment.deadlines[0]?.at;
    return next === undefined || next > at ? { next } : undefined;
  },
});

export const originOf = (payment: Payment): Origin => ({
  ...payment,
  webhookUrl: payment.webhookUrl,
  slot: slotOf(payment, payment.sequence),
  sessionIdAsReceived: payment.asReceived.sessionId,
  data: () => toPaymentObject(payment),
});
