import { deadlineNamed } from "../../domain/effects.ts";
import { isAwaited } from "../../domain/payment/timeouts.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { Payments } from "../../ports/payments.ts";

/**
 * Whether a deadline of a payment came too late to matter, as nearly all of them do: the payment alone tells. It has come at least as far as the
 * change that was to set the deadline, so that change was committed or never can be, and it awaits no such deadline.
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
