import type { Instant } from "../../../domain/time.ts";
import type { PaymentKey } from "../../../ports/subjects.ts";
import type { CreatedPayment } from "../../../stores/sessions.ts";
import { eachOf } from "../../each-of.ts";
import { isCreatedBy } from "../../payments/enter-session.ts";
import type { Needs } from "../../needs.ts";

export type PurgeCreatedDeps = Needs<"payments" | "sessions">;

/** The number of entries read at once. */
const AT_ONCE = 1_000;

/**
 * Removes the entries without a payment from a partner's list, up to this moment. Their requests were aborted, or repeated another request.
 * Returns the number of removed entries. May be interrupted and run again.
 */
export async function purgeCreated(deps: PurgeCreatedDeps, partnerId: string, before: Instant): Promise<number> {
  let rows = 0;
  for (let after: string | undefined = ""; after !== undefined;) {
    const entries = await deps.sessions.list({ partnerId, after, before }, AT_ONCE);
    const removed = await eachOf(entries, (entry) => withdrawUnlessThere(deps, entry, before));
    rows += removed.reduce((sum, count) => sum + count, 0);
    after = entries.length < AT_ONCE ? undefined : entries.at(-1)?.position;
  }
  return rows;
}

async function withdrawUnlessThere(deps: PurgeCreatedDeps, entry: CreatedPayment, before: Instant): Promise<number> {
  const stored = await deps.payments.find(entry);
  if (stored && isCreatedBy(stored.payment, entry)) return 0;
  const withdrawn = await deps.sessions.withdraw(entry);
  return stored ? withdrawn : withdrawn + (await leaveSession(deps, entry, before));
}

/**
 * Removes the entry of a session whose payment is gone, if it names this terminal and is from before this moment. A request that finds no
 * payment replaces the entry before its commit, so it keeps its own. Returns the number of removed rows.
 */
export async function leaveSession({ sessions }: Needs<"sessions">, key: PaymentKey, before: Instant): Promise<number> {
  const session = await sessions.find(key);
  if (session?.terminalId !== key.terminalId || session.createdAt >= before) return 0;
  await sessions.remove(key, session);
  return 1;
}
