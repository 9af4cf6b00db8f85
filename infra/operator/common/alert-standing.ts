import { reopenedAt, type Alert } from "../../../shared/domain/alert.ts";
import { fromMinorUnits, shownMoney } from "../../../shared/domain/money.ts";
import { ownCaptured } from "../../../shared/domain/payment/record/kept-money.ts";
import { isClosed, ownCharge, wantedCharge, type Charge } from "../../../shared/domain/payment/record/charge.ts";
import { isFinal, type Discount, type Payment, type Refund } from "../../../shared/domain/payment/record/payment.ts";
import type { Outcome } from "../../../shared/domain/payment/operator/resolution.ts";
import type { Reports } from "../../../shared/domain/payment/operator/reported-amounts.ts";
import { decideResolution } from "../../../shared/domain/payment/operator/decide-resolution.ts";
import { voucherFate, type VoucherFate } from "../../../shared/domain/payment/life/voucher-use.ts";
import type { TerminalDay } from "../../../shared/domain/terminal-day/terminal-day.ts";
import { describeDifferences } from "../../../shared/domain/terminal-day/totals.ts";
import { later, type Instant } from "../../../shared/domain/time.ts";
import type { Timings } from "../../../shared/domain/timings.ts";
import { chargeName, discountName, refundName } from "./money-names.ts";
import { contradiction, moneyText } from "./money-text.ts";
import { otherAmounts, type Cause } from "./other-amounts.ts";

/** The current data about an alert's cause. */
export interface AlertNow {
  readonly now: Instant;
  readonly timings: Timings;
  /** The payment, if the alert's subject is a payment. */
  readonly payment?: Payment | undefined;
  /** The payment's history, if the alert is about an amount. */
  readonly reports?: Reports;
  /** The terminal's day, if the alert's subject is a terminal. */
  readonly terminalDay?: TerminalDay | undefined;
}

/** The state of an alert's cause, and the outcomes that an operator can record. */
export interface AlertStanding {
  /** One sentence. Undefined if the cause is neither a payment's nor a terminal day's. */
  readonly standing?: string | undefined;
  /** Nothing is left to do except to close the alert. */
  readonly isOver: boolean;
  /** The outcomes that the payment accepts now. `paid` may need an amount. */
  readonly fits: readonly Outcome[];
}

/**
 * The state of an alert's cause, and the outcomes that fit it. These belong to the charge, refund or discount that the alert is about, or
 * to the payment if it is about the payment. A terminal's day is corrected through its payments, which the operator must choose.
 */
export function standingOf(alert: Alert, at: AlertNow): AlertStanding {
  if (at.payment && alert.subject.kind === "payment") return ofPayment(alert, at.payment, at);
  const isOfDay = alert.kind === "dayDiffers" || alert.kind === "dayMissing";
  if (at.terminalDay && isOfDay) return ofDay(alert, at.terminalDay);
  return { isOver: false, fits: [] };
}

function ofPayment(alert: Alert, payment: Payment, at: AlertNow): AlertStanding {
  const cause = causeOf(alert, payment);
  const isOver = isOverNow(alert, payment, cause);
  const standing = standingText(payment, cause, isOver);
  if (isOver) return { standing, isOver, fits: [] };
  const possible = (outcomes: readonly Outcome[]) => outcomes.filter((outcome) => isPossible(payment, outcome, at));
  const amounts = alert.kind === "amountDiffers" ? possible(otherAmounts(payment, cause, at.reports)) : [];
  return { standing, isOver, fits: amounts.length > 0 ? amounts : possible(candidates(alert, payment, cause)) };
}

function causeOf({ about }: Alert, { charges, refunds, discounts }: Payment): Cause {
  if (about === undefined) return { of: "payment" };
  const isMeant = (id: string): boolean => id.toLowerCase() === about;
  const charge = charges.find(({ chargeId }) => isMeant(chargeId));
  if (charge) return { of: "charge", charge };
  const refund = refunds.find(({ refundId }) => isMeant(refundId));
  if (refund) return { of: "refund", refund };
  const discount = discounts.find(({ discountId }) => isMeant(discountId));
  return discount ? { of: "discount", discount } : { of: "unknown", about };
}

