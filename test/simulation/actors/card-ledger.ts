import type { World } from "../world/world.ts";

/** What names a charge: its session, and the identifier that its terminal gave it. */
export interface ChargeName {
  readonly sessionId: string;
  readonly chargeId: string | undefined;
}

/** What happened to a card by one charge: money, in minor units of its currency. */
export interface CardCharge extends ChargeName {
  readonly chargeId: string;
  readonly amount: number;
  readonly currency: string;
  /** Made by a flaw of its terminal, which no rule of the platform can prevent. */
  readonly isStray: boolean;
  /** Captured. Until then the amount is held. */
  taken: number;
  /** Released, or returned as a whole. */
  givenBack: boolean;
  readonly refunds: Map<string, number>;
  /** The acquirer changed it at an operator's word, or its terminal unasked: what the terminal tries with it afterwards may be refused. */
  isIrregular: boolean;
  /** Which move was the last that was made of it, or built upon: a later one never undoes it. */
  lastMove: number;
}
export type NewCharge = Omit<CardCharge, "givenBack" | "refunds" | "isIrregular" | "lastMove">;

/** An order of which no two sessions may charge a card: same merchant, same amount. */
export interface GuardedOrder {
  readonly key: string;
  readonly partnerId: string;
  /** Its partner wants it let in beside any other. */
  readonly isConfirmed: boolean;
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
  /** Its terminal no longer knows of the session, and may do all of it again. */
  forget(sessionId: string): void;
  isForgotten(sessionId: string): boolean;
  charge(charge: NewCharge): void;
  capture(name: ChargeName, amount: number): void;
  voidCharge(name: ChargeName): void;
  /** Its terminal was asked to void what the acquirer has given back already, and says that it did. */
  agreeToGivenBack(name: ChargeName): void;
  refund(name: ChargeName, refundId: string, amount: { readonly asked: number; readonly made: number }): void;
  /** Its terminal does what nobody asked it to; says whether the acquirer let it. */
  captureUnasked(name: ChargeName): boolean;
  refundUnasked(name: ChargeName, refundId: string, amount: number): boolean;
  /** The acquirer makes a charge what an operator asks for. */
  correct(name: ChargeName, to: Partial<Pick<CardCharge, "taken" | "givenBack">>): void;
  /** The acquirer makes a refund what an operator asks for; without an amount it is none. */
  correctRefund(sessionId: string, refundId: string, amount: number | undefined): void;
  /** What an operator decides, and what takes back all that the acquirer corrects for it, but where more has happened to a charge since. */
  decide<T>(decision: () => T): readonly [T, takeBack: () => void];
  /** An operator said how the session ended before it was certain: its order may be charged again. */
  misjudge(sessionId: string): void;
  isMisjudged(sessionId: string): boolean;
  /** Not all that happened to its cards was asked of its terminal: then the acquirer may refuse what the terminal tries. */
  isMeddledWith(sessionId: string): boolean;
  /** All charges of a session, the first one first. */
  chargesOf(sessionId: string): readonly Readonly<CardCharge>[];
  /** The refunds that terminals made unasked. */
  readonly unaskedRefunds: ReadonlySet<string>;
  /** The sessions that began although another of their order, and of their partner's, had been charged. */
  readonly repeats: ReadonlySet<string>;
}

