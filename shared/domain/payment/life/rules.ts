import type { PaymentAlertKind } from "../../alert.ts";
import { msBetween, type Instant } from "../../time.ts";
import type { Timings } from "../../timings.ts";
import { isClosed, isHeldBack, ownCharge, wantedCharge, type VoidReason } from "../record/charge.ts";
import type { StateDeadline } from "../record/deadline.ts";
import { isCalledOff, type CancelRequester, type Payment } from "../record/payment.ts";
import type { PaymentState, StatusReason } from "../record/payment.ts";

/** The time of an event, the durations that apply then, and the message that it answers. */
export interface Moment {
  readonly now: Instant;
  readonly timings: Timings;
  /** The sequence of the command whose message a report answers. Undefined if unknown. */
  readonly answered?: number | undefined;
  /** How long before `now` the reported event happened, in milliseconds. Undefined if unknown. */
  readonly agoMs?: number | undefined;
}

/** Whether an approval happened before `expiresAt`, however late its report is. The partner must not have cancelled before the report. */
const isApprovedInTime = (p: Payment, { now, agoMs }: Moment): boolean =>
  agoMs !== undefined && msBetween(p.expiresAt, now) < agoMs && !isCalledOff(p);

export const guards = {
  "capture is automatic": (p: Payment) => p.captureMode === "automatic",
  "it was approved in time or late approvals are kept": (p: Payment, moment: Moment) =>
    isApprovedInTime(p, moment) || p.lateApproval === "keep",
  "the partner requested the cancel": (p: Payment) => p.cancelRequestedBy === "partner",
  "the platform requested the cancel": (p: Payment) => p.cancelRequestedBy === "platform",
  "a cancel is remembered": (p: Payment) => p.cancelRequestedBy !== undefined,
  "its outcome is in doubt": (p: Payment) => p.statusReason === "outcomeUnknown",
  "the terminal forgot": (p: Payment) => p.terminalForgot === true,
  "no cancel is remembered": (p: Payment) => p.cancelRequestedBy === undefined,
  "its capture was requested": (p: Payment) => p.captureAmount !== undefined && !isHeldBack(wantedCharge(p)),
  "an operator must decide": (p: Payment) => isHeldBack(wantedCharge(p)),
  "every charge is closed": (p: Payment) => p.charges.every(isClosed),
  "its own charge is not given back": (p: Payment) => ownCharge(p)?.status === "reversalFailed",
  "its capture failed": (p: Payment) => p.statusReason === "captureFailed",
  "it has run for too long": (p: Payment, { now, timings }: Moment) =>
    msBetween(p.createdAt, now) >= timings.stillRunningSeconds * 1000,
} as const satisfies Record<string, (payment: Payment, moment: Moment) => boolean>;
export type Guard = keyof typeof guards;

/** The messages that a transition can send by itself. */
export type SentMessage = "cancel" | "statusQuery" | "firstStatusQuery" | "capture";

/** The next state after an event, and everything that the transition causes. The first rule whose guards all hold is taken. */
export interface Rule {
  readonly to: PaymentState;
  readonly when?: readonly Guard[];
  /** False if the event is only recorded and the payment's state stays. */
  readonly enters: boolean;
  /** `kept`: the reason why its own charge was given back, or else the payment's present one. */
  readonly reason?: StatusReason | "kept";
  /** The requester of the cancel. The first one is kept. */
  readonly cancelBy?: CancelRequester;
  readonly sends?: SentMessage;
  /** The payment awaits the terminal's answer to this command's message from now on. */
  readonly awaits?: true;
  readonly arms?: StateDeadline;
  /** The status query that it sends decides whether the charge is voided. */
  readonly asksToVoid?: true;
  /** The captured amount from now on: all that was authorized, or what the capture requested. */
  readonly captures?: "authorized" | "requested";
  /** The payment's own charge is given back from now on, for this reason. */
  readonly reverses?: VoidReason;
  /** The alert that the rule raises, because the payment will not go on by itself. */
  readonly raises?: PaymentAlertKind;
}

/** The effects of entering a state, whichever event led to it. */
const atEntry: Partial<Record<PaymentState, Pick<Rule, "sends" | "awaits" | "arms">>> = {
  inProgress: { arms: "expiry" },
  cancelRequested: { sends: "cancel", awaits: true, arms: "answer" },
  reconciling: { sends: "statusQuery", arms: "doubt" },
  authorized: { arms: "capture" },
  captureRequested: { sends: "capture", awaits: true, arms: "outcome" },
};

type More = Omit<Rule, "to" | "enters">;
/** The state is entered. */
export const to = (state: PaymentState, more: More = {}): Rule => ({
  to: state,
  enters: true,
  ...atEntry[state],
  ...more,
});
/** The state is entered again. Only what is given here is sent and armed. The awaited message stays the same. */
export const again = (state: PaymentState, more: More): Rule => ({ to: state, enters: true, ...more });
/** The payment stays in its state. */
export const stays = (state: PaymentState, more: More = {}): Rule => ({ to: state, enters: false, ...more });
