import type { Booking } from "../../../shared/domain/booking.ts";
import { ownCaptured } from "../../../shared/domain/payment/record/kept-money.ts";
import { wantedCharge } from "../../../shared/domain/payment/record/charge.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import { canAsk, MAXIMUM_PERCENT, percentageOf } from "../actors/tips.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * Tips are a part of the money. A tip was asked for, and is at most its maximum. It is what the customer gave. Captures take the sale first,
 * and refunds give it back first. An operator or a restore may have changed more than the terminal reported.
 */
export function checkTips(
  world: World,
  { plan, payment, history }: Session,
  booked: readonly Booking[],
  ledger: CardLedger,
): void {
  for (const { amount, tip = 1 } of booked)
    if (tip < 1 || tip > amount)
      world.violate("a tip is no part of its booking", `${plan.sessionId}: ${tip} of ${amount}`);
  const isOfTerminal = !history.some(({ by, event }) => by === "operator" || event === "restored");
  if (!payment || !isOfTerminal || world.lostTime.sessions.has(plan.sessionId)) return;
  const own = wantedCharge(payment);
  const { sessionId } = plan;
  const { requested, discounted } = payment.amounts;
  const most = maximumTipOf(world, plan, requested - discounted);
  const tip = own?.tip ?? 0;
  if (tip > most) world.violate("a tip above what was asked for", `${sessionId}: ${tip} of ${most}`);
  const given = ledger.chargesOf(sessionId).find(({ chargeId }) => chargeId === own?.chargeId)?.tip ?? tip;
  if (given !== tip) world.violate("a tip that the customer did not give", `${sessionId}: ${tip}, not ${given}`);
  if (own?.status === "captured") checkParts(world, booked, { ...own, tip }, ownCaptured(payment));
}

/** The most that the terminal may take as a tip in addition to an amount to pay, in minor units. */
export const maximumTipOf = (world: World, { request }: Session["plan"], payable: number): number =>
  request.tip !== undefined && canAsk(world, request.terminalId) ? percentageOf(payable, MAXIMUM_PERCENT) : 0;

interface Tipped {
  readonly chargeId: string;
  readonly amount: number;
  readonly tip: number;
}

/** The bookings of a captured charge have the tips of its parts. */
function checkParts(
  world: World,
  booked: readonly Booking[],
  { chargeId, amount, tip }: Tipped,
  captured: number,
): void {
  const own = booked.filter((booking) => booking.chargeId === chargeId);
  const sumOf = (kind: Booking["kind"], of: (booking: Booking) => number) =>
    own.reduce((sum, booking) => sum + (booking.kind === kind ? of(booking) : 0), 0);
  const inCapture = Math.max(0, captured - (amount - tip));
  const inRefunds = Math.max(0, sumOf("refund", (one) => one.amount) - (captured - inCapture));
  for (const [kind, due] of [["capture", inCapture] as const, ["refund", inRefunds] as const]) {
    const found = sumOf(kind, (one) => one.tip ?? 0);
    if (found !== due) world.violate(`a ${kind} has a wrong tip`, `${chargeId}: ${found}, not ${due}`);
  }
}
