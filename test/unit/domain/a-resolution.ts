import type { Change } from "../../../shared/domain/payment/life/advance.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { Outcome } from "../../../shared/domain/payment/operator/resolution.ts";
import { resolve } from "../../../shared/domain/payment/operator/resolve.ts";
import { now, timings } from "../../support/a-payment.ts";

export const context = { now, commandId: "c9", timings };

/** What becomes of a payment by an operator's word, while an open alert names it unless the test says otherwise. */
export const resolved = (payment: Payment, said: Outcome, isAlerted = true) =>
  resolve(payment, { ...said, by: "ada", why: "the acquirer's list" }, { ...context, isAlerted });

/** The change that an operator's word makes. */
export function changeBy(payment: Payment, said: Outcome): Change {
  const decided = resolved(payment, said);
  if (!decided.ok) throw new Error(`refused: ${JSON.stringify(decided)}`);
  return decided.value;
}

/** The types of the events that a change tells the partner, each with what it is about. */
export const eventsOf = ({ effects }: Change): string[] =>
  effects.flatMap((effect) =>
    effect.kind === "webhook" ? [[effect.type, effect.about].filter(Boolean).join(" ")] : [],
  );

/** The charges that a change asks the terminal to void. */
export const voidsOf = ({ effects }: Change): (string | undefined)[] =>
  effects.flatMap((e) => (e.kind === "message" && e.message.type === "void" ? [e.message.chargeId] : []));

/** The alerts that a change raises, each with what it is about. */
export const alertsOf = ({ effects }: Change): string[] =>
  effects.flatMap((effect) =>
    effect.kind === "alert" ? [[effect.alert, effect.about].filter(Boolean).join(" ")] : [],
  );
