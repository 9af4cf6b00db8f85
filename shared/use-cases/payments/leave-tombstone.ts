import { dayOf } from "../../domain/time.ts";
import type { CallContext } from "../../ports/clock.ts";
import { paymentSubjectOf, type PaymentKey } from "../../ports/subjects.ts";
import type { Needs } from "../needs.ts";

/** Makes every request of the session at this terminal fail. Throws `Conflict` if there is a payment or a tombstone. */
export async function leaveTombstone(
  { payments, listings }: Needs<"listings" | "payments">,
  { now }: Pick<CallContext, "now">,
  key: PaymentKey,
): Promise<void> {
  const at = now();
  await listings.enter(paymentSubjectOf(key), { day: dayOf(at), isOpen: false, at }); // a purge finds it by its day
  await payments.leaveTombstone(key);
}
