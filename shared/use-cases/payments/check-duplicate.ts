import {
  corrected,
  duplicateAmong,
  rivalsToRead,
  withinHorizon,
  type Duplicate,
  type Holders,
  type OrderClaim,
} from "../../domain/payment/requests/duplicate.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import type { Instant } from "../../domain/time.ts";
import type { StoredOrder } from "../../stores/orders.ts";
import type { Payments } from "../../stores/payments.ts";
import type { Needs } from "../needs.ts";

export type CheckDuplicateDeps = Needs<"payments" | "timings">;

/** A payment or a request, as an input of the duplicate check. */
export interface CheckedClaim extends OrderClaim {
  readonly confirmDuplicate: boolean;
}

export interface CheckedOrder {
  /** The holders that still count, according to the payments that were read. */
  readonly holders: Holders;
  readonly duplicate: Duplicate | undefined;
}

/** Runs the duplicate check on an order's list. It reads the payments behind the list, because the list alone is never trusted. */
export async function checkDuplicate(
  { payments, timings }: CheckDuplicateDeps,
  claim: CheckedClaim,
  order: StoredOrder | undefined,
  now: Instant,
): Promise<CheckedOrder> {
  const kept = withinHorizon(order?.holders ?? [], now, timings);
  if (claim.confirmDuplicate) return { holders: kept, duplicate: undefined };
  const read = await readHolders(payments, rivalsToRead(kept, claim));
  const holders = withinHorizon(corrected(kept, read), now, timings);
  return { holders, duplicate: duplicateAmong(holders, read, claim) };
}

export async function readHolders(payments: Payments, holders: Holders): Promise<Payment[]> {
  const found = await Promise.all(holders.map((holder) => payments.find(holder)));
  return found.flatMap((stored) => stored?.payment ?? []);
}