/** Over once their cause is closed. For other kinds, an operator must compare the books. A reopened alert waits for a later change. */
const untilClosed: ReadonlySet<Alert["kind"]> = new Set(["unwantedApproval", "reversalFailed", "outcomeUnknown"]);

function isOverNow(alert: Alert, payment: Payment, cause: Cause): boolean {
  const since = untilClosed.has(alert.kind) ? reopenedAt(alert) : later(alert.lastAt, reopenedAt(alert));
  const isDecided = (isUndecided: boolean, at: Instant): boolean => !isUndecided && at > since;
  switch (cause.of) {
    case "charge":
      return isDecided(isOpen(cause.charge), cause.charge.updatedAt);
    case "refund":
      return isDecided(cause.refund.status === "pending", cause.refund.updatedAt);
    case "discount":
      return isDecided(cause.discount.status === "requested", cause.discount.updatedAt);
    case "payment":
      return alert.kind === "outcomeUnknown" && isDecided(!isFinal(payment.status), payment.updatedAt);
    case "unknown":
      return false;
  }
}

/** Whether the charge still moves, or waits for an operator. */
const isOpen = (charge: Charge): boolean =>
  Boolean(charge.contradicted) || !(isClosed(charge) || charge.status === "captured");

/** The outcomes of the cause, including those that the payment does not accept. */
function candidates({ kind }: Alert, payment: Payment, cause: Cause): readonly Outcome[] {
  const outcomes: readonly Outcome[] = [
    { of: "payment", outcome: "paid" },
    { of: "payment", outcome: "unpaid" },
  ];
  switch (cause.of) {
    case "charge":
      return outcomesOf(payment, cause.charge, kind);
    case "refund": {
      const { refundId } = cause.refund;
      return [
        { of: "refund", refundId, outcome: "succeeded" },
        { of: "refund", refundId, outcome: "failed" },
      ];
    }
    case "discount": {
      const { discountId } = cause.discount;
      return [
        { of: "discount", discountId, outcome: "applied" },
        { of: "discount", discountId, outcome: "refused" },
        { of: "payment", outcome: "paid" },
      ];
    }
    case "payment":
      return outcomes;
    case "unknown":
      return wantedCharge(payment) ? [] : outcomes;
  }
}

function outcomesOf(payment: Payment, charge: Charge, kind: Alert["kind"]): readonly Outcome[] {
  const { chargeId, status } = charge;
  const paid: Outcome = { of: "payment", outcome: "paid", chargeId };
  const unpaid: Outcome = { of: "payment", outcome: "unpaid" };
  return [
    ...(isOwn(payment, charge) || status === "inDoubt" ? [paid] : []),
    ...(isOwn(payment, charge) && saysUnpaid.has(kind) ? [unpaid] : []),
    { of: "charge", chargeId, outcome: "reversed" },
    { of: "charge", chargeId, outcome: "kept" },
  ];
}

const isOwn = (payment: Payment, charge: Charge): boolean => charge === ownCharge(payment);

/** Alerts of these kinds may mean that the payment's own charge was given back. */
const saysUnpaid: ReadonlySet<Alert["kind"]> = new Set(["contradictingReport", "reversalFailed"]);

/** Whether the payment accepts the outcome. `paid` counts if the payment accepts some amount, and if no charge is named, some charge. */
function isPossible(payment: Payment, outcome: Outcome, { now, timings, reports = [] }: AlertNow): boolean {
  const some = fromMinorUnits(1, payment.currency);
  const said = outcome.outcome === "paid" ? { ...outcome, amount: outcome.amount ?? some } : outcome;
  const decided = decideResolution(
    payment,
    { by: "", why: "", ...said },
    { now, timings, commandId: newCommand, isAlerted: true, reports },
  );
  const isChargeNamed = outcome.of === "payment" && outcome.chargeId !== undefined;
  return decided.ok || (decided.error.code === "validation_failed" && !isChargeNamed);
}

/** Unused, because the decision is never committed. */
const newCommand = "";

/** Begins the standing of an alert whose cause is over. */
const DONE = "Nothing is left to do: close the alert. ";

