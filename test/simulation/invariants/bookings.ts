import { toSettlementFile } from "../../../shared/contracts/objects/settlement-file.ts";
import type { AlertKind } from "../../../shared/domain/alert.ts";
import { bookingRecord, closingOf, totalsOf, type Booking } from "../../../shared/domain/booking.ts";
import { BOOKING_PREFIX } from "../../../shared/stores/keys.ts";
import type { PartnerDayKey } from "../../../shared/ports/subjects.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import { settlementOf } from "../../support/settlement.ts";
import type { ClosedFiles } from "../actors/accountant.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import { differencesOf } from "../actors/differences.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { Platform } from "../platform/platform.ts";
import { DAY, HOUR, instantAt, msAt } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";
import { checkTips } from "./tips.ts";
import { bySource, checkCorrections, checkReplaced, checkSources } from "./sources.ts";

interface Ended {
  readonly ledger: CardLedger;
  readonly devices: readonly TerminalDevice[];
  readonly closed: ClosedFiles;
}

/**
 * The books at the end. If books and cards agree, the bookings are the movements of its cards, each under the business day on which it
 * happened. A file that was read as closed is the same at the end.
 */
export async function checkBookings(
  world: World,
  sessions: readonly Session[],
  platform: Platform,
  { ledger, devices, closed }: Ended,
): Promise<void> {
  const booked = await bookingsIn(world, platform);
  const of = Map.groupBy(booked, ({ partnerId, sessionId }) => `${partnerId} ${sessionId}`);
  for (const session of sessions) {
    const key = `${session.plan.partnerId} ${session.plan.sessionId}`;
    const own = of.get(key) ?? [];
    if (!session.payment) continue;
    const device = devices.find((d) => d.terminal.terminalId === session.plan.request.terminalId);
    checkCorrections(world, session, own);
    checkTips(world, session, own, ledger);
    if (!device || !isKnown(world, session, ledger)) continue;
    checkSources(world, session.payment, own, ledger);
    checkReplaced(world, session, own, device);
    if (!ledger.isCorrected(session.plan.sessionId)) checkMovements(world, session, own, { ledger, device });
  }
  await checkSettlements(world, platform, closed);
}

/** How long after its moment a day may still be open. */
const LATE_CLOSING = 2 * HOUR;

/** A settlement that was read as closed is the same at the end. The stored totals are the sums of the lines, and no day stays open that has
 * begun. */
async function checkSettlements(world: World, { ports }: Platform, closed: ClosedFiles): Promise<void> {
  for (const [name, file] of closed) {
    const [partnerId = "", date = ""] = name.split("~");
    if (toSettlementFile(await settlementAtEnd(world, ports, { partnerId, day: date })) !== file)
      world.violate("a closed settlement changed", name);
  }
  for (const key of await ports.retention.bookedDays("9999-12-31")) {
    const { isClosed, bookings, totals } = await settlementAtEnd(world, ports, key);
    const name = `${key.partnerId}~${key.day}`;
    if (JSON.stringify(totals) !== JSON.stringify(totalsOf(bookings)))
      world.violate("totals are not the sums of the lines", name);
    const hasBegun = bookings.length > 0 || (await ports.partnerDays.find(key)) !== undefined;
    if (hasBegun && !isClosed && closingOf(key.day, instantAt(world.end - LATE_CLOSING)) === "now")
      world.violate("a settlement is never closed", name);
  }
}

const settlementAtEnd = (world: World, ports: Platform["ports"], { partnerId, day }: PartnerDayKey) =>
  settlementOf(ports, { now: () => instantAt(world.end), caller: { partnerId, keyId: "end" } }, day);

/** Every booking of the world, except those whose changes a restore lost. */
async function bookingsIn({ lostTime }: World, { stores }: Platform): Promise<readonly Booking[]> {
  const found: Booking[] = [];
  for await (const row of stores.whole().terminals.rowsAfter()) {
    if (!row.rowKey.startsWith(BOOKING_PREFIX)) continue;
    const booking = fromRow(row, bookingRecord);
    const { terminalId, sessionId, sequence, number } = booking;
    if (!lostTime.bookings.has(`${terminalId} ${sessionId} ${sequence} ${number}`)) found.push(booking);
  }
  return found;
}

/** Whether every movement of its money is in the payment's record, and none was lost. */
function isKnown({ lostTime }: World, { plan, payment }: Session, ledger: CardLedger): boolean {
  const { sessionId } = plan;
  return (
    !lostTime.behind.has(sessionId) &&
    !ledger.isUnheard(sessionId) &&
    differencesOf(payment, ledger.chargesOf(sessionId)).length === 0
  );
}

/**
 * The terminal reported every movement, and all of them are booked. If the terminal reports money that an operator recorded, this reverses
 * the correction: then the sum of the corrections is zero. There are two exceptions: a charge in doubt, which is not booked before the
 * decision, and a movement that the terminal claimed.
 */
function isOfTerminal(
  world: World,
  { plan, payment }: Session,
  booked: readonly Booking[],
  ledger: CardLedger,
): boolean {
  const corrections = bySource(booked.filter(({ kind }) => kind === "correction"));
  const isInDoubt = payment?.charges.some(({ status }) => status === "inDoubt") ?? false;
  const isBooked = [...corrections.values()].every((sum) => sum === 0);
  return isBooked && !isInDoubt && !wasClaimed(world, plan.sessionId, ledger);
}

