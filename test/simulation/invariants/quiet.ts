import { standardTimings } from "../../../shared/domain/timings.ts";
import { HOLD_SUFFIX, INBOX_PREFIX, terminalPartition } from "../../../shared/stores/keys.ts";
import { dayOf } from "../../../shared/domain/time.ts";
import { isClosedInError } from "../actors/operator.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import { nameOf } from "../platform/service-bus.ts";
import { RETRY_VOID, type Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import { HOUR, instantAt, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * At the end no messages, no claims and no holds are left.
 */
export async function checkQuiet(
  world: World,
  ending: Ending,
  { ports, bus, stores }: Platform,
  devices: readonly TerminalDevice[],
  sessions: readonly Session[],
  ledger: CardLedger,
): Promise<number> {
  // A charge that cannot be voided is retried forever. The deadlines of a late approval, of a void that a late operator caused, and of a day
  // on which money moved late, are beyond the end, by any clock.
  const late = (seconds: number) => instantAt(world.end - seconds * SECOND - HOUR);
  const lateVoid = late(Math.max(32 * RETRY_VOID, standardTimings.captureSeconds));
  const lateDay = dayOf(late(standardTimings.dayTotalsSeconds));
  const isLate = ({ history }: Session) =>
    history.some(
      ({ by, at, bookings = [] }) =>
        (by !== "platform" && at >= lateVoid) || bookings.some(({ businessDay }) => businessDay >= lateDay),
    );
  // A terminal that is stuck in a payment gets the payment's other messages again and again.
  const isStuck = (sessionId: string) => devices.some(({ memory }) => memory.runs.get(sessionId)?.isStuck);
  const goesOn = sessions.some(({ plan }) => isStuck(plan.sessionId));
  const mayGoOn =
    goesOn ||
    devices.some((d) => d.diesForEver) ||
    sessions.some((session) => isLate(session) || ledger.isUnheard(session.plan.sessionId));
  const isExcused = ending === "time is up" ? mayGoOn : goesOn;
  if (ending !== "quiet" && !isExcused) world.violate("never quiet", ending);
  for (const message of bus.deadLetters) world.violate("a dead letter", nameOf(message));
  let leftovers = 0;
  for (const { terminal, diesForEver, memory, hasSaidLost } of devices) {
    if (diesForEver) continue;
    const held = (await ports.terminals.findClaim(terminal.terminalId)).holder?.sessionId;
    const known = held === undefined ? [] : await ports.alerts.of(held);
    // If a terminal may have forgotten or misreported a payment, or a restore lost its charge, the payment holds the terminal until an
    // operator resolves it.
    const isBehind = held !== undefined && world.lostTime.behind.has(held);
    const isUnheard = held !== undefined && ledger.isUnheard(held);
    const isForgotten =
      (hasSaidLost() || isBehind || isUnheard) &&
      known.some(({ alert }) => alert.status === "open" || isClosedInError(alert));
    if (held !== undefined && !isForgotten && !memory.runs.get(held)?.isStuck)
      world.violate("a terminal stays claimed", `${terminal.terminalId} ${held}`);
    for (const row of await ports.inboxes.unanswered(terminal.terminalId))
      if (!isStuck(row.slot.sessionId))
        world.violate("a message was never concluded", `${row.messageId} ${row.message.type}`);
    leftovers += await holdsWithoutMessage(stores, terminal.terminalId);
  }
  return leftovers;
}

/** The holds that are left in an inbox. */
async function holdsWithoutMessage({ plain }: Platform["stores"], terminalId: string): Promise<number> {
  const rows = await plain.terminals.withPrefix(terminalPartition(terminalId), INBOX_PREFIX);
  return rows.filter(({ rowKey }) => rowKey.endsWith(HOLD_SUFFIX)).length;
}
