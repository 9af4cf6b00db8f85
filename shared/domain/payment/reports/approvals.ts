import type { RaisedAlert } from "../../alert.ts";
import { advance, record, type Change, type Step } from "../life/advance.ts";
import { reversing } from "../life/reversal.ts";
import { MAX_CHARGES } from "../record/record-limits.ts";
import type { DecisionContext } from "../life/decision.ts";
import { appliedTotal } from "../requests/discount.ts";
import { doubts, recognise } from "./known-charge.ts";
import {
  explainedApproval,
  namedTip,
  tooMuchText,
  unexplained,
  unexplainedTip,
  unwantedTip,
  type Explained,
} from "./explained.ts";
import { ownCaptured } from "../record/kept-money.ts";
import { businessDayOf } from "../../booking.ts";
import { shownMoney } from "../../money.ts";
import { chargeInDoubt, contradictedCharge, wantedCharge, withCharge, type Charge } from "../record/charge.ts";
import { payableAmount, type Payment } from "../record/payment.ts";
import type { Report } from "../record/report.ts";
import { contradictedEvent, contradicting, reportedDetails } from "./reported.ts";
import { booksOf } from "../life/restoring.ts";
import { ruleFor } from "../life/rule-for.ts";

type ApprovalStep = Omit<Step, "event"> & DecisionContext;

/**
 * Decides on a charge that a terminal reports, by an approval or by the capture of an unknown charge. The wanted charge is the first
 * approval that the payment's state accepts. It must be in the payment's currency, and the discounts must explain its amount. Every other
 * charge is reversed, in any state of the payment. A report that may be of a known charge only raises an alert.
 */
export function approve(payment: Payment, report: Report, step: ApprovalStep): Change {
  const approval = approvalOf(payment, report, step);
  const { charge } = approval;
  const recognised = recognise(payment, charge);
  const stillHeld = recognised === "known" ? heldAsBooked(payment, report, step) : undefined;
  if (stillHeld) return stillHeld;
  if (recognised) return record(payment, { ...step, event: eventOf(report), alerts: doubts(recognised, charge) });
  return (
    confirm(payment, report, charge, step) ??
    putInDoubt(payment, report, charge, step) ??
    setAside(payment, report, charge, step) ??
    (hasItsCharge(payment) ? undefined : take(payment, report, approval, step)) ??
    reverseUnwanted(payment, report, charge, step)
  );
}

/** An authorized payment takes no other charge. The rule that keeps a restoring payment authorized applies only to its own charge. */
const hasItsCharge = ({ status }: Payment): boolean => status === "authorized";

/** The terminal still holds the authorization. This is a transition only for a restoring payment, and before a void. */
const heldAsBooked = (payment: Payment, { chargeId }: Report, step: ApprovalStep): Change | undefined =>
  ["authorized", "captureRequested"].includes(payment.status) && wantedCharge(payment)?.chargeId === chargeId
    ? advance(payment, { ...step, event: "authorized" })
    : undefined;

const eventOf = ({ type }: Report) => (type === "captured" ? type : "authorized");

/** The amount that an operator recorded as paid before its charge was known, in minor units. 0 if none. */
const paidByUnknown = (payment: Payment): number => (wantedCharge(payment) ? 0 : ownCaptured(payment));

/**
 * Confirms a payment that an operator resolved as paid before its charge was known. The first charge of that amount is its charge. The
 * correction stands until the terminal reports that it captured the charge, and the operator's tip stands.
 */
function confirm(payment: Payment, report: Report, charge: Charge, step: ApprovalStep): Change | undefined {
  const recorded = paidByUnknown(payment);
  if (recorded === 0 || charge.amount !== recorded || charge.currency !== payment.currency) return undefined;
  const correction = asTaken(payment, report, charge).captured === undefined ? payment.correction : undefined;
  const decided = correction && true;
  const own = { ...charge, tip: payment.ownTip, status: "captured", correction, decided } as const;
  const charges = [...payment.charges, own];
  const set = { charges, ownTip: undefined, ...reportedDetails(payment, report) };
  return record(payment, { ...step, event: eventOf(report), set });
}

