import type { Payment } from "../../../shared/domain/payment/payment.ts";
import { toMajor } from "../actors/prices.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/**
 * What a partner was told, by answers and events, ends in what is true: each said how the payment stood at that change, the latest is how
 * it stands unless the partner itself changed it since and never got the answer, and says the amounts that are in the books.
 */
export function checkTold(world: World, { plan, payment, history, events }: Session): void {
  const { sessionId, known } = plan;
  const told = [...known.told, ...[...events.values()].map(({ sequence, data }) => ({ sequence, ...data }))];
  if (!payment) {
    if (told.length > 0) world.violate("told of a payment that is not there", sessionId);
    return;
  }
  for (const { sequence, status, amounts, refunds } of told) {
    const entry = history.find((h) => h.sequence === sequence);
    if (entry?.to !== status) world.violate("told what never was", `${sessionId} ${sequence}: ${status}`);
    if (amounts.requested !== toMajor(payment.amounts.requested, payment.currency))
      world.violate("told another amount", `${sessionId} ${sequence}: ${amounts.requested}`);
    const made = refunds.reduce((sum, r) => sum + (r.status === "succeeded" ? r.refundAmount : 0), 0);
    if (Math.abs(made - amounts.refunded) > 0.0001)
      world.violate("told another sum than that of the refunds", `${sessionId} ${sequence}: ${amounts.refunded}`);
  }
  const last = told.reduce<Told>(newer, { sequence: 0, status: "", amounts: undefined });
  const since = history.filter((h) => h.sequence > last.sequence);
  if (since.some((h) => h.from !== h.to && h.by !== "partner")) world.violate("never told how it ended", sessionId);
  if (since.length === 0 && !isOfBooks(payment, last.amounts)) world.violate("told other amounts at last", sessionId);
}

interface ToldAmounts {
  readonly captured: number;
  readonly refunded: number;
}
interface Told {
  readonly sequence: number;
  readonly status: string;
  readonly amounts: ToldAmounts | undefined;
}

const newer = (one: Told, other: Told): Told => (other.sequence > one.sequence ? other : one);

function isOfBooks({ amounts, refunds, currency }: Payment, told: ToldAmounts | undefined): boolean {
  const refunded = refunds.reduce((sum, r) => sum + (r.status === "succeeded" ? (r.made ?? r.amount) : 0), 0);
  return told?.captured === toMajor(amounts.captured, currency) && told.refunded === toMajor(refunded, currency);
}
