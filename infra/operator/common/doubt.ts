import type { Alert } from "../../../shared/domain/alert.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { msBetween, type Instant } from "../../../shared/domain/time.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";

/**
 * Since when the money of an alert is in doubt: that of the charge, refund or discount that the alert is about, otherwise that of the
 * payment. Undefined if it is not in doubt.
 */
export function doubtSince(
  { about }: Pick<Alert, "about">,
  { charges, refunds, discounts, status, statusReason: reason }: Payment,
  history: readonly Pick<RecordedEntry, "at" | "to" | "reason">[],
): Instant | undefined {
  const isMeant = (id: string): boolean => id.toLowerCase() === about;
  const charge = charges.find(({ chargeId }) => isMeant(chargeId));
  if (charge) return charge.status === "inDoubt" ? charge.updatedAt : undefined;
  const part =
    refunds.find(({ refundId }) => isMeant(refundId)) ?? discounts.find(({ discountId }) => isMeant(discountId));
  if (part) return isOpen[part.status] && part.statusReason === "outcomeUnknown" ? part.updatedAt : undefined;
  if (!isDoubtful({ to: status, reason })) return undefined;
  return history[history.findLastIndex((entry) => !isDoubtful(entry)) + 1]?.at;
}

/** The states of a refund and a discount that have no outcome. */
const isOpen: Readonly<Record<string, boolean>> = { pending: true, requested: true };

const isDoubtful = ({ to, reason }: Pick<RecordedEntry, "to" | "reason">): boolean =>
  to === "reconciling" || reason === "outcomeUnknown";

const MINUTE = 60_000;
const units = [
  ["d", 1_440],
  ["h", 60],
  ["min", 1],
] as const;

/** `3 h 12 min, since 2026-11-21T10:00:00.000Z`. */
export function doubtText(since: Instant, now: Instant): string {
  let minutes = Math.max(0, Math.floor(msBetween(since, now) / MINUTE));
  const parts = units.flatMap(([unit, size]) => {
    const count = Math.floor(minutes / size);
    minutes -= count * size;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return `${parts.length === 0 ? "less than 1 min" : parts.slice(0, 2).join(" ")}, since ${since}`;
}