/** Whether its terminal reported a movement on a day on which it did not make it. */
export function wasClaimed(world: World, sessionId: string, { hiddenOf, moves }: CardLedger): boolean {
  const hidden = hiddenOf(sessionId);
  if (!hidden) return false;
  const { about, day } = hidden;
  return !moves.some((move) => (move.refundId ?? move.chargeId) === about && world.businessDay(move.at) === day);
}

const unbelieved: ReadonlySet<AlertKind> = new Set(["contradictingReport", "amountDiffers"]);

/**
 * The charges that were captured against the state of their payment, or by more than requested, and given back. The capture raised an
 * alert, or its report has never arrived. The books have neither the capture nor its reversal as the terminal's.
 */
export function givenBackUnbooked({ payment, history }: Session): ReadonlySet<string | undefined> {
  const named = history.flatMap(({ event, alerts = [] }) =>
    event === "captured" ? alerts.flatMap(({ kind, about }) => (unbelieved.has(kind) ? (about ?? []) : [])) : [],
  );
  const booked = history.flatMap(({ bookings = [] }) => bookings);
  const telling = payment?.captureMode === "automatic" ? ["captured", "authorized"] : ["captured"];
  const isHeard = (id: string) =>
    history.some(({ said }) => said !== undefined && telling.includes(said.type) && said.chargeId === id);
  const isBooked = (id: string) => booked.some(({ kind, chargeId }) => kind === "capture" && chargeId === id);
  const charges = payment?.charges ?? [];
  return new Set(
    charges.flatMap(({ chargeId, status }) =>
      (status === "voided" || status === "reversed") &&
      (named.includes(chargeId) || !isHeard(chargeId)) &&
      !isBooked(chargeId)
        ? [chargeId]
        : [],
    ),
  );
}

/** A day that a report names more than a week later is not trusted. The money is booked under the day on which the report arrived. */
export const isReportedLate = ({ plan, history }: Session, { moves }: CardLedger): boolean =>
  moves.some(
    (move) =>
      move.sessionId === plan.sessionId && history.some(({ by, at }) => by === "terminal" && msAt(at) - move.at > WEEK),
  );

const WEEK = 7 * DAY;

/** The charges whose capture contradicted their void before an operator's decision. */
const doubtedAndDecided = ({ history }: Session): readonly string[] =>
  history.flatMap(({ event, said, alerts = [] }, i) => {
    const isDoubted = event === "captured" && alerts.some(({ kind }) => kind === "contradictingReport");
    return isDoubted && history.slice(i).some(({ by }) => by === "operator") ? (said?.chargeId ?? []) : [];
  });

interface Moved {
  readonly kind: string;
  readonly chargeId?: string | undefined;
  readonly refundId?: string | undefined;
  readonly amount: number;
  readonly currency: string;
  readonly day: string;
}

/** The movements of one charge or refund on one day, as one. A report may confirm in two parts what an operator had recorded before. */
const summed = (moves: readonly Moved[]): readonly string[] =>
  [
    ...Map.groupBy(
      moves,
      ({ kind, chargeId, refundId, currency, day }) => `${kind} of ${refundId ?? chargeId} in ${currency}${day}`,
    ),
  ].map(([name, parts]) => `${name}: ${parts.reduce((sum, { amount }) => sum + amount, 0)}`);

function checkMovements(
  world: World,
  session: Session,
  booked: readonly Booking[],
  { ledger, device }: { readonly ledger: CardLedger; readonly device: TerminalDevice },
): void {
  if (!isOfTerminal(world, session, booked, ledger)) return;
  const { plan, payment } = session;
  // An operator's corrections of a charge may cancel out, and the terminal's movements of it may be booked in part. A charge that came into
  // doubt may be booked twice, each time with its reversal, because the terminal has reported both twice.
  const corrected = [
    ...booked.flatMap(({ kind, chargeId }) => (kind === "correction" ? (chargeId ?? []) : [])),
    ...doubtedAndDecided(session),
  ];
  const left = new Set([...givenBackUnbooked(session), ...corrected]);
  const on = (day: string) => (device.namesDays && !isReportedLate(session, ledger) ? ` on ${day}` : "");
  const onCards = summed(
    ledger.moves
      .filter(({ sessionId, chargeId }) => sessionId === plan.sessionId && !left.has(chargeId))
      .filter(({ chargeId }) => session.history.some(({ said }) => said?.chargeId === chargeId)) // a terminal may fall silent for ever
      .map(({ at, ...move }) => ({ ...move, day: on(world.businessDay(at)) })),
  );
  // A refund may be booked before its charge is known. Its correction then names the charge.
  const chargeOf = ({ chargeId, refundId }: Booking): string | undefined =>
    chargeId ?? (refundId && booked.find((one) => one.refundId === refundId && one.kind === "correction")?.chargeId);
  const ofTerminal = booked.filter((one) => one.kind !== "correction" && !corrected.includes(chargeOf(one) ?? ""));
  const inBooks = summed(ofTerminal.map(({ businessDay, ...booking }) => ({ ...booking, day: on(businessDay) })));
  if (JSON.stringify(onCards.toSorted()) !== JSON.stringify(inBooks.toSorted()))
    world.violate(
      "the books are not the movements of the cards",
      `${plan.sessionId} (${payment?.status}): ${inBooks.toSorted().join("; ")} — ${onCards.toSorted().join("; ")}`,
    );
}
