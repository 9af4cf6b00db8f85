import type { Instant } from "./time.ts";

/** What ends a key. */
export interface KeyLife {
  readonly expiresAt?: Instant | undefined;
  readonly revokedAt?: Instant | undefined;
  /** Its partner is disabled. */
  readonly isDisabled?: boolean | undefined;
}

export type KeyStatus = "active" | "expired" | "revoked" | "disabled";

/** Whether a key gives access now, or why it does not: what cannot be taken back comes first. */
export function keyStatus({ expiresAt, revokedAt, isDisabled = false }: KeyLife, now: Instant): KeyStatus {
  if (revokedAt !== undefined) return "revoked";
  if (expiresAt !== undefined && expiresAt <= now) return "expired";
  return isDisabled ? "disabled" : "active";
}
