import { balanceOf, type Booking } from "../../../shared/domain/booking.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import { paidUnknown } from "../actors/differences.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

const UNKNOWN = "unknown charge";
const sourceOf = ({ chargeId, refundId }: Pick<Booking, "chargeId" | "refundId">): string =>
  refundId ?? chargeId ?? UNKNOWN;

/** The merchant's money by bookings, for each charge or refund. Minor units. */
export const bySource = (bookings: readonly Booking[]): ReadonlyMap<string, number> =>
  new Map([...Map.groupBy(bookings, sourceOf)].map(([source, own]) => [source, balanceOf(own)]));

/** The bookings of each charge and refund add up to its money on the card. */
export function checkSources(world: World, payment: Payment, booked: readonly Booking[], ledger: CardLedger): void {
  const cards = ledger.chargesOf(payment.sessionId);
  const unknown = paidUnknown(payment, cards)?.card;
  const due = new Map<string, number>();
  for (const card of cards) {
    due.set(card === unknown ? UNKNOWN : card.chargeId, card.givenBack ? 0 : card.taken);
    for (const [refundId, amount] of card.refunds) due.set(refundId, -amount);
  }
  const found = bySource(booked);
  for (const source of new Set([...due.keys(), ...found.keys()]))
    if ((found.get(source) ?? 0) !== (due.get(source) ?? 0))
      world.violate(
        "the bookings of a charge or refund are not what its card has",
        `${payment.sessionId} ${source}: ${found.get(source) ?? 0} and ${due.get(source) ?? 0}`,
      );
}

/** An effective correction counts on a day if an operator named that day, and on no other day. */
export function checkCorrections(world: World, { plan, history }: Session, booked: readonly Booking[]): void {
  const named = history.flatMap(({ by, businessDay }) => (by === "operator" && businessDay ? [businessDay] : []));
  const corrections = booked.filter(({ kind }) => kind === "correction");
  for (const { counted, businessDay } of corrections)
    if (counted && !named.includes(businessDay))
      world.violate("a correction counts on a day that no operator named", `${plan.sessionId} ${businessDay}`);
  for (const { by, businessDay, sequence } of history) {
    const own = corrections.filter((booking) => booking.sequence === sequence);
    const standing = bySource(corrections.filter((booking) => booking.sequence <= sequence));
    const stands = own.some((booking) => standing.get(sourceOf(booking)) !== 0);
    if (by === "operator" && businessDay && stands && !own.some(({ counted }) => counted))
      world.violate("a correction does not count on the day that an operator named", `${plan.sessionId} ${sequence}`);
  }
}

/** Once the terminal reports the money that an operator recorded, it is booked as the terminal's own. */
export function checkReplaced(
  world: World,
  { plan, history }: Session,
  booked: readonly Booking[],
  { reports }: TerminalDevice,
): void {
  const corrections = booked.filter(({ kind }) => kind === "correction");
  const whole = bySource(booked);
  for (const [source, sum] of bySource(corrections)) {
    const last = Math.max(...corrections.filter((one) => sourceOf(one) === source).map(({ sequence }) => sequence));
    const later = history.filter(({ sequence, by }) => by === "terminal" && sequence > last);
    const isReported = later.some(({ reportId = "" }) => {
      const { type, chargeId, refundId, amount, currency } = reports.get(reportId) ?? {};
      const of = type === "refunded" ? refundId : type === "captured" ? chargeId : undefined;
      return (
        (of === source || (source === UNKNOWN && type === "captured")) &&
        amount === Math.abs(whole.get(source) ?? 0) &&
        currency === plan.request.currency
      );
    });
    if (sum !== 0 && isReported)
      world.violate("an operator's correction stands beside the terminal's report", `${plan.sessionId} ${source}`);
  }
}
