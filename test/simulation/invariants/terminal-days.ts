import type { DayClosing, TerminalDay } from "../../../shared/domain/terminal-day/terminal-day.ts";
import type { Booking } from "../../../shared/domain/booking.ts";
import type { Totals } from "../../../shared/domain/terminal-day/totals.ts";
import type { TerminalDayKey } from "../../../shared/ports/subjects.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import { businessDays, movesOn, type SentClosing } from "../actors/day-closings.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";
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
 * No day is closed whose books differ from the terminal's totals, or from what the terminal moved on cards; every other day with bookings or
 * totals calls an operator. A closing that was taken is stored, and the partner's last event about a day is how it stands.
 */
export async function checkTerminalDays(
  world: World,
  closings: readonly SentClosing[],
  surroundings: Surroundings,
): Promise<void> {
  for (const { terminal } of surroundings.devices)
    for (const day of businessDays) {
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
  const terminalDay = (await ports.terminalDays.find(key))?.terminalDay;
  for (const { closingId, takenAt } of sent)
    if (takenAt !== undefined && !(await ports.terminalDays.findClosing(key, closingId)))
      world.violate("a closing that was taken is missing", `${at} ${closingId}`);
  const booked = (await ports.bookings.ofTerminal(key)).bookings.filter(({ kind }) => kind !== "correction");
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
  const isEqual = closing !== undefined && sumsOfTotals(closing.totals) === sumsOf(booked) && hasLast(closing, booked);
  const wasClosed = (await toldOf(terminalDay, surroundings.platform)).includes("day.closed");
  if (wasClosed && (await ports.bookings.ofTerminal(key)).closedAt === undefined)
    world.violate("the books of a day that was closed are open", at);
  if (status === "closed" && !isEqual) world.violate("a day is closed whose books differ from its totals", at);
  if (status === "closed" && !isTrue(world, terminalDay, surroundings, booked))
    world.violate("a day is closed whose books differ from the cards", at);
  if (status === "differs" && isEqual) world.violate("a day differs whose books are equal", at);
  if (surroundings.ending === "quiet") await checkSettled(world, terminalDay, surroundings.platform);
}

type Counted = Pick<Booking, "kind" | "currency" | "amount">;

/** Charges that were kept and refunds, counted and summed by currency, in a text that can be compared. Written apart from the product's own. */
function sumsOf(moves: readonly Counted[]): string {
  const sums: Record<string, [count: number, amount: number]> = {};
  for (const { kind, currency, amount } of moves) add(sums, `${currency} ${kind}`, [1, amount]);
  return shown(sums);
}

function sumsOfTotals(totals: Totals): string {
  const sums: Record<string, [count: number, amount: number]> = {};
  for (const { currency, ...counted } of totals)
    for (const [kind, { count, amount }] of Object.entries(counted)) add(sums, `${currency} ${kind}`, [count, amount]);
  return shown(sums);
}

/** A reversal takes from the captures. */
function add(
  sums: Record<string, [count: number, amount: number]>,
  of: string,
  [count, amount]: [number, number],
): void {
  const name = of.replace("reversal", "capture");
  const sign = name === of ? 1 : -1;
  const [counted, summed] = sums[name] ?? [0, 0];
  sums[name] = [counted + sign * count, summed + sign * amount];
}

const shown = (sums: Readonly<Record<string, readonly [number, number]>>): string =>
  Object.entries(sums)
    .filter(([, [count, amount]]) => count !== 0 || amount !== 0)
    .map(([name, [count, amount]]) => `${name} ${count} ${amount}`)
    .toSorted()
    .join();

/** Whether the books have the charge that the terminal names as its last. Without any money on both sides there is nothing to compare. */
const hasLast = ({ lastChargeId, totals }: DayClosing, booked: readonly Booking[]): boolean =>
  lastChargeId === undefined ||
  (booked.length === 0 && totals.length === 0) ||
  booked.some(({ kind, chargeId }) => kind === "capture" && chargeId === lastChargeId);

/**
 * Whether the terminal's totals are what it moved. A terminal that forgot cannot know it, and one that names no days, and has others than UTC,
 * has its money booked on others. A session that an operator resolved too early has no report, and perhaps no alert, and may be booked without
 * a move. Where a report that the
 * platform did not book is as wrong as the totals are, an alert names its payment.
 */
function isTrue(
  world: World,
  { closing, terminalId, day }: TerminalDay,
  { ledger, sessions, devices }: Surroundings,
  booked: readonly Booking[],
): boolean {
  const plans = sessions.map(({ plan }) => plan);
  const moves = movesOn(world, { ledger, plans }, { terminalId, day });
  const { namesDays = true } = devices.find(({ terminal }) => terminal.terminalId === terminalId) ?? {};
  if (!namesDays && world.aheadOfUtc > 0) return true;
  const isExcused = [...moves, ...booked].some(
    ({ sessionId }) =>
      ledger.isForgotten(sessionId) ||
      ledger.isMisjudged(sessionId) ||
      sessions.some(({ plan, alerts }) => plan.sessionId === sessionId && alerts.length > 0),
  );
  return isExcused || (closing !== undefined && sumsOfTotals(closing.totals) === sumsOf(moves));
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

/** The types of the events that the partner got of the day, in their order. */
async function toldOf({ partnerId, terminalId, day, sequence }: TerminalDay, platform: Platform): Promise<string[]> {
  const told = await toldTo(platform, partnerId);
  const events = Array.from({ length: sequence }, (_, i) => told.get(`${terminalId}_${day}_${i + 1}`));
  return events.flatMap((event) => (event ? [(JSON.parse(event.body) as { type: string }).type] : []));
}
