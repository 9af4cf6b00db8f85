import { standardTimings } from "../../../shared/domain/timings.ts";
import type { Deadline } from "../../../shared/domain/payment/record/deadline.ts";
import type { PaymentEvent } from "../../../shared/domain/payment/record/events.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { waitOf } from "../../../shared/domain/payment/life/waits.ts";
import { msBetween, type Instant } from "../../../shared/domain/time.ts";
import type { Platform } from "../platform/platform.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import { HOUR, instantAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** The shortest wait for a terminal that a partner can choose. */
const SHORTEST_WAIT = 60;
/** The seconds that the platform waits in a state before this event. */
const patience: Partial<Record<PaymentEvent | "request", number>> = {
  acceptanceOverdue: standardTimings.acceptanceSeconds,
  answerOverdue: standardTimings.answerSeconds,
  outcomeOverdue: standardTimings.outcomeSeconds,
  messageWithdrawn: SHORTEST_WAIT,
};

/** The events that begin a doubt. */
const doubting: ReadonlySet<string> = new Set<PaymentEvent>([
  "acceptanceOverdue",
  "answerOverdue",
  "outcomeOverdue",
  "forgot",
  "restored",
]);

/** The longest pause between two looks at a message that waits, and some time for its worker. */
const LONGEST_PAUSE = 6.5 * HOUR;

/** A deadline that is delivered several times at once can call an operator as often. */
const MOST_CALLS = 6;

/**
 * A look for the earliest moment that a payment awaits, or for an earlier one, is outstanding. While a message waits for its terminal, one
 * comes within the longest pause. Only for a void that waits for the answer to
 * a restore's query, none is: the answer brings the next look.
 */
export function checkLooks(world: World, { bus }: Platform, sessions: readonly Session[]): void {
  const { agenda } = world;
  const looks = bus.outstanding().flatMap((body) => ("at" in body && body.at !== undefined ? [body] : []));
  for (const { plan, payment } of sessions) {
    const first = payment?.deadlines.find((one) => !isWaiting(payment, one, instantAt(agenda.now())));
    const isPausing = payment?.deadlines.some((one) => waitOf(payment, one)) === true;
    const latest = isPausing ? instantAt(agenda.now() + LONGEST_PAUSE) : first?.at;
    const isLooked = looks.some(
      ({ subject, at = "" }) =>
        subject.kind === "payment" &&
        subject.sessionId === plan.sessionId &&
        [first?.at, latest].every((moment) => moment !== undefined && at <= moment),
    );
    if (first && !isLooked) world.violate("nobody looks at what a payment awaits", `${plan.sessionId} ${first.name}`);
  }
}

const isWaiting = ({ restored }: Payment, { name, at }: Deadline, now: Instant): boolean =>
  restored !== undefined && name === "capture" && at <= now;

/** Each doubt calls an operator by one deadline, however often the terminal has said that the payment runs. */
export function checkDoubts(world: World, { plan, history }: Session): void {
  let calls: readonly string[] = [];
  for (const { event, alerts = [] } of history) {
    if (doubting.has(event)) calls = [];
    if (event === "doubtOverdue") calls = [...calls, ...alerts.map(({ about = "" }) => about)];
    const again = calls.find((about) => calls.filter((other) => other === about).length > MOST_CALLS);
    if (again === undefined) continue;
    world.violate("an operator was called again and again for one doubt", `${plan.sessionId} ${again}`);
    return;
  }
}

/**
 * No deadline is carried out before its time, counted from the entry into the state. A deadline of an earlier try has no effect. If a
 * report under a used identifier took the message, nobody knows when it was fetched, and the end of its wait begins the doubt.
 */
export function checkDeadlines(world: World, { plan, history }: Session, ledger: CardLedger): void {
  if (world.faultPlan.wrongestClock > 0) return;
  for (const [i, { event, from, at, recordedOnly }] of history.entries()) {
    const isTaken = event === "outcomeOverdue" && ledger.isUnheard(plan.sessionId);
    const seconds = isTaken ? SHORTEST_WAIT : patience[event];
    if (seconds === undefined || recordedOnly) continue;
    const since = history.slice(0, i).findLast((h) => h.to === from && h.from !== from);
    if (since && msBetween(since.at, at) < seconds * 1000)
      world.violate(
        "a deadline was carried out too early",
        `${plan.sessionId} ${event} after ${msBetween(since.at, at)} ms`,
      );
  }
}
