import { toPaymentObject } from "../../contracts/objects/payment.ts";
import { deadlineNamed } from "../../domain/effects.ts";
import { isAwaited } from "../../domain/payment/life/timeouts.ts";
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
   * Nearly every deadline comes after its payment has stopped awaiting it. The payment alone shows this if it awaits no such deadline and
   * has reached the sequence of the change that set it. That change was then committed, or never can be.
   */
  async isPointless(key, { sequence, commandId, effect }) {
    const deadline = deadlineNamed(effect);
    if (deadline === undefined || sequence === undefined) return false;
    const payment = (await payments.find(key))?.payment;
    return payment !== undefined && payment.sequence >= sequence && !isAwaited(payment, { deadline, commandId });
  },
});

export const originOf = (payment: Payment): Origin => ({
  ...payment,
  webhookUrl: payment.webhookUrl,
  slot: slotOf(payment, payment.sequence),
  sessionIdAsReceived: payment.asReceived.sessionId,
  data: () => toPaymentObject(payment),
});
