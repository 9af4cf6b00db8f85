import { msBetween, type Instant } from "./time.ts";

const DAY_SECONDS = 24 * 3_600;

/** How long a key lives if nothing else is said, in seconds: its partner replaces it once a year, and has a month for that. */
export const KEY_LIFE_SECONDS = 400 * DAY_SECONDS;
/** How long before its end an operator is called, in seconds. */
const ENDS_SOON_SECONDS = 30 * DAY_SECONDS;

/** What ends a key. */
export interface KeyLife {
  readonly expiresAt?: Instant | undefined;
  readonly revokedAt?: Instant | undefined;
  /** Its partner is disabled. */
  readonly isDisabled?: boolean | undefined;
}

/** Whether a key that is in use ends within a month, and its end was set earlier than that, so that a rotation calls no operator. */
export function endsSoon(
  { expiresAt, updatedAt }: Pick<KeyLife, "expiresAt"> & { readonly updatedAt: Instant },
  now: Instant,
): boolean {
  if (expiresAt === undefined) return false;
  const soon = ENDS_SOON_SECONDS * 1_000;
  return msBetween(now, expiresAt) <= soon && msBetween(updatedAt, expiresAt) > soon;
}

export type KeyStatus = "active" | "expired" | "revoked" | "disabled";

/** Whether a key gives access now, or why it does not: what cannot be taken back comes first. */
export function keyStatus({ expiresAt, revokedAt, isDisabled = false }: KeyLife, now: Instant): KeyStatus {
  if (revokedAt !== undefined) return "revoked";
  if (expiresAt !== undefined && expiresAt <= now) return "expired";
  return isDisabled ? "disabled" : "active";
}
