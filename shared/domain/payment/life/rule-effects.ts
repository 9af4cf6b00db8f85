import type { TerminalMessage } from "../../terminal-message.ts";
import { wantedCharge } from "../record/charge.ts";
import type { Payment } from "../record/payment.ts";
import type { Brought } from "./deadlines.ts";
import type { Moment, Rule, SentMessage } from "./rules.ts";
import { timeouts } from "./timeouts.ts";

/** The messages that transitions send, built from the payment. */
const messages: Readonly<Record<SentMessage, (payment: Payment) => TerminalMessage>> = {
  cancel: () => ({ type: "cancel" }),
  statusQuery: () => ({ type: "statusQuery" }),
  firstStatusQuery: () => ({ type: "statusQuery", first: true }),
  capture: (payment) => ({
    type: "capture",
    chargeId: wantedCharge(payment)?.chargeId,
    amount: payment.captureAmount ?? payment.amounts.authorized,
    currency: payment.currency,
  }),
};

/** The message and the deadline of a rule. */
export function brought(next: Payment, { sends, arms }: Rule, { now, timings }: Moment): readonly Brought[] {
  return [
    ...(sends ? [{ kind: "message", message: messages[sends](next) } as const] : []),
    ...(arms ? [{ kind: "deadline", name: arms, at: timeouts[arms].due({ next, now, timings }) } as const] : []),
  ];
}
