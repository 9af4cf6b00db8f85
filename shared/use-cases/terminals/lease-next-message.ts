import { isTakenOut, nextToHandOut } from "../../domain/terminal-inbox.ts";
import { after, msBetween, type Instant } from "../../domain/time.ts";
import type { Timings } from "../../domain/timings.ts";
import type { Clock } from "../../ports/clock.ts";
import { Conflict } from "../../ports/failures.ts";
import type { TerminalCall } from "../auth/caller.ts";
import type { Inboxes, InboxRow, Terminals } from "../../ports/terminals.ts";
import type { Polls } from "./newest-polls.ts";

export interface LeaseNextMessageDeps {
  readonly terminals: Terminals;
  readonly inboxes: Inboxes;
  readonly polls: Polls;
  readonly clock: Clock;
  readonly timings: Timings;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 1_000;

/**
 * The oldest message that is still meant and that the terminal has not answered, leased for ten seconds and marked as fetched;
 * undefined when none came within `waitSeconds`, or the terminal asked anew meanwhile. Asking is the terminal's heartbeat. It holds no
 * lock, and remembers nothing between calls but which of a terminal's polls is the newest.
 *
 * @param received the last message that arrived at the terminal, where it names it: a later one did not, and is not waited for
 */
export async function leaseNextMessage(
  deps: LeaseNextMessageDeps,
  { caller: { terminal, lastSeenAt } }: Pick<TerminalCall, "caller">,
  waitSeconds: number,
  received?: string,
): Promise<InboxRow | undefined> {
  const { clock, polls } = deps;
  const { terminalId } = terminal;
  const until = after(clock.now(), waitSeconds);
  const poll = polls.begin(terminalId);
  let seenAt = lastSeenAt;
  try {
    for (let pause = FIRST_PAUSE_MS; !poll.isOvertaken(); pause = Math.min(LONGEST_PAUSE_MS, pause * 1.25)) {
      seenAt = await heartbeat(deps, terminalId, seenAt);
      const leased = await leaseNext(deps, terminalId, received);
      if (leased) return leased;
      const left = msBetween(clock.now(), until);
      if (left <= 0) return undefined;
      await clock.sleep(Math.min(pause, left));
    }
    return undefined;
  } finally {
    poll.end();
  }
}

async function heartbeat(
  deps: LeaseNextMessageDeps,
  terminalId: string,
  seenAt: Instant | undefined,
): Promise<Instant> {
  const now = deps.clock.now();
  const fresh = seenAt !== undefined && Math.abs(msBetween(seenAt, now)) < deps.timings.heartbeatSeconds * 1000;
  if (fresh) return seenAt;
  await deps.terminals.seen(terminalId, now);
  return now;
}

async function leaseNext(
  deps: LeaseNextMessageDeps,
  terminalId: string,
  received: string | undefined,
): Promise<InboxRow | undefined> {
  const { leaseSeconds } = deps.timings;
  const now = deps.clock.now();
  const rows = await deps.inboxes.open(terminalId);
  const row = nextToHandOut(rows, { now, leaseSeconds, received });
  try {
    // What was withdrawn or resolved has its guard, which stays: the row itself is only in the way.
    for (const gone of rows) if (isTakenOut(gone)) await deps.inboxes.remove(terminalId, gone);
    if (!row) return undefined;
    await deps.inboxes.lease(terminalId, row, after(now, leaseSeconds));
    return row;
  } catch (error) {
    if (error instanceof Conflict) return undefined; // another poll or a withdrawal won: look again
    throw error;
  }
}
