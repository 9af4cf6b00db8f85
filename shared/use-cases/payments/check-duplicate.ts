import {
  corrected,
  duplicateAmong,
  longestLiving,
  newestRival,
  rivalsToRead,
  withinHorizon,
  withRoom,
  type Duplicate,
  type Holders,
  type Judged,
  type OrderClaim,
  type OrderHolder,
} from "../../domain/payment/requests/duplicate.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { msBetween, type Instant } from "../../domain/time.ts";
import { Conflict } from "../../ports/failures.ts";
import { paymentSubjectOf } from "../../ports/subjects.ts";
import { lacksPayment } from "../../stores/payments.ts";
import type { StoredOrder } from "../../stores/orders.ts";
import type { Needs } from "../needs.ts";

export type CheckDuplicateDeps = Needs<"commands" | "payments" | "timings">;

/** A request, as an input of the duplicate check. */
export interface CheckedClaim extends OrderClaim {
  readonly confirmDuplicate: boolean;
}

export interface CheckedOrder {
  readonly duplicate: Duplicate | undefined;
  /** The holders that still count, with room for the request. Undefined if the list is full. */
  readonly room: Holders | undefined;
}

/**
 * Seconds for which an entry counts although its payment is missing. The request that entered it may still be committed. After that its
 * command is aborted. So no clock decides: the time only keeps two tills from aborting each other.
 */
const ENTRY_COUNTS_SECONDS = 20;

/**
 * Runs the duplicate check on an order's list. It reads the payments behind the list, because the list alone is never trusted. The
 * command of an entry whose payment is missing for long is aborted. If the list is full, the request is marked as a duplicate and not
 * entered, so that an order in constant use does not stop sales.
 */
export async function checkDuplicate(
  deps: CheckDuplicateDeps,
  claim: CheckedClaim,
  order: StoredOrder | undefined,
  now: Instant,
): Promise<CheckedOrder> {
  const kept = withinHorizon(order?.holders ?? [], now, deps.timings);
  const judged = await judge(deps, claim.confirmDuplicate ? [] : rivalsToRead(kept, claim), now);
  const holders = withinHorizon(corrected(kept, judged), now, deps.timings);
  const duplicate = claim.confirmDuplicate ? undefined : duplicateAmong(holders, judged, claim);
  const room = await roomIn(deps, holders, now);
  if (room || duplicate?.blocks) return { duplicate, room };
  const sessionId = duplicate?.sessionId ?? newestRival(holders, claim);
  return { duplicate: { blocks: false, isAwaited: false, sessionId }, room };
}

/** The holders with room for one more. If a full list has only living payments, some of them are read, since they may have ended. */
const roomIn = async (deps: CheckDuplicateDeps, holders: Holders, now: Instant): Promise<Holders | undefined> =>
  withRoom(holders) ?? withRoom(corrected(holders, await judge(deps, longestLiving(holders), now)));

/** Reads the payments of these holders. */
async function judge(deps: CheckDuplicateDeps, holders: Holders, now: Instant): Promise<Judged> {
  const found = await Promise.all(holders.map((holder) => fateOf(deps, holder, now)));
  const those = (fate: Fate) => holders.filter((_, i) => found[i] === fate);
  const payments = found.filter((fate) => typeof fate === "object");
  return { payments, gone: those("gone"), awaited: those("awaited") };
}

/** A holder's payment, or why it has none. `unknown`: its payment was there once, or cannot be read. */
type Fate = Payment | "gone" | "awaited" | "unknown";

/** Reads the payment of a holder. If it is missing for long, aborts its command, so that it can never come. */
async function fateOf(deps: CheckDuplicateDeps, holder: OrderHolder, now: Instant): Promise<Fate> {
  const found = await seen(deps, holder);
  if (found) return found;
  if (holder.hold !== "living") return "unknown";
  const age = msBetween(holder.since, now);
  if (age >= 0 && age < ENTRY_COUNTS_SECONDS * 1000) return "awaited"; // an entry from the future counts as older
  return (await abort(deps, holder, now)) ? "gone" : ((await seen(deps, holder)) ?? "gone");
}

async function seen({ payments }: CheckDuplicateDeps, holder: OrderHolder): Promise<Fate | undefined> {
  const found = await payments.findOrTombstone(holder);
  if (!found || !lacksPayment(found)) return found?.payment;
  return found.unreadable ? "unknown" : "gone";
}

/** Makes the commit of the request that entered the holder fail. False if it was committed, or had failed before. */
async function abort({ commands }: CheckDuplicateDeps, holder: OrderHolder, at: Instant): Promise<boolean> {
  try {
    await commands.abortCommand(paymentSubjectOf(holder), holder.commandId, at);
    return true;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}
