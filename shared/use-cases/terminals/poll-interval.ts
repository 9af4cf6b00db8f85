import { msBetween, type Instant } from "../../domain/time.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Terminals } from "../../stores/terminals.ts";
import type { InboxRow } from "../../stores/inboxes.ts";

/** The messages that a poll read in its terminal's inbox. */
export interface Looked {
  readonly rows: readonly InboxRow[];
}

/** How often a poll reads without a bell. */
export interface PollInterval {
  readonly longestMs: number;
  /** Milliseconds from this read until the next one. */
  after(looked: Looked): Promise<number>;
}

const IDLE_MS = 10_000;
const SOON_MS = 1_000;
const EARLY_IN_PAYMENT_MS = 2_000;
const IN_PAYMENT_MS = 5_000;
const CLAIM_MS = 20_000;

/**
 * How long a poll relies on the bell alone. It is ten seconds, and one second while a message is in the inbox. While a payment holds the
 * terminal, it is two seconds at first and doubles to five. A cancel whose bell was lost is then still found early in its time for an
 * answer.
 *
 * Each poll reads once whether a payment holds the terminal. It reads this again after a message has left the inbox, and every twenty
 * seconds while a payment holds the terminal.
 */
export function pollInterval(
  deps: { readonly terminals: Terminals; readonly clock: Pick<Clock, "now"> },
  terminalId: string,
): PollInterval {
  let quietMs = EARLY_IN_PAYMENT_MS;
  let lastCheck: { readonly at: Instant; readonly isHeld: boolean } | undefined;
  return {
    longestMs: IDLE_MS,
    async after({ rows }) {
      if (rows.length > 0) {
        lastCheck = undefined;
        quietMs = EARLY_IN_PAYMENT_MS;
        return SOON_MS;
      }
      const now = deps.clock.now();
      if (!lastCheck || (lastCheck.isHeld && Math.abs(msBetween(lastCheck.at, now)) >= CLAIM_MS))
        lastCheck = { at: now, isHeld: (await deps.terminals.findClaim(terminalId)).holder !== undefined };
      if (!lastCheck.isHeld) return IDLE_MS;
      const ms = quietMs;
      quietMs = Math.min(2 * quietMs, IN_PAYMENT_MS);
      return ms;
    },
  };
}
