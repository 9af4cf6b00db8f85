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
import { gone, heldMoney, reportedPart, undoubted, type HeldMoney } from "../record/held-money.ts";
import type { Correction } from "../record/correction.ts";
import type { Payment } from "../record/payment.ts";

/**
 * A movement of money between two versions of a payment. Amounts are in minor units. Positive amounts go to the merchant, negative ones
 * from it.
 */
interface Movement extends Pick<Booking, "kind" | "counted">, Partial<Pick<Booking, "businessDay">> {
  readonly money: HeldMoney;
  readonly amount: number;
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

function movements(before: Payment, after: Payment): readonly Movement[] {
  const was = heldMoney(before);
  const is = heldMoney(after);
  const ended = was.filter(({ name }) => !is.some((one) => one.name === name)).map(gone);
  return [...is, ...ended].flatMap((money) =>
    movementsOf(was.find(({ name }) => name === money.name) ?? gone(money), money),
  );
}

function movementsOf(was: HeldMoney, is: HeldMoney): readonly Movement[] {
  const doubted = undoubted(was, is);
  const amount = reportedPart(is) - reportedPart(was) - (doubted?.amount ?? 0);
  const reported: Movement[] = [
    ...(doubted ? [{ money: is, ...doubted, kind: "capture" } as const] : []),
    ...(amount === 0 ? [] : [{ money: is, amount, kind: kinds[is.of][directionOf(amount)] }]),
  ];
  return isSame(was.correction, is.correction) ? reported : [...corrected(was, -1), ...reported, ...corrected(is, 1)];
}

const isSame = (one: Correction | undefined, other: Correction | undefined): boolean =>
  one?.amount === other?.amount && one?.businessDay === other?.businessDay;

/** The correction of this money, as it is made (1) or undone (-1). */
function corrected(money: HeldMoney, sign: 1 | -1): readonly Movement[] {
  const { correction } = money;
  if (!correction) return [];
  const amount = sign * correction.amount;
  const counted = correction.businessDay === undefined ? undefined : countedAs(money, sign);
  return [{ money, amount, kind: "correction", correction, counted }];
}

/**
 * How the terminal's totals count a correction. It is a movement of its own, or only another amount if the terminal has already reported a
 * part of the money.
 */
function countedAs(money: HeldMoney, sign: 1 | -1): Booking["counted"] {
  const count = Number(money.held !== 0) - Number(reportedPart(money) !== 0);
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
    ({ money, amount, kind, correction, counted, businessDay: own }, i): Booking => {
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
