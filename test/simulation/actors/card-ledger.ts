import type { World } from "../world/world.ts";

/** What happened to the card of one session: money, in minor units. */
interface Card {
  readonly charged: number;
  captured: number;
  voided: boolean;
  readonly refunds: Map<string, number>;
}

/** An order of which no two sessions may charge a card: same merchant, same amount. */
export interface GuardedOrder {
  readonly key: string;
  /** Not even one after the other. */
  readonly strict: boolean;
}

/**
 * The truth about every card, which only the terminals know. What a card must never see is noticed at the moment it happens.
 */
export interface CardLedger {
  /** A terminal begins to ask for a card. */
  begin(sessionId: string): void;
  end(sessionId: string): void;
  charge(sessionId: string, amount: number, capturedAtOnce: boolean): void;
  capture(sessionId: string, amount: number): void;
  voidCharge(sessionId: string): void;
  refund(sessionId: string, refundId: string, amount: number): void;
  cardOf(sessionId: string): Readonly<Card> | undefined;
}

export function createCardLedger(world: World, orderOf: (sessionId: string) => GuardedOrder | undefined): CardLedger {
  const cards = new Map<string, Card>();
  const atReader = new Set<string>();
  const { violate } = world;

  /** Who else is about to charge, or has charged, for the same order. */
  function checkOrder(sessionId: string): void {
    const order = orderOf(sessionId);
    if (!order) return;
    const isRival = (other: string) => other !== sessionId && orderOf(other)?.key === order.key;
    if ([...atReader].some(isRival))
      violate("two sessions of one order at card readers", `${sessionId} of ${order.key}`);
    const stands = ([other, card]: [string, Card]) => isRival(other) && !isGivenBack(card);
    if (order.strict && [...cards].some(stands)) violate("a strict order charged twice", sessionId);
  }

  return {
    begin(sessionId) {
      checkOrder(sessionId);
      atReader.add(sessionId);
    },
    end: (sessionId) => void atReader.delete(sessionId),
    charge(sessionId, amount, capturedAtOnce) {
      if (cards.has(sessionId)) violate("one session charged twice", sessionId);
      cards.set(sessionId, {
        charged: amount,
        captured: capturedAtOnce ? amount : 0,
        voided: false,
        refunds: new Map(),
      });
    },
    capture(sessionId, amount) {
      const card = cards.get(sessionId);
      if (!card || card.voided) return violate("captured what was not charged", sessionId);
      if (card.captured > 0) violate("captured twice", sessionId);
      if (amount > card.charged) violate("captured more than was charged", sessionId);
      card.captured = amount;
    },
    voidCharge(sessionId) {
      const card = cards.get(sessionId);
      if (!card || card.voided) return violate("voided what was not charged", sessionId);
      card.voided = true;
    },
    refund(sessionId, refundId, amount) {
      const card = cards.get(sessionId);
      if (!card || card.voided) return violate("refunded what was not charged", sessionId);
      if (card.refunds.has(refundId)) violate("refunded twice", `${sessionId} ${refundId}`);
      card.refunds.set(refundId, amount);
      const total = refunded(card);
      if (total > card.captured)
        violate("refunded more than was captured", `${sessionId}: ${total} of ${card.captured}`);
    },
    cardOf: (sessionId) => cards.get(sessionId),
  };
}

/** Minor units that went back to the card. */
export const refunded = (card: Readonly<Card>): number =>
  [...card.refunds.values()].reduce((sum, refund) => sum + refund, 0);

const isGivenBack = (card: Card): boolean => card.voided || (card.captured > 0 && refunded(card) >= card.captured);
