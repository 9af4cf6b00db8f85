import { wholeDayOf } from "../../../domain/payment/record/payment-query.ts";
import type { Day } from "../../../domain/time.ts";
import type { CreatedPayment } from "../../../stores/sessions.ts";
import { eachOf } from "../../each-of.ts";
import { isCreatedBy } from "../../payments/enter-session.ts";
import type { Needs } from "../../needs.ts";

export type PurgeCreatedDeps = Needs<"payments" | "sessions">;

/** The number of entries read at once. */
const AT_ONCE = 1_000;

/**
 * Removes a day's entries without a payment from a partner's list. Their requests were aborted, or repeated another request. Returns the
 * number of removed entries. Must run before the day's subjects leave the list of the day, because that list names the partner. Then it may
 * be interrupted and run again.
 */
export async function purgeCreated(deps: PurgeCreatedDeps, partnerId: string, day: Day): Promise<number> {
  const { from, before } = wholeDayOf(day);
  let rows = 0;
  for (let after: string | undefined = from; after !== undefined;) {
    const entries = await deps.sessions.list({ partnerId, after, before }, AT_ONCE);
    const removed = await eachOf(entries, (entry) => withdrawUnlessThere(deps, entry));
    rows += removed.reduce((sum, count) => sum + count, 0);
    after = entries.length < AT_ONCE ? undefined : entries.at(-1)?.position;
  }
  return rows;
}

async function withdrawUnlessThere({ sessions, payments }: PurgeCreatedDeps, entry: CreatedPayment): Promise<number> {
  const stored = await payments.find(entry);
  return stored && isCreatedBy(stored.payment, entry) ? 0 : sessions.withdraw(entry);
}
