import type { PaymentEvent } from "../record/events.ts";
import type { PaymentState } from "../record/payment.ts";
import { again, stays, to, type Rule } from "./rules.ts";

// What a report means while a restored payment's first status query is not answered. The terminal went on after the export: it may have
// approved, captured or voided what the books still hold as to be done. These rules come before those of the table of transitions.

/** The platform was restored from an export: the terminal is queried before anything else is handed out to it. */
export const restoredTo = (state: PaymentState): Rule =>
  again(state, { reason: "outcomeUnknown", sends: "firstStatusQuery", arms: "doubt" });

type Rules = Rule | readonly Rule[];

/** An approval counts as in time, except where the books hold a cancel: nobody but the restore made it late. */
const approved = [
  to("captured", { captures: "authorized", when: ["capture is automatic", "no cancel is remembered"] }),
  to("authorized", { when: ["no cancel is remembered"] }),
];
const captured = to("captured", { captures: "requested" });
const voided = [
  to("voided", { voids: true, when: ["every other charge is closed"] }),
  again("voidRequested", { voids: true }),
];
/** The terminal holds the authorization, as the books do. */
const held = to("authorized");

const afterRestore: Partial<Record<PaymentState, Partial<Record<PaymentEvent, Rules>>>> = {
  reconciling: { authorized: approved, captured, voided },
  authorized: { authorized: held, captureFailed: held, voidFailed: held, captured, voided },
  // A failure may be of an earlier try: the message of the latest one follows the query.
  captureRequested: { voided, captureFailed: stays("captureRequested") },
  voidRequested: { captured, voidFailed: stays("voidRequested") },
};

/** The rules for a state and event until the terminal has answered how a restored payment stands; none where a restore changes nothing. */
export const rulesAfterRestore = (state: PaymentState, event: PaymentEvent): readonly Rule[] =>
  [afterRestore[state]?.[event] ?? []].flat();

/**
 * Whether the event waits for that answer: the money of an authorization is neither requested nor given back before it is known where it
 * is. The partner is refused and may repeat its request; the deadline is set again by the answer.
 */
export const isPutOff = (state: PaymentState, event: PaymentEvent): boolean =>
  state === "authorized" && (event === "capture" || event === "cancel" || event === "captureOverdue");
