import type { Instant } from "../../domain/time.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { Payments } from "../../stores/payments.ts";

/**
 * For a look at a payment of which nothing is due: the next moment at which something is, if there is one. Undefined if something is due, if
 * the payment has not reached the change of the look, or if the announcement is not a look.
 *
 * Nearly every look comes after its payment has ended. The payment alone shows what it awaits once it has reached the sequence of the look's
 * change. That change was then committed, or never can be.
 */
export async function nextLook(
  { payments }: { readonly payments: Pick<Payments, "find"> },
  { subject, sequence = 0, at }: Announcement,
): Promise<{ readonly next: Instant | undefined } | undefined> {
  if (at === undefined || subject.kind !== "payment") return undefined;
  const payment = (await payments.find(subject))?.payment;
  if (payment === undefined || payment.sequence < sequence) return undefined;
  const next = payment.deadlines[0]?.at;
  return next === undefined || next > at ? { next } : undefined;
}