function standingText(payment: Payment, cause: Cause, isOver: boolean): string {
  const start = isOver ? DONE : "";
  switch (cause.of) {
    case "charge":
      return `${start}${chargeText(payment, cause.charge)}.`;
    case "refund": {
      const { status, statusReason } = cause.refund;
      const word = statusReason === "outcomeUnknown" ? "is in doubt" : refundWords[status];
      return `${start}The ${refundName(payment, cause.refund)} ${word}${whenText(cause.refund)}.`;
    }
    case "discount":
      return `${start}${discountText(payment, cause.discount)} ${moneyText(payment)}`;
    case "payment":
      return `${start}The payment is ${payment.status}. ${moneyText(payment)}`;
    case "unknown":
      return `There is no ${cause.about} in the books. The payment is ${payment.status}. ${moneyText(payment)}`;
  }
}

function discountText(payment: Payment, discount: Discount): string {
  const { discountId, voucherTokenId, status } = discount;
  const word = status === "requested" ? "is in doubt" : `counts as ${status}`;
  const fate = fates[voucherFate(payment, discountId)];
  const voucher = voucherTokenId === undefined ? "" : `, and its voucher ${voucherTokenId} ${fate}`;
  return `The ${discountName(payment, discount)} ${word}${whenText(discount)}${voucher}.`;
}

/** A state that lasts has a beginning. An ended one has the time of its end. */
const whenText = ({ status, updatedAt }: Pick<Charge | Refund | Discount, "status" | "updatedAt">): string =>
  `${ended.has(status) ? " at" : ", since"} ${toSecond(updatedAt)}`;

const ended: ReadonlySet<string> = new Set(["voided", "reversed", "reversalFailed", "succeeded", "failed"]);

const toSecond = (at: Instant): string => `${at.slice(0, "2026-11-21T10:00:00".length)}Z`;

const fates: Readonly<Record<VoucherFate, string>> = { held: "is held", spent: "is redeemed", free: "is free" };

function chargeText(payment: Payment, charge: Charge): string {
  const { amount, currency, status } = charge;
  const isPart = status === "captured" && ownCaptured(payment) !== amount;
  const part = isPart ? ` with ${shownMoney(ownCaptured(payment), currency)}` : "";
  const whose = isOwn(payment, charge) ? "payment's own " : "";
  const said = contradiction(charge);
  const last = said === undefined ? whenText(charge) : `, but ${said}`;
  return `The ${whose}${chargeName(payment, charge)} ${chargeWords[status]}${part}${failedText(charge)}${last}`;
}

/** The failed tries to reverse a charge. The latest one counts as soon as the terminal has reported its failure. */
function failedText({ status, tries, reversal }: Charge): string {
  const failed = tries + Number(reversal?.failed ?? false);
  return status === "reversing" && failed > 0 ? ` (failed tries: ${failed})` : "";
}

const chargeWords: Readonly<Record<Charge["status"], string>> = {
  authorized: "is authorized",
  captured: "is captured",
  voided: "was voided",
  reversing: "is being reversed",
  reversed: "was reversed",
  reversalFailed: "could not be reversed by the terminal",
  kept: "is kept by the merchant",
  inDoubt: "is in doubt",
};

const refundWords: Readonly<Record<Refund["status"], string>> = {
  pending: "is not made yet",
  succeeded: "was made",
  failed: "failed",
};

function ofDay({ kind }: Alert, { day, status, differences }: TerminalDay): AlertStanding {
  const isOver = status === "closed" || (kind === "dayMissing" && status !== "missing" && status !== "open");
  const shown = differences.length === 0 ? "" : `: ${describeDifferences(differences)}`;
  return {
    standing: `${isOver ? DONE : ""}The day ${day} is ${dayWords[status]}${status === "closed" ? "" : shown}.`,
    isOver,
    fits: [],
  };
}

const dayWords: Readonly<Record<TerminalDay["status"], string>> = {
  open: "not closed by the terminal yet",
  comparing: "being compared",
  closed: "closed: terminal and books are equal",
  differs: "closed by the terminal, but differs from the books",
  missing: "not closed by the terminal, although its deadline has passed",
};
