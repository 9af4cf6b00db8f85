import type { Day } from "../../time.ts";
import type { Actor } from "./events.ts";
import { amountHeld, capturedTip, ownCaptured } from "./kept-money.ts";
import type { Correction } from "./correction.ts";
import type { Charge } from "./charge.ts";
import type { Payment, Refund } from "./payment.ts";
import { tipIn } from "./tip.ts";

// A payment's money by its source: a charge, the payment's own money without a known charge, or a refund. The terminal reported a part of
// each source. The rest stands as an operator's correction.

/** An amount in minor units, and the part of it that is tip. Both are below zero if the money leaves the merchant. */
export interface Part {
  readonly amount: number;
  readonly tip: number;
}

export const less = (one: Part, other: Part | undefined): Part => ({
  amount: one.amount - (other?.amount ?? 0),
  tip: one.tip - (other?.tip ?? 0),
});

/** Money of one source. */
export interface HeldMoney {
  readonly of: "charge" | "unknown charge" | "refund";
  /** Unique within the payment. */
  readonly name: string;
  readonly chargeId: string | undefined;
  readonly refund?: Refund;
  readonly currency: string;
  /** The merchant's money from this source, in minor units. It is zero or below for a refund. */
  readonly held: number;
  /** The part of it that is tip. */
  readonly tip: number;
  readonly correction?: Correction | undefined;
  /** The captured amount of a charge in doubt, or without a request, in minor units. It is booked on this day when an operator or the terminal ends that. */
  readonly doubted?: (Part & { readonly businessDay: Day }) | undefined;
}

const UNKNOWN = "unknown charge";

/** All money of a payment, by its source. */
export function heldMoney(payment: Payment): readonly HeldMoney[] {
  const ofCharges = payment.charges.map((charge): HeldMoney => {
    const { chargeId, currency, correction } = charge;
    const held = amountHeld(payment, charge);
    const tip = tipIn(charge, held);
    return { of: "charge", name: chargeId, chargeId, currency, held, tip, correction, doubted: doubtedOf(charge) };
  });
  const isKnown = payment.charges.some(({ status }) => status === "captured");
  const { currency, correction } = payment;
  const unknown: HeldMoney = {
    of: UNKNOWN,
    name: UNKNOWN,
    chargeId: undefined,
    currency,
    held: ownCaptured(payment),
    tip: capturedTip(payment, undefined),
    correction,
  };
  const ofRefunds = payment.refunds.map((refund): HeldMoney => {
    const chargeId = refundedCharge(payment, refund);
    return {
      of: "refund",
      name: refund.commandId,
      chargeId,
      refund,
      currency,
      held: -given(refund),
      tip: refund.status === "succeeded" ? -(refund.tip ?? 0) : 0,
      correction: refund.correction,
    };
  });
  return [...ofCharges, ...(isKnown ? [] : [unknown]), ...ofRefunds];
}

function doubtedOf(charge: Charge): HeldMoney["doubted"] {
  const { status, captured, capturedOn } = charge;
  const isDoubted = status === "inDoubt" || status === "authorized";
  return isDoubted && captured !== undefined && capturedOn !== undefined
    ? { amount: captured, tip: tipIn(charge, captured), businessDay: capturedOn }
    : undefined;
}

/** The money of a charge whose doubt a change ended. */
export const undoubted = (was: HeldMoney, is: HeldMoney): HeldMoney["doubted"] =>
  is.doubted ? undefined : was.doubted;

const given = ({ status, made, amount }: Refund): number => (status === "succeeded" ? (made ?? amount) : 0);

/** A refund of the payment's own money belongs to its captured charge. */
const refundedCharge = ({ charges }: Payment, { chargeId }: Refund): string | undefined =>
  chargeId ?? charges.find(({ status }) => status === "captured")?.chargeId;

/** The part that the terminal reported. */
export const reportedPart = ({ held, tip, correction }: Pick<HeldMoney, "held" | "tip" | "correction">): Part =>
  less({ amount: held, tip }, correction && { amount: correction.amount, tip: correction.tip ?? 0 });

/** The source without money, for a payment that does not have it. */
export const gone = (money: HeldMoney): HeldMoney => ({
  ...money,
  held: 0,
  tip: 0,
  correction: undefined,
  doubted: undefined,
});

/**
 * The payment after a change, with its remaining corrections. Money that an operator moved is a correction on top of what the terminal
 * reported. If a charge was in doubt, the terminal has reported its capture. Money that the terminal moved is the terminal's own, so an
 * earlier correction of it is removed.
 */
export function withCorrections(
  before: Payment,
  after: Payment,
  { by, businessDay }: { readonly by: Actor; readonly businessDay?: Day | undefined },
): Payment {
  if (by !== "operator" && by !== "terminal") return after;
  const was = new Map(heldMoney(before).map((money) => [money.name, money]));
  const is = new Map(
    heldMoney(after).map((money) => {
      const earlier = was.get(money.name) ?? gone(money);
      const reported = undoubted(earlier, money);
      const isMoved = money.held !== earlier.held || money.tip !== earlier.tip || reported !== undefined;
      if (!isMoved) return [money.name, money.correction];
      if (by === "terminal")
        return [money.name, money.correction === earlier.correction ? undefined : money.correction];
      const { amount, tip } = less(less({ amount: money.held, tip: money.tip }, reportedPart(earlier)), reported);
      return [money.name, amount === 0 && tip === 0 ? undefined : { amount, tip: tip || undefined, businessDay }];
    }),
  );
  const corrected = <Subject extends Pick<HeldMoney, "correction">>(subject: Subject, name: string): Subject =>
    is.get(name) === subject.correction ? subject : { ...subject, correction: is.get(name) };
  return {
    ...corrected(after, UNKNOWN),
    charges: after.charges.map((charge) => corrected(charge, charge.chargeId)),
    refunds: after.refunds.map((refund) => corrected(refund, refund.commandId)),
  };
}
