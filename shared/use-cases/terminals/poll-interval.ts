import { holdsTerminal } from "../../domain/payment/record/payment.ts";
import { msBetween, type Instant } from "../../domain/time.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Payments } from "../../stores/payments.ts";
import type { Terminals } from "../../stores/terminals.ts";
import type { InboxRow } from "../../stores/inboxes.ts";

/** What a poll read in its terminal's inbox. */
export interface Looked {
  readonly rows: readonly InboxRow[];
}

/** When a poll reads without a bell. */
export interface PollInterval {
  readonly longestMs: number;
  /** Milliseconds from the read that found this until the next read. */
  after(looked: Looked): Promise<number>;
}

const IDLE_MS = 10_000;
const IN_PAYMENT_MS = 1_000;

/**
 * How long a poll relies on the bell alone: ten seconds; one second while a message is in the inbox or a payment holds the terminal, since
 * then the next message comes soon and a customer waits for it. Whether a payment holds the terminal is read once for each poll, again
 * after a message has left the inbox, and every ten seconds while one does.
 */
export function pollInterval(
  deps: { readonly terminals: Terminals; readonly payments: Payments; readonly clock: Pick<Clock, "now"> },
  terminalId: string,
): PollInterval {
  let lastCheck: { readonly at: Instant; readonly isHeld: boolean } | undefined;
  return {
    longestMs: IDLE_MS,
    async after({ rows }) {
      if (rows.length > 0) {
        lastCheck = undefined;
        return IN_PAYMENT_MS;
      }
      const now = deps.clock.now();
      if (!lastCheck || (lastCheck.isHeld && Math.abs(msBetween(lastCheck.at, now)) >= IDLE_MS))
        lastCheck = { at: now, isHeld: await isHeld(deps, terminalId) };
      return lastCheck.isHeld ? IN_PAYMENT_MS : IDLE_MS;
    },
  };
}

/** Whether a payment holds the terminal. A claim alone does not show this: the claim of an ended payment stays. */
async function isHeld(
  { terminals, payments }: { readonly terminals: Terminals; readonly payments: Payments },
  terminalId: string,
): Promise<boolean> {
  const claim = await terminals.findClaim(terminalId);
  const holder = claim && (await payments.find(claim));
  return holder !== undefined && holdsTerminal(holder.payment.status);
}
