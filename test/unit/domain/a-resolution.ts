import type { Change } from "../../../shared/domain/payment/life/advance.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { Outcome, ResolutionContext } from "../../../shared/domain/payment/operator/resolution.ts";
import { decideResolution } from "../../../shared/domain/payment/operator/decide-resolution.ts";
import { now, timings } from "../../support/a-payment.ts";

export const context = { now, commandId: "c9", timings };

/** The payment after an operator's decision. An open alert names the payment unless the test says otherwise. */
export const resolved = (payment: Payment, said: Outcome, isAlerted = true, known: Partial<ResolutionContext> = {}) =>
  decideResolution(payment, { ...said, by: "ada", why: "the acquirer's list" }, { ...context, isAlerted, ...known });

/** The change that an operator's decision makes. */
export function changeBy(payment: Payment, said: Outcome, known: Partial<ResolutionContext> = {}): Change {
  const decided = resolved(payment, said, true, known);
  if (!decided.ok) throw new Error(`refused: ${JSON.stringify(decided)}`);
  return decided.value;
}

/** The types of a change's events for the partner, each with its subject. */
export const eventsOf = ({ effects }: Change): string[] =>
  effects.flatMap((effect) =>
    effect.kind === "webhook" ? [[effect.type, effect.about].filter(Boolean).join(" ")] : [],
  );

/** The charges that a change requests the terminal to void. */
export const voidsOf = ({ effects }: Change): (string | undefined)[] =>
  effects.flatMap((e) => (e.kind === "message" && e.message.type === "void" ? [e.message.chargeId] : []));

/** The alerts that a change raises, each with its subject. */
export const alertsOf = ({ effects }: Change): string[] =>
  effects.flatMap((effect) =>
    effect.kind === "alert" ? [[effect.alert, effect.about].filter(Boolean).join(" ")] : [],
  );
