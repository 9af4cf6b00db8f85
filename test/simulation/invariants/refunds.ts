import type { Payment, Refund } from "../../../shared/domain/payment/record/payment.ts";
import type { CardLedger } from "../actors/card-ledger.ts";
import { isOwnName, type RefundAsk } from "../actors/refund-names.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** A refund that was requested under one name is made once, with the requested content. */
export function checkRefunds(world: World, { plan, payment }: Session, ledger: CardLedger): void {
  const asks = plan.known.refunds;
  for (const name of new Set(asks.flatMap((ask) => ask.names))) {
    if (namedBy(payment, name).length > 1) world.violate("two refunds have one name", `${plan.sessionId} ${name}`);
  }
  for (const ask of asks) {
    if (ask.isAccepted && !isInBooks(payment, ask))
      world.violate("an accepted refund is missing", `${plan.sessionId} ${ask.names.join(" and ")}`);
  }
  // A refund that was reported as failed may be requested again without a name.
  const hidden = ledger.hiddenOf(plan.sessionId)?.about;
  const outside = payment?.refunds.flatMap((one) => (one.outsideReference === undefined ? [] : [one.refundId])) ?? [];
  const isAsked = (id: string) => !ledger.unrequestedRefunds.has(id) && id !== hidden && !outside.includes(id);
  const made = refundsOnCards(ledger, plan.sessionId).filter(([id]) => isAsked(id)).length;
  // If a restore lost a refund, its name is free. A request with other content under that name is another refund.
  const isBehind = world.lostTime.behind.has(plan.sessionId);
  const apart = isBehind ? [...Map.groupBy(asks, ({ amount, reason }) => `${amount} ${reason}`).values()] : [asks];
  const most = apart.reduce((sum, alike) => sum + mostRefunds(alike), 0);
  if (made > most) world.violate("a refund was made twice", `${plan.sessionId}: ${made} of ${most}`);
}

const refundsOnCards = (ledger: CardLedger, sessionId: string): readonly (readonly [string, number])[] =>
  ledger.chargesOf(sessionId).flatMap(({ refunds }) => [...refunds]);

const namedBy = (payment: Payment | undefined, name: string): readonly Refund[] =>
  (payment?.refunds ?? []).filter((r) => r.refundId === name || r.names.includes(name));

const isInBooks = (payment: Payment | undefined, { names, amount, reason }: RefundAsk): boolean => {
  const isSame = (r: Refund) => r.amount === amount && r.reason === reason;
  if (names.length === 0) return payment?.refunds.some(isSame) ?? false;
  return names.every((name) => namedBy(payment, name).some(isSame));
};

/**
 * The largest possible number of refunds: one for each name, and one for each amount without a name. Names of one accepted request count
 * once.
 */
function mostRefunds(asks: readonly RefundAsk[]): number {
  let refunds: ReadonlySet<string>[] = [];
  for (const { names, isAccepted } of asks) {
    for (const together of isAccepted ? [names] : names.map((name) => [name])) {
      const isMet = (refund: ReadonlySet<string>) => together.some((name) => refund.has(name));
      const met = refunds.filter(isMet);
      refunds = [...refunds.filter((refund) => !isMet(refund)), new Set([together, ...met].flatMap((r) => [...r]))];
    }
  }
  const unnamed = new Set(asks.filter((ask) => ask.names.length === 0).map((ask) => ask.amount));
  return refunds.filter((names) => [...names].some(isOwnName)).length + unnamed.size;
}
