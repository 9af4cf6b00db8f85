import type { PaymentEvent } from "../record/events.ts";
import type { Payment, PaymentState } from "../record/payment.ts";
import { beforeTable, restoringRules } from "./restoring.ts";
import { guards, type Moment, type Rule } from "./rules.ts";
import { rulesFor } from "./transitions.ts";

/** The rule that applies to this payment and event. Undefined if the pair is not a transition. */
export function ruleFor(payment: Payment, event: PaymentEvent, moment: Moment): Rule | undefined {
  const first = beforeTable(payment, event, moment.answered);
  if (first === "waits") return undefined;
  const rules = [...first, ...rulesFor(payment.status, event)];
  return rules.find(({ when = [] }) => when.every((guard) => guards[guard](payment, moment)));
}

/** Every rule for a state and event, both of restoring payments and of others. */
export const everyRuleFor = (state: PaymentState, event: PaymentEvent): readonly Rule[] => [
  ...restoringRules(state, event),
  ...rulesFor(state, event),
];
