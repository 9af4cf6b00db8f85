import type { World } from "../world/world.ts";

/** The name of a charge: its session, and the identifier that its terminal gave it. */
export interface ChargeName {
  readonly sessionId: string;
  readonly chargeId: string | undefined;
}

/** One charge of a card, with its money in minor units of its currency. */
export interface CardCharge extends ChargeName {
  readonly chargeId: string;
  readonly amount: number;
  readonly currency: string;
  /** The part of it that the customer gave as tip. Undefined if the terminal took another amount than it should. */
  readonly tip: number | undefined;
  /** Caused by a flaw of its terminal, which no rule of the platform can prevent. */
  readonly isStray: boolean;
  /** The discounts that lowered its amount. */
  readonly discountIds: readonly string[];
  /** The captured amount. Before the capture the amount is held. */
  taken: number;
  /** Whether it was released or returned as a whole. */
  givenBack: boolean;
  readonly refunds: Map<string, number>;
  /**
   * The acquirer changed it for an operator, or its terminal changed it without a request. The acquirer may then refuse the terminal's
   * later actions on it.
   */
  isIrregular: boolean;
  /** The acquirer changed it for an operator. */
  isCorrected: boolean;
  /** An operator declared the payment unpaid, and left it to the platform to give the charge back. Its order is free from then on. */
  isLeft: boolean;
  /** The number of the last move of the charge, or of the last move that built upon it. Reversing a decision never undoes a later move. */
  lastMove: number;
}
export type NewCharge = Omit<CardCharge, "givenBack" | "refunds" | keyof typeof unchanged | "lastMove">;

/** A terminal's movement of money on a card, and its time. */
export interface CardMove extends ChargeName {
  readonly kind: "capture" | "refund" | "reversal";
  readonly refundId?: string;
  /** Minor units. */
  readonly amount: number;
  readonly currency: string;
  /** Milliseconds since the world began. */
  readonly at: number;
}

/** A charge or refund that a terminal misreports. Its day totals are correct. */
export interface Hidden {
  readonly of: "charge" | "refund";
  readonly about: string;
  readonly day: string;
}

/** An order for which no two sessions of the same merchant and amount may charge a card. */
export interface GuardedOrder {
  readonly key: string;
  readonly partnerId: string;
  /** Whether its partner confirmed that it may be a duplicate. */
  readonly isConfirmed: boolean;
  /** Whether a second session is forbidden even after the first one has ended. */
  readonly strict: boolean;
}

/** The true state of every card, which only the terminals know. A violation on a card is reported when it happens. */
export interface CardLedger {
  /** A terminal begins to wait for a card. */
  begin(sessionId: string): void;
  end(sessionId: string): void;
  /** The terminal has forgotten the session, and may repeat all of it. */
  forget(sessionId: string): void;
  isForgotten(sessionId: string): boolean;
  /** The terminal sent a report that the platform only stores for an operator. */
  misreport(sessionId: string): void;
  /** Whether the platform may lack an action of its terminal, because the terminal forgot or misreported it. */
  isUnheard(sessionId: string): boolean;
  charge(charge: NewCharge): void;
  capture(name: ChargeName, amount: number): void;
  voidCharge(name: ChargeName): void;
  /** The terminal received a capture or void that the acquirer had already made, and reports it as done. An operator cannot undo it. */
  agree(name: ChargeName): void;
  refund(name: ChargeName, refundId: string, amount: { readonly requested: number; readonly made: number }): void;
  /** The terminal reports that its move of the charge failed. The acquirer carries it out all the same. */
  contradict(name: ChargeName, refundId?: string): void;
  /** The terminal acts without a request. Returns whether the acquirer allowed it. */
  captureUnrequested(name: ChargeName): boolean;
  refundUnrequested(name: ChargeName, refundId: string, amount: number): boolean;
  voidUnrequested(name: ChargeName): boolean;
  /** The terminal misreports the outcome of the charge or refund, while its totals are correct. */
  hide(name: ChargeName, hidden: Omit<Hidden, "day">): void;
  /** The movement of the session that the terminal hid, if any. */
  hiddenOf(sessionId: string): Hidden | undefined;
  /** The acquirer changes a charge for an operator. */
  correct(name: ChargeName, to: Partial<Pick<CardCharge, "taken" | "givenBack">>): void;
  /** An operator leaves it to the platform to give the charge back. */
  leave(name: ChargeName): void;
  /** The acquirer changes a refund for an operator. Without an amount the refund is removed. */
  correctRefund(sessionId: string, refundId: string, amount: number | undefined): void;
  /**
   * Runs an operator's decision. Returns its result, and a function that undoes the acquirer's corrections for it. Charges that moved since
   * are left unchanged.
   */
  decide<T>(decision: () => T): readonly [T, takeBack: () => void];
  /** An operator resolved the session before its outcome was certain, so its order may be charged again. */
  misjudge(sessionId: string): void;
  isMisjudged(sessionId: string): boolean;
  /** An operator recorded more than the card has. Until that is corrected, the partner may refund too much. */
  overstate(sessionId: string): void;
  /** Whether its cards were changed without a request to its terminal, so that the acquirer may refuse the terminal's actions. */
  isMeddledWith(sessionId: string): boolean;
  /** Whether the acquirer moved money of its cards for an operator. */
  isCorrected(sessionId: string): boolean;
  /** The movements of captured money by terminals, in order. Changes by the acquirer for an operator are not included. */
  readonly moves: readonly CardMove[];
  /** All charges of a session in order. */
  chargesOf(sessionId: string): readonly Readonly<CardCharge>[];
  /** The refunds that terminals made without a request, or after they had reported a failure. */
  readonly unrequestedRefunds: ReadonlySet<string>;
  /** The sessions that began although another session of their order and partner had been charged. */
  readonly repeats: ReadonlySet<string>;
}

