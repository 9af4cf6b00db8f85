import { deadlineNamed } from "../../domain/effects.ts";
import { isAwaited } from "../../domain/payment/life/timeouts.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { Payments } from "../../stores/payments.ts";

/**
 * Whether a payment no longer awaits a deadline, as is the case for nearly all of them. The payment alone shows it: it has reached the
 * sequence of the change that set the deadline, so that change was committed or never can be, and it awaits no such deadline.
 */
export async function isPointlessDeadline(
  { payments }: { readonly payments: Pick<Payments, "find"> },
  { subject, sequence, commandId, effect }: Announcement,
): Promise<boolean> {
  const deadline = deadlineNamed(effect);
  if (subject.kind !== "payment" || deadline === undefined || sequence === undefined) return false;
  const payment = (await payments.find(subject))?.payment;
  return payment !== undefined && payment.sequence >= sequence && !isAwaited(payment, { deadline, commandId });
}
