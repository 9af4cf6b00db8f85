import { nextToHandOut } from "../../domain/terminal-inbox.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { after, msBetween, type Instant } from "../../domain/time.ts";
import { Conflict } from "../../ports/failures.ts";
import type { TerminalCall } from "../caller.ts";
import type { InboxRow } from "../../stores/inboxes.ts";
import { endCallAboutWait } from "../alerts/long-waits.ts";
import type { Heartbeats } from "./heartbeats.ts";
import type { Polls } from "../bells/newest-polls.ts";
import { pollInterval, type Looked } from "./poll-interval.ts";
import type { Needs } from "../needs.ts";

export interface LeaseNextMessageDeps extends Needs<
  "bareAlerts" | "bells" | "clock" | "inboxes" | "terminals" | "timings"
> {
  readonly polls: Polls;
  readonly heartbeats: Heartbeats;
}

/** The facts that a terminal sends with a poll. */
export interface Told {
  /** The last message that arrived. Later ones did not arrive, and are handed out again. */
  readonly received?: string | undefined;
  /** The charge of its battery, 0 to 100. It is stored with the heartbeat. */
  readonly batteryPercent?: number | undefined;
}

/**
 * Hands a terminal its oldest message that is still wanted and not answered. The message is leased for `leaseSeconds` and marked as
 * fetched. Undefined if no message came within `waitSeconds`, or if a newer poll of the terminal ended this one. Every poll is a heartbeat.
 * If the process has too many polls, a new one that would wait is refused. It has read the inbox by then, so no message is held back.
 * A poll holds no lock. Between calls the process remembers only a terminal's newest poll and when its heartbeat was written.
 *
 * It reads the inbox when the terminal's bell rings. A bell may be lost, so it also reads from time to time.
 *
 * @param told what the terminal tells with the poll
 */
export async function leaseNextMessage(
  deps: LeaseNextMessageDeps,
  { caller: { terminal } }: Pick<TerminalCall, "caller">,
  waitSeconds: number,
  told: Told,
): Promise<Result<InboxRow | undefined, Refusal<"rate_limited">>> {
  const { bells, clock, heartbeats, polls } = deps;
  const { terminalId } = terminal;
  const until = after(clock.now(), waitSeconds);
  const left = () => remaining(clock.now(), until, waitSeconds * 1_000);
  const poll = polls.begin(terminalId);
  const endListening = waitSeconds > 0 ? bells.listen(terminalId, poll.wake) : undefined;
  const pace = pollInterval(deps, terminalId);
  try {
    let isRung = true; // the first read needs no bell
    for (let lookAt = clock.now(); !poll.isOver();) {
      await heartbeat(deps, terminalId, told);
      const now = clock.now();
      if (isRung || remaining(now, lookAt, pace.longestMs) === 0) {
        const looked = await look(deps, terminal, told);
        if (looked.leased) return ok(looked.leased);
        if (left() === 0) return ok(undefined);
        const retryAfterSeconds = poll.retryAfterSeconds();
        if (retryAfterSeconds !== undefined) return refuse({ code: "rate_limited", retryAfterSeconds });
        lookAt = after(now, (await pace.after(looked)) / 1_000);
      }
      if (left() === 0) return ok(undefined);
      const untilLook = remaining(clock.now(), lookAt, pace.longestMs);
      const untilHeartbeat = Math.max(0, heartbeats.dueIn(terminalId, clock.now()));
      isRung = await poll.pause(Math.min(left(), untilLook, untilHeartbeat), clock);
    }
    return ok(undefined);
  } finally {
    endListening?.();
    poll.end();
  }
}

/** Milliseconds until `then`; 0 if it has passed. Also 0 if it is more than `mostMs` away, because the clock was then set back. */
function remaining(now: Instant, then: Instant, mostMs: number): number {
  const ms = msBetween(now, then);
  return ms > 0 && ms <= mostMs ? ms : 0;
}

async function heartbeat(
  { clock, heartbeats, terminals }: LeaseNextMessageDeps,
  terminalId: string,
  { batteryPercent }: Told,
): Promise<void> {
  const now = clock.now();
  if (heartbeats.dueIn(terminalId, now) > 0) return;
  await terminals.seen(terminalId, now, batteryPercent);
  heartbeats.written(terminalId, now);
}

async function look(
  deps: LeaseNextMessageDeps,
  terminal: TerminalCall["caller"]["terminal"],
  { received }: Told,
): Promise<Looked & { readonly leased?: InboxRow }> {
  const { leaseSeconds } = deps.timings;
  const { terminalId } = terminal;
  const now = deps.clock.now();
  const rows = await deps.inboxes.unanswered(terminalId);
  const row = nextToHandOut(rows, { now, leaseSeconds, received });
  try {
    if (!row) return { rows };
    await endCallAboutWait(deps, terminal, row, now);
    const fetched = row.state === "waiting" ? { ...row, fetchedAt: now } : row;
    await deps.inboxes.lease(terminalId, fetched, after(now, leaseSeconds));
    return { rows, leased: row };
  } catch (error) {
    if (error instanceof Conflict) return { rows }; // another poll or a withdrawal was first: read again
    throw error;
  }
}