export function createCardLedger(world: World, orderOf: (sessionId: string) => GuardedOrder | undefined): CardLedger {
  const charges: CardCharge[] = [];
  const atReader = new Set<string>();
  const forgotten = new Set<string>();
  const misreported = new Set<string>();
  const misjudged = new Set<string>();
  const overstated = new Set<string>();
  const hidden = new Map<string, Hidden>();
  const unrequestedRefunds = new Set<string>();
  const repeats = new Set<string>();
  const cardMoves: CardMove[] = [];
  const note = (
    kind: CardMove["kind"],
    { sessionId, chargeId, currency }: NewCharge,
    amount: number,
    refundId?: string,
  ) =>
    cardMoves.push({
      kind,
      sessionId,
      chargeId,
      currency,
      amount,
      at: world.agenda.now(),
      ...(refundId && { refundId }),
    });
  const corrections: (() => void)[] = []; // those of the latest decision; each entry undoes itself
  let moves = 0;
  const { violate } = world;
  const find = (name: ChargeName) =>
    charges.find((c) => c.sessionId === name.sessionId && c.chargeId === name.chargeId && !c.givenBack);

  /** Whether a restore lost changes of the session. If the books lack a refund, its partner may be granted one too many. */
  const isBehind = ({ sessionId, refunds }: CardCharge): boolean =>
    world.lostTime.behind.has(sessionId) &&
    [...refunds.keys()].some((refundId) => world.lostTime.moves.has(`${sessionId} ${refundId}`));

  const isUnheard = (sessionId: string) => forgotten.has(sessionId) || misreported.has(sessionId);
  const isRequested = (c: NewCharge) => !c.isStray && !isUnheard(c.sessionId) && !misjudged.has(c.sessionId);
  const holdsOrder = (c: CardCharge) => isRequested(c) && !c.isLeft && keepsMoney(c);

  /** Whether the platform cannot know what the session's card does. */
  const isUnknown = (sessionId: string) =>
    misjudged.has(sessionId) || hidden.has(sessionId) || world.lostTime.sessions.has(sessionId);

  /** Finds other sessions of the same order that wait for a card, or have charged one. */
  function checkOrder(sessionId: string): void {
    const order = orderOf(sessionId);
    if (!order || order.isConfirmed || isUnknown(sessionId)) return;
    const isRival = (other: string) => {
      const of = orderOf(other);
      return other !== sessionId && of?.key === order.key && !of.isConfirmed && !isUnknown(other);
    };
    if ([...atReader].some(isRival))
      violate("two sessions of one order at card readers", `${sessionId} of ${order.key}`);
    const charged = charges.filter((c) => isRival(c.sessionId) && holdsOrder(c));
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
    misreport: (sessionId) => void misreported.add(sessionId),
    isUnheard,
    charge(charge) {
      const others = charges.filter((c) => c.sessionId === charge.sessionId);
      if (isRequested(charge) && others.some(isRequested)) violate("one session charged twice", charge.sessionId);
      if (charge.taken > 0) note("capture", charge, charge.taken);
      charges.push({ ...charge, givenBack: false, refunds: new Map(), ...unchanged, lastMove: ++moves });
    },
    capture(name, amount) {
      const charge = find(name);
      if (!charge) return violate("a capture without a charge", describe(name));
      if (charge.taken > 0) violate("captured twice", describe(name));
      if (amount > charge.amount) violate("captured more than the charge", describe(name));
      note("capture", charge, amount);
      Object.assign(charge, { taken: amount, lastMove: ++moves });
    },
    voidCharge(name) {
      const charge = find(name);
      if (!charge) return violate("a void without a charge", describe(name));
      if (charge.taken > 0) note("reversal", charge, charge.taken);
      Object.assign(charge, { givenBack: true, lastMove: ++moves });
    },
    agree({ sessionId, chargeId }) {
      const charge = charges.find((c) => c.sessionId === sessionId && c.chargeId === chargeId);
      if (charge) charge.lastMove = ++moves;
    },
    refund(name, refundId, { requested, made }) {
      const charge = find(name);
      if (!charge) return violate("a refund without a charge", describe(name));
      if (charge.refunds.has(refundId)) violate("refunded twice", `${describe(name)} ${refundId}`);
      note("refund", charge, made, refundId);
      charge.refunds.set(refundId, made);
      charge.lastMove = ++moves;
      charge.isIrregular ||= made > requested;
      if (kept(charge) < 0 && !isBehind(charge) && !overstated.has(charge.sessionId))
        violate(
          "refunded more than was captured",
          `${describe(name)}: ${charge.taken - kept(charge)} of ${charge.taken}`,
        );
    },
    contradict(name, refundId) {
      const charge = find(name);
      if (charge) charge.isIrregular = true;
      if (refundId !== undefined) unrequestedRefunds.add(refundId);
    },
    voidUnrequested(name) {
      const charge = find(name);
      if (!charge || charge.refunds.size > 0) return false;
      if (charge.taken > 0) note("reversal", charge, charge.taken);
      Object.assign(charge, { givenBack: true, isIrregular: true, lastMove: ++moves });
      return true;
    },
    captureUnrequested(name) {
      const charge = find(name);
      if (!charge || charge.taken > 0) return false;
      note("capture", charge, charge.amount);
      Object.assign(charge, { taken: charge.amount, isIrregular: true, lastMove: ++moves });
      return true;
    },
    refundUnrequested(name, refundId, amount) {
      const charge = find(name);
      if (!charge || kept(charge) < amount) return false;
      Object.assign(charge, { isIrregular: true, lastMove: ++moves });
      note("refund", charge, amount, refundId);
      charge.refunds.set(refundId, amount);
      unrequestedRefunds.add(refundId);
      return true;
    },
    hide(name, { of, about }) {
      hidden.set(name.sessionId, { of, about, day: world.businessDay() });
      const charge = charges.find((c) => c.sessionId === name.sessionId && c.chargeId === name.chargeId);
      if (charge) charge.isIrregular = true;
    },
    hiddenOf: (sessionId) => hidden.get(sessionId),
    correct({ sessionId, chargeId }, to) {
      const charge = charges.find((c) => c.sessionId === sessionId && c.chargeId === chargeId);
      const { taken = charge?.taken, givenBack = charge?.givenBack } = to;
      if (!charge || (charge.taken === taken && charge.givenBack === givenBack)) return;
      world.trace?.("acquirer", `corrects ${describe({ sessionId, chargeId })}: ${JSON.stringify(to)}`);
      const { lastMove } = charge;
      const before = { taken: charge.taken, givenBack: charge.givenBack, refunds: charge.refunds, lastMove };
      const own = ++moves;
      const movesMoney = charge.taken > 0 || (taken ?? 0) > 0;
      // A charge that the acquirer gives back as a whole has no further refunds, because the card gets its money once.
      const refunds = to.givenBack === true ? new Map<string, number>() : charge.refunds;
      Object.assign(charge, to, { refunds, isIrregular: true, lastMove: own });
      charge.isCorrected ||= movesMoney;
      corrections.push(() => void (charge.lastMove === own && Object.assign(charge, before)));
    },
    leave(name) {
      const charge = find(name);
      if (!charge) return;
      charge.isLeft = true;
      corrections.push(() => void (charge.isLeft = false));
    },
    correctRefund(sessionId, refundId, amount) {
      const own = charges.filter((c) => c.sessionId === sessionId);
      const charge = own.find((c) => c.refunds.has(refundId)) ?? own.find((c) => c.taken > 0 && !c.givenBack);
      if (!charge || charge.refunds.get(refundId) === amount) return;
      world.trace?.("acquirer", `corrects ${sessionId} ${refundId}: ${amount}`);
      const [before, { lastMove }, mine] = [charge.refunds.get(refundId), charge, ++moves];
      setRefund(charge, refundId, amount);
      Object.assign(charge, { isIrregular: true, isCorrected: true, lastMove: mine });
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
    overstate: (sessionId) => void overstated.add(sessionId),
    isMeddledWith: (sessionId) =>
      misjudged.has(sessionId) || charges.some((c) => c.sessionId === sessionId && c.isIrregular),
    isCorrected: (sessionId) => charges.some((c) => c.sessionId === sessionId && c.isCorrected),
    moves: cardMoves,
    chargesOf: (sessionId) => charges.filter((c) => c.sessionId === sessionId),
    unrequestedRefunds,
    repeats,
  };
}

const unchanged = { isIrregular: false, isCorrected: false, isLeft: false };

function setRefund({ refunds }: CardCharge, refundId: string, amount: number | undefined): void {
  if (amount === undefined) refunds.delete(refundId);
  else refunds.set(refundId, amount);
}

const describe = ({ sessionId, chargeId }: ChargeName): string => `${sessionId} ${chargeId ?? "without a name"}`;

/** The captured minor units that were not given back. */
export const kept = ({ taken, givenBack, refunds }: Readonly<CardCharge>): number =>
  givenBack ? 0 : [...refunds.values()].reduce((left, refund) => left - refund, taken);

/** Whether the charge holds the customer's money, or the merchant keeps a part of it. */
const keepsMoney = (charge: CardCharge): boolean => !charge.givenBack && (charge.taken === 0 || kept(charge) > 0);