/**
 * Puts the first charge of another amount or currency in doubt, because the payment may have been paid by it. The charge is neither booked
 * nor voided, because the operator and the terminal contradict each other.
 */
function putInDoubt(payment: Payment, report: Report, charge: Charge, step: ApprovalStep): Change | undefined {
  const recorded = paidByUnknown(payment);
  if (recorded === 0 || chargeInDoubt(payment)) return undefined;
  const detail = `the terminal charged ${shownMoney(charge.amount, charge.currency)}, and ${shownMoney(recorded, payment.currency)} was recorded`;
  const alerts = [{ alert: "amountDiffers", about: charge.chargeId, detail } as const];
  return doubted(payment, report, charge, { ...step, alerts });
}

/** Puts another charge in doubt while one is contradicted. It may have replaced that charge, so it is not reversed. */
function setAside(payment: Payment, report: Report, charge: Charge, step: ApprovalStep): Change | undefined {
  if (!contradictedCharge(payment)) return undefined;
  const alerts = [contradicting(report, charge.chargeId, `the payment is ${payment.status}`)];
  return doubted(payment, report, charge, { ...step, alerts });
}

/** Records a new charge that is in doubt. */
function doubted(payment: Payment, report: Report, charge: Charge, step: ApprovalStep): Change {
  const taken = asTaken(payment, report, charge);
  const capturedOn = taken.captured === undefined ? undefined : businessDayOf(report.businessDay, step.now, payment);
  const charges = [...payment.charges, { ...taken, capturedOn, status: "inDoubt" as const }];
  return record(payment, {
    ...step,
    event: eventOf(report),
    set: { charges },
    effects: [contradictedEvent(charge.chargeId)],
  });
}

/** A reported charge, and what explains its amount, if anything does. */
interface Approval {
  readonly charge: Charge;
  readonly explained: Explained | undefined;
}

/** The first report of a charge says how much of it is tip. */
function approvalOf(payment: Payment, report: Report, { now }: ApprovalStep): Approval {
  const { chargeId = report.reportId, amount = 0, currency = payment.currency, card, acquirer } = report;
  const taken = currency === payment.currency ? { amount, tipAmount: report.tipAmount } : undefined;
  const explained = taken && explainedApproval(payment, taken, now);
  const tip = (explained ? explained.tip : taken && unexplainedTip(payment, taken)) || undefined;
  const times = { createdAt: now, updatedAt: now };
  const fromCapture = report.type === "captured" || undefined;
  const charge = {
    chargeId,
    amount,
    currency,
    tip,
    status: "authorized",
    tries: 0,
    card,
    acquirer,
    fromCapture,
    ...times,
  } as const;
  return { charge, explained };
}

/** Takes the approval as the payment's state allows: as the wanted charge, or as a charge that is voided before the payment ends. */
function take(
  payment: Payment,
  report: Report,
  { charge, explained }: Approval,
  step: ApprovalStep,
): Change | undefined {
  const isOwnCurrency = charge.currency === payment.currency;
  const isTaken = explained || (isOwnCurrency && isKeptUnexplained(payment, report, step));
  const event = isTaken ? eventOf(report) : "authorizedOtherAmount";
  const rule = ruleFor(payment, event, step);
  if (!rule) return undefined;
  if (rule.to === "voidRequested") {
    const back = newReversal(payment, asTaken(payment, report, charge), step);
    if (isTaken) return advance(payment, { ...step, event, ...back });
    const alerts = [...contradictedAnswers(payment, report, charge), ...unwantedTip(report, charge)];
    const detail = step.detail ?? tooMuchText(payment, charge.amount, charge.currency);
    return advance(payment, { ...step, event, ...back, alerts, detail });
  }
  const isHeld = event === "captured" && rule.to === "authorized";
  const wanted = isHeld ? held(payment, charge, step) : charge;
  const { charge: own, ...calls } = withCalls(payment, report, wanted, explained);
  const facts = { ...approvedFacts(payment, charge, explained), ...reportedDetails(payment, report) };
  const set = { ...facts, charges: [...payment.charges, own] };
  return advance(payment, { ...step, event, set, captured: charge.amount, ...calls });
}

