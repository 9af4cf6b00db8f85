import { msBetween, type Instant } from "./time.ts";

const DAY_SECONDS = 24 * 3_600;

/** How long a key lives by default, in seconds. Its partner replaces it once a year, and has a month for that. */
export const KEY_LIFE_SECONDS = 400 * DAY_SECONDS;
/** How long before a key's end an operator is alerted, in seconds. */
const ENDS_SOON_SECONDS = 30 * DAY_SECONDS;

/** The facts that can end a key. */
export interface KeyLife {
  readonly expiresAt?: Instant | undefined;
  readonly revokedAt?: Instant | undefined;
  /** Its partner is disabled. */
  readonly isDisabled?: boolean | undefined;
}

/** Whether a key that is in use ends within a month. False if its end was set within that month, so that a rotation raises no alert. */
export function endsSoon(
  { expiresAt, updatedAt }: Pick<KeyLife, "expiresAt"> & { readonly updatedAt: Instant },
  now: Instant,
): boolean {
  if (expiresAt === undefined) return false;
  const soon = ENDS_SOON_SECONDS * 1_000;
  return msBetween(now, expiresAt) <= soon && msBetween(updatedAt, expiresAt) > soon;
}

export type KeyStatus = "active" | "expired" | "revoked" | "disabled";

/** Whether a key gives access now, or why it does not. A reason that cannot be undone comes first. */
export function keyStatus({ expiresAt, revokedAt, isDisabled = false }: KeyLife, now: Instant): KeyStatus {
  if (revokedAt !== undefined) return "revoked";
  if (expiresAt !== undefined && expiresAt <= now) return "expired";
  return isDisabled ? "disabled" : "active";
}
