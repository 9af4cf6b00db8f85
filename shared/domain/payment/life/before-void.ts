import { isHeldBack, wantedCharge } from "../record/charge.ts";
import type { PaymentEvent } from "../record/events.ts";
import type { Payment } from "../record/payment.ts";
import { stays, to, type Rule } from "./rules.ts";

// A partner asked to capture the payment, and the capture failed. So its terminal is asked at `captureBefore`, and the charge is voided only
// if the terminal says that it still holds the authorization. These rules come before the table, for the answer to that query alone.

const voids = to("voidRequested", { reason: "notCaptured", reverses: "notCaptured" });
const callsOperator = stays("authorized", { raises: "outcomeUnknown" });

/** The rules for the answer. A report that the table of transitions takes, or finds contradicting, has none here. */
export const beforeVoid: Readonly<Partial<Record<PaymentEvent, Rule>>> = {
  authorized: voids,
  captureFailed: voids,
  voidFailed: callsOperator,
  stillRunning: callsOperator,
};

/** The query that the payment waits for after a change by this rule. A terminal that forgets can answer no earlier query. */
export function askedToVoid(payment: Payment, rule: Rule, event: PaymentEvent): number | undefined {
  if (rule.asksToVoid) return payment.sequence + 1;
  return rule.enters || event === "forgot" ? undefined : payment.askedToVoid;
}

/** The payment after a report. One that answers the query is the last of it. */
export const afterAnswerBeforeVoid = (payment: Payment, answered: number | undefined): Payment =>
  answered !== undefined && answered === payment.askedToVoid ? { ...payment, askedToVoid: undefined } : payment;

/** The rules that precede the table of transitions for a payment whose terminal was asked before a void. Mostly none. */
export function beforeVoidRules(payment: Payment, event: PaymentEvent, answered: number | undefined): readonly Rule[] {
  const { askedToVoid, status } = payment;
  if (askedToVoid === undefined || status !== "authorized" || isHeldBack(wantedCharge(payment))) return [];
  // A terminal that lost its memory can answer no earlier query.
  if (event === "forgot") return [callsOperator];
  const rule = answered === askedToVoid ? beforeVoid[event] : undefined;
  return rule ? [rule] : [];
}