/** The payment remembers the void of a charge that the books lack. The approval of that charge may come later. */
export function voidedToo({ voidedUnknown = [] }: Payment, { type, chargeId }: Report): Partial<Payment> {
  if (type !== "voided" || chargeId === undefined || voidedUnknown.includes(chargeId)) return {};
  return { voidedUnknown: [...voidedUnknown, chargeId].slice(-MAX_CHARGES) };
}

/**
 * The wanted charge, and what an operator and the partner are told. If its void was reported before its approval, it is contradicted: none of
 * its money moves until an operator decides.
 */
function withCalls(payment: Payment, report: Report, charge: Charge, explained: Explained | undefined) {
  const { chargeId: about, captured } = charge;
  if (payment.voidedUnknown?.includes(about))
    return {
      charge: { ...charge, contradicted: true },
      alerts: [contradicting(report, about, "its void was reported before")],
      effects: [contradictedEvent(about)],
    };
  const unrequested = contradicting(report, about, `the payment is ${payment.status}`);
  return { charge, alerts: captured === undefined ? unexplained(report, charge, explained) : [unrequested] };
}

/** The charge with the amount that the terminal captured without a request. The partner can capture this amount. */
const held = (payment: Payment, charge: Charge, { businessDay, now }: ApprovalStep): Charge => ({
  ...charge,
  captured: charge.amount,
  capturedOn: businessDayOf(businessDay, now, payment),
});

/** The alert for an approved amount that shows the other outcome of a discount than its terminal reported. */
function contradictedAnswers(payment: Payment, report: Report, charge: Charge): readonly RaisedAlert[] {
  const { amount } = charge;
  const off = payableAmount(payment) - (amount - namedTip(payment, { amount, tipAmount: report.tipAmount }));
  const answer = payment.discounts.find(
    ({ status, amount, statusReason }) =>
      (status === "applied" && off === -amount) ||
      (status === "refused" && statusReason === undefined && off === amount),
  );
  const isContradicted = answer && charge.currency === payment.currency;
  return isContradicted
    ? [contradicting(report, charge.chargeId, `the discount ${answer.discountId} is ${answer.status}`)]
    : [];
}

/**
 * Whether another amount is kept, with an alert. A capture comes here only if the payment may have its amount. After a restore, a lost
 * discount or a lost partial capture may explain the amount. The partner may have been notified that the payment is paid.
 */
const isKeptUnexplained = (payment: Payment, { type }: Report, { answered }: ApprovalStep): boolean =>
  type === "captured" || (booksOf(payment, answered).keepsUnexplained && payment.cancelRequestedBy === undefined);

function approvedFacts(payment: Payment, { amount }: Charge, explained: Explained | undefined) {
  const { discounts } = explained ?? payment;
  const discounted = explained ? appliedTotal(discounts) : payment.amounts.discounted;
  return { discounts, amounts: { ...payment.amounts, discounted, authorized: amount } };
}

/** Reverses a charge that the payment's state does not accept, and alerts an operator. */
function reverseUnwanted(payment: Payment, report: Report, charge: Charge, step: ApprovalStep): Change {
  const { set, effects } = newReversal(payment, asTaken(payment, report, charge), step);
  const event = eventOf(report);
  const detail = `${event} while the payment is ${payment.status}`;
  const alerts = [{ alert: "unwantedApproval", about: charge.chargeId, detail } as const];
  return record(payment, { ...step, event, set, effects, alerts });
}

/** The charge with the merchant's part of it. That is all of it if the terminal captures by itself, or reports a capture. */
const asTaken = ({ captureMode }: Payment, { type }: Report, charge: Charge): Charge =>
  captureMode === "automatic" || type === "captured" ? { ...charge, captured: charge.amount } : charge;

/** The facts and effects of a new charge that is reversed at once. */
function newReversal(payment: Payment, charge: Charge, context: DecisionContext) {
  const withNew = { ...payment, charges: [...payment.charges, charge] };
  const back = reversing(charge, payment.sequence + 1, context);
  const requested = { kind: "webhook", type: "reversal.requested", about: charge.chargeId } as const;
  return { set: { charges: withCharge(withNew, back.charge) }, effects: [...back.effects, requested] };
}
