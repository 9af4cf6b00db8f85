import {
  businessDayOf,
  type Booking,
  type BookingDirection,
  type BookingEvidence,
  type BookingKind,
} from "../../booking.ts";
import type { Change } from "./advance.ts";
import type { AcquirerDetails, CardDetails, Evidence } from "../record/card.ts";
import type { Charge } from "../record/charge.ts";
import { gone, heldMoney, less, reportedPart, undoubted, type HeldMoney, type Part } from "../record/held-money.ts";
import type { Correction } from "../record/correction.ts";
import type { Payment } from "../record/payment.ts";

/**
 * A movement of money between two versions of a payment. Amounts are in minor units. Positive amounts go to the merchant, negative ones
 * from it.
 */
interface Movement extends Part, Pick<Booking, "kind" | "counted">, Partial<Pick<Booking, "businessDay">> {
  readonly money: HeldMoney;
  /** The correction that this movement makes or undoes. */
  readonly correction?: Correction;
}

/**
 * The booking kind of a movement that a terminal reported. A terminal never reports money without a charge, nor a refund that comes back.
 * Those movements are corrections.
 */
const kinds: Readonly<Record<HeldMoney["of"], Readonly<Record<BookingDirection, BookingKind>>>> = {
  charge: { credit: "capture", debit: "reversal" },
  "unknown charge": { credit: "correction", debit: "correction" },
  refund: { credit: "correction", debit: "refund" },
};

const directionOf = (amount: number): BookingDirection => (amount > 0 ? "credit" : "debit");

/** The tip of a booking. Absent if there is none. */
const unsigned = (tip: number): number | undefined => Math.abs(tip) || undefined;

function movements(before: Payment, after: Payment): readonly Movement[] {
  const was = heldMoney(before);
  const is = heldMoney(after);
  const ended = was.filter(({ name }) => !is.some((one) => one.name === name)).map(gone);
  return [...is, ...ended].flatMap((money) =>
    movementsOf(was.find(({ name }) => name === money.name) ?? gone(money), money),
  );
}

/** The movements of one source. Another amount of what the terminal reported before is not a second movement. */
function movementsOf(was: HeldMoney, is: HeldMoney): readonly Movement[] {
  const doubted = undoubted(was, is);
  const moved = less(less(reportedPart(is), reportedPart(was)), doubted);
  const isOnlyChanged = reportedPart(is).amount !== 0 && reportedPart(is).amount !== moved.amount;
  const counted = isOnlyChanged ? ({ kind: is.of === "refund" ? "refund" : "capture", count: 0 } as const) : undefined;
  const reported: Movement[] = [
    ...(doubted ? [{ money: is, ...doubted, kind: "capture" } as const] : []),
    ...partsOf(moved).map((part) => ({ money: is, ...part, kind: kinds[is.of][directionOf(part.amount)], counted })),
  ];
  return isSame(was.correction, is.correction) ? reported : [...corrected(was, -1), ...reported, ...corrected(is, 1)];
}

/** The movements of a change. Sale and tip are apart if one grows and the other shrinks, because a tip is a part of its movement. */
function partsOf({ amount, tip }: Part): readonly Part[] {
  const sale = amount - tip;
  const isOne = Math.sign(sale) * Math.sign(tip) >= 0;
  const parts = isOne
    ? [{ amount, tip }]
    : [
        { amount: sale, tip: 0 },
        { amount: tip, tip },
      ];
  return parts.filter((part) => part.amount !== 0);
}

const isSame = (one: Correction | undefined, other: Correction | undefined): boolean =>
  one?.amount === other?.amount && one?.tip === other?.tip && one?.businessDay === other?.businessDay;

/** The correction of this money, as it is made (1) or undone (-1). */
function corrected(money: HeldMoney, sign: 1 | -1): readonly Movement[] {
  const { correction } = money;
  if (!correction) return [];
  return partsOf({ amount: sign * correction.amount, tip: sign * (correction.tip ?? 0) }).map((part, i): Movement => ({
    money,
    ...part,
    kind: "correction",
    correction,
    counted: correction.businessDay === undefined ? undefined : countedAs(money, i === 0 ? sign : 0),
  }));
}

/**
 * How the terminal's totals count a correction. It is a movement of its own, or only another amount if the terminal has already reported a
 * part of the money. The second part of a correction is not counted again (0).
 */
function countedAs(money: HeldMoney, sign: 1 | -1 | 0): Booking["counted"] {
  const count = Number(money.held !== 0) - Number(reportedPart(money).amount !== 0);
  if (money.of === "refund") return { kind: "refund", count: sign * count };
  return count < 0 ? { kind: "reversal", count: sign } : { kind: "capture", count: sign * count };
}

/**
 * The bookings of a change: the difference between the payment before and after it, whatever the event. All bookings of a payment add up to
 * the merchant's money in its record.
 */
export function bookingsOf(
  before: Payment,
  { payment, entry: { businessDay, at, sequence } }: Change,
): readonly Booking[] {
  const { partnerId, terminalId, merchantId, sessionId, references } = payment;
  return movements(before, payment).map(
    ({ money, amount, tip, kind, correction, counted, businessDay: own }, i): Booking => {
      const { currency, chargeId, refund } = money;
      return {
        partnerId,
        terminalId,
        merchantId,
        sessionId,
        asReceived: { ...payment.asReceived, refundId: refund?.idAsReceived },
        sequence,
        number: i + 1,
        businessDay: own ?? correction?.businessDay ?? businessDayOf(correction ? undefined : businessDay, at, payment),
        kind,
        counted,
        direction: directionOf(amount),
        amount: Math.abs(amount),
        tip: unsigned(tip),
        currency,
        chargeId,
        refundId: refund?.refundId,
        orderId: references?.orderId,
        paymentId: references?.paymentId,
        evidence: kind === "correction" ? undefined : evidenceOf(payment, money, kind),
        at,
      };
    },
  );
}

/** The evidence of a movement that a terminal reported. Undefined if no report had any. */
function evidenceOf(
  payment: Payment,
  { chargeId, refund }: HeldMoney,
  kind: Exclude<BookingKind, "correction">,
): BookingEvidence | undefined {
  const charge = payment.charges.find((one) => one.chargeId === chargeId);
  const own = refund ?? (charge && reportedOf(payment, charge, kind)) ?? {};
  const { brand, last4 }: CardDetails = (namesCard(own) ? own.card : charge?.card) ?? {};
  const { authorisationCode, rrn } = own.acquirer ?? {};
  const { tid, mid } = { ...namesOf(charge), ...namesOf(own) };
  const evidence = { brand, last4, authorisationCode, rrn, tid, mid };
  return Object.values(evidence).some((one) => one !== undefined) ? evidence : undefined;
}

const namesCard = ({ card }: Evidence): boolean => card?.brand !== undefined || card?.last4 !== undefined;

/** The acquirer's names for terminal and merchant, as far as they are known. */
const namesOf = (of: Evidence | undefined): Pick<AcquirerDetails, "tid" | "mid"> =>
  Object.fromEntries(
    Object.entries({ tid: of?.acquirer?.tid, mid: of?.acquirer?.mid }).filter(([, name]) => name !== undefined),
  );

/** The report of a charge's reversal or capture had these details. An approval, or the first news of a charge, can be its capture. */
function reportedOf({ captureMode }: Payment, charge: Charge, kind: BookingKind): Evidence | undefined {
  if (kind === "reversal") return charge.reversalEvidence;
  return charge.captureEvidence ?? (charge.fromCapture || captureMode === "automatic" ? charge : undefined);
}
