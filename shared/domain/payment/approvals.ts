import type { PaymentAlertKind, RaisedAlert } from "../alert.ts";
import { advance, record, type Change, type Step } from "./advance.ts";
import { reversing, withCharge } from "./charges.ts";
import { MAX_CHARGES } from "./limits.ts";
import type { DecisionContext } from "./decision.ts";
import { appliedTotal, discountsInApproval } from "./discount.ts";
import { ownCaptured } from "./kept-money.ts";
import { wantedCharge, type Charge, type Discount, type Payment } from "./payment.ts";
import { reportedDetails, type Report } from "./report.ts";
import { ruleFor } from "./transitions.ts";

type ApprovalStep = Omit<Step, "event"> & DecisionContext;

/**
 * A card was charged: an approval says so, or, of a payment that is over, a capture of a charge that is not known. The first approval that the payment's state takes, in its currency and of an amount that the discounts explain, is
 * the wanted charge. Every other one is reversed, whatever the payment's state. What is not certainly another charge is an operator's to
 * look at, and nothing else.
 */
export function approve(payment: Payment, report: Report, step: ApprovalStep): Change {
  const charge = chargeOf(payment, report, step);
  const recognised = recognise(payment, charge);
  if (recognised) return record(payment, { ...step, event: eventOf(report), alerts: doubts(recognised, charge) });
  return (
    confirm(payment, report, charge, step) ??
    take(payment, report, charge, step) ??
    turnBack(payment, report, charge, step)
  );
}

const eventOf = ({ type }: Report) => (type === "captured" ? type : "authorized");

/** Whether a charge was reported before, or cannot be told from one that was, or is one too many. */
function recognise({ charges }: Payment, charge: Charge): "known" | PaymentAlertKind | undefined {
  const known = charges.find(({ chargeId }) => chargeId === charge.chargeId);
  if (known) return known.amount === charge.amount && known.currency === charge.currency ? "known" : "chargeChanged";
  if (charges.some((other) => isSameAuthorisation(other, charge))) return "chargeChanged";
  return charges.length >= MAX_CHARGES ? "tooManyCharges" : undefined;
}

const doubts = (recognised: "known" | PaymentAlertKind, { chargeId: about }: Charge): RaisedAlert[] =>
  recognised === "known" ? [] : [{ alert: recognised, about }];

const isSameAuthorisation = ({ acquirer: one }: Charge, { acquirer: other }: Charge): boolean =>
  one?.authorisationCode !== undefined &&
  one.rrn !== undefined &&
  one.authorisationCode === other?.authorisationCode &&
  one.rrn === other.rrn;

/** An operator said that the payment is paid before its charge was known: the first one of that amount is it. */
function confirm(payment: Payment, report: Report, charge: Charge, step: ApprovalStep): Change | undefined {
  const missing = wantedCharge(payment) ? 0 : ownCaptured(payment);
  if (missing === 0 || charge.amount !== missing || charge.currency !== payment.currency) return undefined;
  const charges = [...payment.charges, { ...charge, status: "captured" as const }];
  return record(payment, { ...step, event: eventOf(report), set: { charges, ...reportedDetails(payment, report) } });
}

function chargeOf(payment: Payment, report: Report, { now }: ApprovalStep): Charge {
  const { chargeId = report.reportId, amount = 0, currency = payment.currency, card, acquirer } = report;
  const times = { createdAt: now, updatedAt: now };
  return { chargeId, amount, currency, status: "authorized", tries: 0, card, acquirer, ...times };
}

/** The approval as the payment's state takes it: wanted, or the payment's last word before it comes to nothing. */
function take(payment: Payment, report: Report, charge: Charge, step: ApprovalStep): Change | undefined {
  const explained =
    charge.currency === payment.currency ? discountsInApproval(payment, charge.amount, step.now) : undefined;
  const event = explained ? "authorized" : "authorizedOtherAmount";
  const rule = ruleFor(payment, event, step);
  if (!rule) return undefined;
  const charges = [...payment.charges, charge];
  if (rule.to === "voidRequested") return advance(payment, { ...step, event, ...sentBack(payment, charge, step) });
  const set = { ...approvedFacts(payment, charge, explained), ...reportedDetails(payment, report), charges };
  return advance(payment, { ...step, event, set });
}

function approvedFacts(payment: Payment, { amount }: Charge, explained: readonly Discount[] | undefined) {
  const discounts = explained ?? payment.discounts;
  const discounted = explained ? appliedTotal(explained) : payment.amounts.discounted;
  return { discounts, amounts: { ...payment.amounts, discounted, authorized: amount } };
}

/** A charge that no state wants: it goes back, and an operator hears of it. */
function turnBack(payment: Payment, report: Report, charge: Charge, step: ApprovalStep): Change {
  const { set, effects } = sentBack(payment, charge, step);
  const event = eventOf(report);
  const detail = `${event} while the payment is ${payment.status}`;
  const alerts = [{ alert: "unwantedApproval", about: charge.chargeId, detail } as const];
  return record(payment, { ...step, event, set, effects, alerts });
}

/** The facts and effects of a new charge that is reversed at once. */
function sentBack(payment: Payment, charge: Charge, context: DecisionContext) {
  const withNew = { ...payment, charges: [...payment.charges, charge] };
  const back = reversing(charge, { sequence: payment.sequence + 1, context });
  const requested = { kind: "webhook", type: "reversal.requested", about: charge.chargeId } as const;
  return { set: { charges: withCharge(withNew, back.charge) }, effects: [...back.effects, requested] };
}
