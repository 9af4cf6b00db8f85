import { dayOf, type Instant } from "../../../domain/time.ts";
import { retryOnConflict } from "../../outbox/retry-on-conflict.ts";
import type { Needs } from "../../needs.ts";
import { allTerminals, type OnProgress, type TerminalPlacesDeps, walk } from "../places.ts";

export type PurgeReceiptsDeps = TerminalPlacesDeps & Needs<"retention">;

/** Counts the receipts that were printed before the day of this moment. Throws `Unavailable`. */
export async function countReceipts(
  deps: PurgeReceiptsDeps,
  before: Instant,
  onProgress?: OnProgress,
): Promise<number> {
  const count = ({ terminalId }: { readonly terminalId: string }) =>
    deps.retention.countReceipts(terminalId, dayOf(before));
  return sum(await walk(await allTerminals(deps), count, onProgress));
}

/** Removes the receipts that were printed before the day of this moment. May be interrupted and run again. Throws `Unavailable`. */
export async function purgeReceipts(
  deps: PurgeReceiptsDeps,
  before: Instant,
  onProgress?: OnProgress,
): Promise<{ readonly removed: number; readonly rows: number }> {
  const remove = ({ terminalId }: { readonly terminalId: string }) =>
    retryOnConflict(() => deps.retention.removeReceipts(terminalId, dayOf(before)));
  const removed = sum(await walk(await allTerminals(deps), remove, onProgress));
  return { removed, rows: removed };
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
