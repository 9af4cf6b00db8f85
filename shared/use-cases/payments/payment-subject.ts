import { toPaymentObject } from "../../contracts/objects/payment.ts";
import { deadlineNamed } from "../../domain/effects.ts";
import { isAwaited } from "../../domain/payment/life/timeouts.ts";
import { paymentHasEnded } from "../../domain/payment/record/ended.ts";
import { slotOf, type Payment } from "../../domain/payment/record/payment.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import { isCancelledFirst, type Payments } from "../../stores/payments.ts";
import type { Origin, SubjectRules } from "../outbox/subject.ts";

/** A payment as the outbox knows it. Its commands themselves say that it has ended. */
export const paymentSubject = ({
  payments,
}: {
  readonly payments: Pick<Payments, "find" | "findOrTombstone" | "unlist">;
}): SubjectRules<PaymentKey> => ({
  async find(key) {
    const read = await payments.findOrTombstone(key);
    if (!read || isCancelledFirst(read)) return undefined; // a tombstone does not stop a request for another terminal
    return { hasEnded: paymentHasEnded(read.payment), unlist: () => payments.unlist(read) };
  },
  endsByCommand: true,
  /**
   * Nearly every deadline comes when its payment does not await it any more. The payment alone shows it. It has reached the sequence of the
   * change that set the deadline, so that change was committed or never can be; and it awaits no such deadline.
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
