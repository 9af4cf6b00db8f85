import type { PaymentEvent } from "../record/events.ts";
import type { Payment, PaymentState } from "../record/payment.ts";
import { beforeVoid, beforeVoidRules } from "./before-void.ts";
import { beforeTable, restoringRules } from "./restoring.ts";
import { guards, type Moment, type Rule } from "./rules.ts";
import { rulesFor } from "./transitions.ts";

/** The rule that applies to this payment and event. Undefined if the pair is not a transition. */
export function ruleFor(payment: Payment, event: PaymentEvent, moment: Moment): Rule | undefined {
  const first = beforeTable(payment, event, moment.answered);
  if (first === "waits") return undefined;
  const rules = [...first, ...beforeVoidRules(payment, event, moment.answered), ...rulesFor(payment.status, event)];
  return rules.find(({ when = [] }) => when.every((guard) => guards[guard](payment, moment)));
}

/** Every rule for a state and event: of restoring payments, for the answer before a void, and of all others. */
export const everyRuleFor = (state: PaymentState, event: PaymentEvent): readonly Rule[] => [
  ...restoringRules(state, event),
  ...(state === "authorized" ? [beforeVoid[event] ?? []].flat() : []),
  ...rulesFor(state, event),
];
