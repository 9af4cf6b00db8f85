import type { DayClosing, TerminalDay } from "../../../shared/domain/terminal-day/terminal-day.ts";
import type { Booking } from "../../../shared/domain/booking.ts";
import type { TerminalDayKey } from "../../../shared/ports/subjects.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import { differencesOf } from "../actors/differences.ts";
import { businessDaysOf, movesOn, type SentClosing } from "../actors/day-closings.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";
import { givenBackUnbooked, isReportedLate, wasClaimed } from "./bookings.ts";
import { countedOf, sumsOf, sumsOfTotals } from "./day-sums.ts";
import { toldTo } from "./events.ts";
import type { Session } from "./snapshot.ts";

interface Surroundings {
  readonly platform: Platform;
  readonly devices: readonly TerminalDevice[];
  readonly ledger: CardLedger;
  readonly sessions: readonly Session[];
  readonly ending: Ending;
}

/**
 * If a day is closed, its books equal the terminal's totals. The books of each day are the terminal's movements on cards. Every other day
 * with bookings or totals raises an alert. An accepted closing is stored. The partner's last event about a day shows its present state.
 */
export async function checkTerminalDays(
  world: World,
  closings: readonly SentClosing[],
  surroundings: Surroundings,
): Promise<void> {
  for (const { terminal } of surroundings.devices)
    for (const day of businessDaysOf(world)) {
      const { partnerId, terminalId } = terminal;
      const sent = closings.filter((one) => one.terminalId === terminalId && one.day === day);
      await checkDay(world, { partnerId, terminalId, day }, sent, surroundings);
    }
}

async function checkDay(
  world: World,
  key: TerminalDayKey,
  sent: readonly SentClosing[],
  surroundings: Surroundings,
): Promise<void> {
  const { ports } = surroundings.platform;
  const at = `${key.terminalId} ${key.day}`;
  const { terminalDay, closedAt } = (await ports.terminalDays.find(key)) ?? {};
  for (const { closingId, takenAt } of sent)
    if (takenAt !== undefined && !(await ports.terminalDays.findClosing(key, closingId)))
      world.violate("a closing that was taken is missing", `${at} ${closingId}`);
  const booked = (await ports.bookings.ofBusinessDay(key)).filter(
    ({ kind, counted }) => kind !== "correction" || counted,
  );
  if (!terminalDay) {
    if (booked.length > 0 && surroundings.ending === "quiet") world.violate("booked, but no day was opened", at);
    return;
  }
  const { closing, status } = terminalDay;
  const counting = sent.find(({ closingId }) => closingId === closing?.closingId);
  if (closing && !counting) world.violate("a day has totals that no terminal sent", at);
  const isOutdated = sent.some(
    ({ sentAt, takenAt }) => takenAt !== undefined && sentAt > (counting?.takenAt ?? Infinity),
  );
  if (isOutdated) world.violate("a day has totals that its terminal has corrected", at);
  const isEqual =
    closing !== undefined && sumsOfTotals(closing.totals) === sumsOf(countedOf(booked)) && hasLast(closing, booked);
  const wasClosed = (await toldOf(terminalDay, surroundings.platform)).includes("day.closed");
  if (wasClosed && closedAt === undefined) world.violate("the books of a day that was closed are open", at);
  if (status === "closed" && !isEqual) world.violate("a day is closed whose books differ from its totals", at);
  if (status === "differs" && isEqual) world.violate("a day differs whose books are equal", at);
  if (surroundings.ending !== "quiet") return;
  checkMoved(world, key, surroundings, booked);
  await checkSettled(world, terminalDay, surroundings.platform);
}

/**
 * Whether the books have the charge that the terminal names as its last. A reversed correction is not in them. Without any money on both
 * sides there is nothing to compare.
 */
function hasLast({ lastChargeId, totals }: DayClosing, booked: readonly Booking[]): boolean {
  if (lastChargeId === undefined || (booked.length === 0 && totals.length === 0)) return true;
  const fitting = booked.filter(
    ({ kind, counted, chargeId = lastChargeId }) => (counted?.kind ?? kind) === "capture" && chargeId === lastChargeId,
  );
  const countOf = ({ counted }: Booking) => counted?.count ?? 1;
  const groups = Map.groupBy(fitting, ({ kind, sessionId, chargeId }) => `${kind} ${sessionId} ${chargeId}`);
  return [...groups.values()].some(
    (own) => own.every((one) => countOf(one) === 0) || own.reduce((sum, one) => sum + countOf(one), 0) > 0,
  );
}

/**
 * The books of a day are the terminal's movements on it, payment by payment: its reports, and the corrections whose day an operator named.
 * If a payment's books differ from the cards, another check covers it. The exceptions are a terminal's loss of memory, money that the
 * acquirer moved for an operator, and a correction without a day. If a terminal names no days, its money may be booked on other days.
 */
function checkMoved(
  world: World,
  key: TerminalDayKey,
  { ledger, sessions, devices }: Surroundings,
  booked: readonly Booking[],
): void {
  const { namesDays = true } = devices.find(({ terminal }) => terminal.terminalId === key.terminalId) ?? {};
  if (!namesDays) return;
  const moves = movesOn(world, { ledger, plans: sessions.map(({ plan }) => plan) }, key);
  for (const session of sessions) {
    const { plan, payment, history } = session;
    const { sessionId } = plan;
    const unbooked = givenBackUnbooked(session);
    const isOwn = (one: { readonly sessionId: string }) => one.sessionId === sessionId;
    const moved = moves.filter((one) => isOwn(one) && !unbooked.has(one.chargeId));
    const [inBooks, onCards] = [sumsOf(countedOf(booked.filter(isOwn))), sumsOf(moved)];
    const isExcused =
      ledger.isUnheard(sessionId) ||
      ledger.isCorrected(sessionId) ||
      wasClaimed(world, sessionId, ledger) ||
      isReportedLate(session, ledger) ||
      history.some(({ by, businessDay }) => by === "operator" && businessDay === undefined) ||
      differencesOf(payment, ledger.chargesOf(sessionId)).length > 0;
    if (inBooks !== onCards && !isExcused)
      world.violate(
        "the books of a day are not what its terminal moved",
        `${key.terminalId} ${key.day} ${sessionId}: ${inBooks} — ${onCards}`,
      );
  }
}

async function checkSettled(world: World, terminalDay: TerminalDay, platform: Platform): Promise<void> {
  const { partnerId, terminalId, day, status } = terminalDay;
  const at = `${terminalId} ${day} (${status})`;
  if (status === "open" || status === "comparing") return world.violate("a terminal's day never settles", at);
  const kind = status === "missing" ? "dayMissing" : "dayDiffers";
  const subject = { kind: "terminal", partnerId, terminalId, day } as const;
  if (status !== "closed" && !(await platform.ports.alerts.find({ subject, kind })))
    world.violate("a day differs or is missing, and no operator is called", at);
  const type = (await toldOf(terminalDay, platform)).at(-1);
  if (status !== "missing" && type !== `day.${status}`)
    world.violate("the last webhook of a day is wrong", `${at} ${type}`);
}

/** The types of the partner's events about the day, in order. */
async function toldOf({ partnerId, terminalId, day, sequence }: TerminalDay, platform: Platform): Promise<string[]> {
  const told = await toldTo(platform, partnerId);
  const events = Array.from({ length: sequence }, (_, i) => told.get(`${terminalId}_${day}_${i + 1}`));
  return events.flatMap((event) => (event ? [(JSON.parse(event.body) as { type: string }).type] : []));
}
