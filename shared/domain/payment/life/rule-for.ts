import type { PaymentEvent } from "../record/events.ts";
import type { Payment, PaymentState } from "../record/payment.ts";
import { beforeTable, restoringRules } from "./restoring.ts";
import { guards, type Moment, type Rule } from "./rules.ts";
import { rulesFor } from "./transitions.ts";

/** The rule that holds for this payment and event, or undefined if the pair is not a transition. */
export function ruleFor(payment: Payment, event: PaymentEvent, moment: Moment): Rule | undefined {
  const first = beforeTable(payment, event, moment.answered);
  if (first === "waits") return undefined;
  const rules = [...first, ...rulesFor(payment.status, event)];
  return rules.find(({ when = [] }) => when.every((guard) => guards[guard](payment, moment)));
}

/** Every rule for a state and event, of payments that are restoring and of those that are not. */
export const everyRuleFor = (state: PaymentState, event: PaymentEvent): readonly Rule[] => [
  ...restoringRules(state, event),
  ...rulesFor(state, event),
];