export function createCardLedger(world: World, orderOf: (sessionId: string) => GuardedOrder | undefined): CardLedger {
  const charges: CardCharge[] = [];
  const atReader = new Set<string>();
  const forgotten = new Set<string>();
  const misjudged = new Set<string>();
  const unaskedRefunds = new Set<string>();
  const repeats = new Set<string>();
  const corrections: (() => void)[] = []; // of the latest decision: each takes itself back
  let moves = 0;
  const { violate } = world;
  const find = (name: ChargeName) =>
    charges.find((c) => c.sessionId === name.sessionId && c.chargeId === name.chargeId && !c.givenBack);

  const isAskedFor = (c: NewCharge) => !c.isStray && !forgotten.has(c.sessionId) && !misjudged.has(c.sessionId);

  /** Who else is about to charge, or has charged, for the same order. */
  function checkOrder(sessionId: string): void {
    const order = orderOf(sessionId);
    if (!order || order.isConfirmed) return;
    const isRival = (other: string) => {
      const of = orderOf(other);
      return other !== sessionId && of?.key === order.key && !of.isConfirmed && !misjudged.has(other);
    };
    if ([...atReader].some(isRival))
      violate("two sessions of one order at card readers", `${sessionId} of ${order.key}`);
    const charged = charges.filter((c) => isRival(c.sessionId) && isAskedFor(c) && keepsMoney(c));
    if (charged.some((c) => orderOf(c.sessionId)?.partnerId === order.partnerId)) repeats.add(sessionId);
    if (charged.length > 0 && order.strict) violate("a strict order charged twice", sessionId);
  }

  return {
    begin(sessionId) {
      checkOrder(sessionId);
      atReader.add(sessionId);
    },
    end: (sessionId) => void atReader.delete(sessionId),
    forget(sessionId) {
      forgotten.add(sessionId);
      atReader.delete(sessionId);
    },
    isForgotten: (sessionId) => forgotten.has(sessionId),
    charge(charge) {
      const others = charges.filter((c) => c.sessionId === charge.sessionId);
      if (isAskedFor(charge) && others.some(isAskedFor)) violate("one session charged twice", charge.sessionId);
      charges.push({ ...charge, givenBack: false, refunds: new Map(), isIrregular: false, lastMove: ++moves });
    },
    capture(name, amount) {
      const charge = find(name);
      if (!charge) return violate("captured what was not charged", told(name));
      if (charge.taken > 0) violate("captured twice", told(name));
      if (amount > charge.amount) violate("captured more than was charged", told(name));
      Object.assign(charge, { taken: amount, lastMove: ++moves });
    },
    voidCharge(name) {
      const charge = find(name);
      if (!charge) return violate("voided what was not charged", told(name));
      Object.assign(charge, { givenBack: true, lastMove: ++moves });
    },
    agreeToGivenBack({ sessionId, chargeId }) {
      const charge = charges.find((c) => c.sessionId === sessionId && c.chargeId === chargeId);
      if (charge) charge.lastMove = ++moves;
    },
    refund(name, refundId, { asked, made }) {
      const charge = find(name);
      if (!charge) return violate("refunded what was not charged", told(name));
      if (charge.refunds.has(refundId)) violate("refunded twice", `${told(name)} ${refundId}`);
      charge.refunds.set(refundId, made);
      charge.lastMove = ++moves;
      charge.isIrregular ||= made > asked;
      if (kept(charge) < 0)
        violate("refunded more than was captured", `${told(name)}: ${charge.taken - kept(charge)} of ${charge.taken}`);
    },
    captureUnasked(name) {
      const charge = find(name);
      if (!charge || charge.taken > 0) return false;
      Object.assign(charge, { taken: charge.amount, isIrregular: true, lastMove: ++moves });
      return true;
    },
    refundUnasked(name, refundId, amount) {
      const charge = find(name);
      if (!charge || kept(charge) < amount) return false;
      Object.assign(charge, { isIrregular: true, lastMove: ++moves });
      charge.refunds.set(refundId, amount);
      unaskedRefunds.add(refundId);
      return true;
    },
    correct({ sessionId, chargeId }, to) {
      const charge = charges.find((c) => c.sessionId === sessionId && c.chargeId === chargeId);
      const { taken = charge?.taken, givenBack = charge?.givenBack } = to;
      if (!charge || (charge.taken === taken && charge.givenBack === givenBack)) return;
      world.trace?.("acquirer", `corrects ${told({ sessionId, chargeId })}: ${JSON.stringify(to)}`);
      const { lastMove } = charge;
      const before = { taken: charge.taken, givenBack: charge.givenBack, lastMove };
      const own = ++moves;
      Object.assign(charge, to, { isIrregular: true, lastMove: own });
      corrections.push(() => void (charge.lastMove === own && Object.assign(charge, before)));
    },
    correctRefund(sessionId, refundId, amount) {
      const own = charges.filter((c) => c.sessionId === sessionId);
      const charge = own.find((c) => c.refunds.has(refundId)) ?? own.find((c) => c.taken > 0 && !c.givenBack);
      if (!charge || charge.refunds.get(refundId) === amount) return;
      world.trace?.("acquirer", `corrects ${sessionId} ${refundId}: ${amount}`);
      const [before, { lastMove }, mine] = [charge.refunds.get(refundId), charge, ++moves];
      setRefund(charge, refundId, amount);
      Object.assign(charge, { isIrregular: true, lastMove: mine });
      corrections.push(() => {
        if (charge.lastMove !== mine) return;
        setRefund(charge, refundId, before);
        charge.lastMove = lastMove;
      });
    },
    decide(decision) {
      corrections.length = 0;
      const decided = decision();
      const made = corrections.toReversed();
      return [decided, () => made.forEach((takeBack) => takeBack())];
    },
    misjudge: (sessionId) => void misjudged.add(sessionId),
    isMisjudged: (sessionId) => misjudged.has(sessionId),
    isMeddledWith: (sessionId) =>
      misjudged.has(sessionId) || charges.some((c) => c.sessionId === sessionId && c.isIrregular),
    chargesOf: (sessionId) => charges.filter((c) => c.sessionId === sessionId),
    unaskedRefunds,
    repeats,
  };
}

function setRefund({ refunds }: CardCharge, refundId: string, amount: number | undefined): void {
  if (amount === undefined) refunds.delete(refundId);
  else refunds.set(refundId, amount);
}

const told = ({ sessionId, chargeId }: ChargeName): string => `${sessionId} ${chargeId ?? "without a name"}`;

/** Minor units that were taken from the card and did not go back. */
export const kept = ({ taken, givenBack, refunds }: Readonly<CardCharge>): number =>
  givenBack ? 0 : [...refunds.values()].reduce((left, refund) => left - refund, taken);

/** It holds the customer's money, or keeps some. */
const keepsMoney = (charge: CardCharge): boolean => !charge.givenBack && (charge.taken === 0 || kept(charge) > 0);
