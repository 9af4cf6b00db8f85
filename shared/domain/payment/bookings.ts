import { businessDayOf, type Booking, type BookingDirection, type BookingKind } from "../booking.ts";
import type { Actor, Change } from "./advance.ts";
import { amountHeld, ownCaptured } from "./kept-money.ts";
import type { Payment, Refund } from "./payment.ts";

/** Money of a payment that is with the merchant: of a charge, or of none where an operator resolved it as paid by an unknown one. */
interface Held {
  readonly chargeId: string | undefined;
  /** Minor units, zero or more. */
  readonly amount: number;
  readonly currency: string;
}

/** All money of a payment's charges that is with the merchant, before its refunds. */
function heldBy(payment: Payment): readonly Held[] {
  const ofCharges = payment.charges.map((charge): Held => {
    const { chargeId, currency } = charge;
    return { chargeId, currency, amount: amountHeld(payment, charge) };
  });
  const isKnown = payment.charges.some(({ status }) => status === "captured");
  const { currency } = payment;
  return isKnown ? ofCharges : [...ofCharges, { chargeId: undefined, currency, amount: ownCaptured(payment) }];
}

const given = ({ status, made, amount }: Refund): number => (status === "succeeded" ? (made ?? amount) : 0);

/** A movement of money between two versions of a payment. The amount is in minor units: above zero to the merchant, below zero from it. */
interface Movement extends Held {
  readonly of: "charge" | "unknown charge" | "refund";
  readonly refund?: Refund | undefined;
}

/**
 * What a movement is booked as. Each direction of each source has one kind; of what an operator decides every one is a correction, and so is
 * money without a charge, which only an operator books, and the report of its charge takes out again.
 */
const kinds: Readonly<Record<Movement["of"], Readonly<Record<BookingDirection, BookingKind>>>> = {
  charge: { credit: "capture", debit: "reversal" },
  "unknown charge": { credit: "correction", debit: "correction" },
  refund: { credit: "correction", debit: "refund" },
};

const kindOf = ({ of }: Movement, direction: BookingDirection, by: Actor): BookingKind =>
  by === "operator" ? "correction" : kinds[of][direction];

function movements(before: Payment, after: Payment): readonly Movement[] {
  const was = heldBy(before);
  const is = heldBy(after);
  const gone = was.filter(({ chargeId }) => !is.some((one) => one.chargeId === chargeId));
  const ofCharges = [...is, ...gone.map((one) => ({ ...one, amount: 0 }))].map((one): Movement => {
    const { amount = 0 } = was.find(({ chargeId }) => chargeId === one.chargeId) ?? {};
    const of = one.chargeId === undefined ? "unknown charge" : "charge";
    return { ...one, of, amount: one.amount - amount };
  });
  const ofRefunds = after.refunds.map((refund): Movement => {
    const earlier = before.refunds.find(({ commandId }) => commandId === refund.commandId);
    const { currency } = after;
    return {
      of: "refund",
      refund,
      chargeId: refundedCharge(after, refund),
      currency,
      amount: refundMoved(earlier, refund),
    };
  });
  return [...ofCharges, ...ofRefunds].filter(({ amount }) => amount !== 0);
}

const refundMoved = (before: Refund | undefined, after: Refund): number => (before ? given(before) : 0) - given(after);

/** A refund of the payment's own money is of its captured charge. */
const refundedCharge = ({ charges }: Payment, { chargeId }: Refund): string | undefined =>
  chargeId ?? charges.find(({ status }) => status === "captured")?.chargeId;

/**
 * The bookings of a change: what it moved between the payment as it was and as it is, whatever event caused it. Added up, the bookings of a
 * payment are what its record says that the merchant has.
 */
export function bookingsOf(
  before: Payment,
  { payment, entry: { by, businessDay, at, sequence } }: Change,
): readonly Booking[] {
  const { partnerId, terminalId, merchantId, sessionId, references } = payment;
  return movements(before, payment).map((movement, i): Booking => {
    const { amount, currency, chargeId, refund } = movement;
    const direction = amount > 0 ? "credit" : "debit";
    return {
      partnerId,
      terminalId,
      merchantId,
      sessionId,
      asReceived: { ...payment.asReceived, refundId: refund?.idAsReceived },
      sequence,
      number: i + 1,
      businessDay: businessDayOf(businessDay, at),
      kind: kindOf(movement, direction, by),
      direction,
      amount: Math.abs(amount),
      currency,
      chargeId,
      refundId: refund?.refundId,
      orderId: references?.orderId,
      paymentId: references?.paymentId,
      at,
    };
  });
}
