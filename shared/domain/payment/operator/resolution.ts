import { invalidAmount } from "../../amount-problem.ts";
import { shownMoney, toMinorUnits } from "../../money.ts";
import { invalidField, type Refusal } from "../../refusal.ts";
import { refuse, type Result } from "../../result.ts";
import type { Change, Step } from "../life/advance.ts";
import type { DecisionContext } from "../life/decision.ts";
import type { Correction } from "../record/correction.ts";
import { contradictedCharge, type Charge } from "../record/charge.ts";
import { isFinal, type Payment } from "../record/payment.ts";
import type { Day } from "../../time.ts";
import type { Reports } from "./reported-amounts.ts";

/** An operator's resolution of a payment, a refund or a charge, according to the acquirer's records. */
export type Resolution = {
  /** The operator who resolved it, and the reason. The history keeps both for operators. */
  readonly by: string;
  readonly why: string;
  /** A note that the partner reads. */
  readonly note?: string | undefined;
  /**
   * The business day on which the terminal counted the money. The correction counts in the comparison of that day. Without a day, it does
   * not count in any.
   */
  readonly businessDay?: Day | undefined;
} & Outcome;

/** An operator's outcome of a payment, or of one of its refunds, charges or discounts. */
export type Outcome = PaymentResolution | RefundResolution | ChargeResolution | DiscountResolution | OutsideResolution;

export interface PaymentResolution {
  readonly of: "payment";
  /** `paid`: money was taken for the payment. `unpaid`: no money was taken. */
  readonly outcome: "paid" | "unpaid";
  /**
   * For `paid`, in the currency's major unit. It may be left out if only one amount is possible. If it is more than the charge has, it is at
   * most what the terminal reported.
   */
  readonly amount?: number | undefined;
  /** For `paid`, in the currency's major unit: the part of the amount that is tip. */
  readonly tip?: number | undefined;
  /** For `paid`: the charge, if several are known. Upper or lower case. */
  readonly chargeId?: string | undefined;
}

export interface RefundResolution {
  readonly of: "refund";
  /** In any spelling. */
  readonly refundId: string;
  readonly outcome: "succeeded" | "failed";
  /**
   * For `succeeded`, in the currency's major unit: what the card got. If it is more than was requested, it is at most what the terminal
   * reported. Undefined for the amount that stands, which is the requested one for a refund that had not succeeded.
   */
  readonly amount?: number | undefined;
}

export interface ChargeResolution {
  readonly of: "charge";
  /** In any spelling. */
  readonly chargeId: string;
  /** `reversed`: the customer has the money back. `kept`: the merchant has it. */
  readonly outcome: "reversed" | "kept";
}

/** Decides a discount that is in doubt. */
export interface DiscountResolution {
  readonly of: "discount";
  /** In any spelling. */
  readonly discountId: string;
  readonly outcome: "applied" | "refused";
}

/** Captured money that the merchant returned without the terminal. */
export interface OutsideResolution {
  readonly of: "outside";
  readonly outcome: "refunded";
  /** In the currency's major unit. */
  readonly amount: number;
  /** The acquirer's reference of the refund, for operators only. */
  readonly reference: string;
  /** A kept charge, in any spelling. Undefined for the payment's own money. */
  readonly chargeId?: string | undefined;
}

export type ResolutionRefusal = "invalid_state" | "validation_failed";
export type Resolved = Result<Change, Refusal<ResolutionRefusal>>;

export interface ResolutionContext extends DecisionContext {
  /** An open alert names the payment, or its terminal's day. Only then can an ended outcome be corrected. */
  readonly isAlerted: boolean;
  /** The vouchers of its discounts that cannot be redeemed for it: another payment has them, or their time is over. */
  readonly vouchersElsewhere?: ReadonlySet<string>;
  /** Without them, no charge and no refund is recorded with more than it has. */
  readonly reports?: Reports;
}

/** An operator's step, before its event is known. */
export type OperatorStep = Omit<Step, "event"> & ResolutionContext;

export const impossible = ({ status: currentStatus }: Payment, detail = UNFIT) =>
  refuse({ code: "invalid_state", currentStatus, detail });

/** The status has no transition for the resolution. */
const UNFIT = "A payment in this status cannot be resolved. Wait until it is reconciling or has ended.";

export const notAlerted = (payment: Payment) =>
  impossible(
    payment,
    "A payment that has ended can be corrected only while an open alert names it or its terminal's day.",
  );

/** An operator's amount in minor units, above zero. */
export function minorOf(field: string, major: number, currency: string): Result<number, Refusal<"validation_failed">> {
  const minor = toMinorUnits(major, currency);
  return minor.ok && minor.value > 0 ? minor : refuse(invalidAmount(field, minor.ok ? "zero" : minor.error, currency));
}

/** The refusal of an amount above `most`, in minor units, of which the terminal reported no more. */
export const tooMuch = (most: number, currency: string) =>
  refuse(
    invalidField(
      "amount",
      "out_of_range",
      `must be at most ${shownMoney(most, currency)}: the terminal reported no more, so ask the acquirer to give the rest back`,
    ),
  );

/** A charge after an operator's decision. It ends a contradiction by the terminal. */
export const decidedCharge = (charge: Charge, status: Charge["status"], { now }: Pick<Step, "now">): Charge => ({
  ...charge,
  status,
  contradicted: undefined,
  decided: true,
  updatedAt: now,
});

/** Whether the operator names another day for money that an operator has recorded before. */
export const isOtherDay = (standing: Correction | undefined, { businessDay }: Pick<Step, "businessDay">): boolean =>
  standing !== undefined && businessDay !== undefined && standing.businessDay !== businessDay;

/** The existing correction, moved to the day that the operator names, if any. */
export const onDay = (standing: Correction | undefined, step: Pick<Step, "businessDay">): Correction | undefined =>
  standing && isOtherDay(standing, step) ? { ...standing, businessDay: step.businessDay } : standing;

/**
 * Why captured money cannot be corrected. Either neither an open alert nor a contradicted charge says that the amounts may be wrong, or a
 * pending refund may still change the same money. Undefined if it can be corrected.
 */
export function whyNotCorrected(
  payment: Payment,
  { isAlerted }: OperatorStep,
): Result<never, Refusal<"invalid_state">> | undefined {
  if (!isAlerted && !contradictedCharge(payment)) return notAlerted(payment);
  const isPending = payment.refunds.some(({ status }) => status === "pending");
  return isPending ? impossible(payment, "A refund is pending: resolve it first.") : undefined;
}

/**
 * The event and webhooks of an operator's resolution of the payment. An ended payment keeps its state, and its partner gets
 * `payment.corrected`.
 */
export const bookedAs = ({ status }: Payment, outcome: PaymentResolution["outcome"]) =>
  isFinal(status)
    ? ({ event: "corrected", webhooks: [{ kind: "webhook", type: "payment.corrected" }] } as const)
    : ({ event: outcome === "paid" ? "settledPaid" : "settledUnpaid", webhooks: [] } as const);
