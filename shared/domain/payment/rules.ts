import type { PaymentAlertKind } from "../alert.ts";
import type { PaymentDeadline } from "../effects.ts";
import { msBetween, type Instant } from "../time.ts";
import type { Timings } from "../timings.ts";
import {
  isClosed,
  wantedCharge,
  type CancelRequester,
  type Payment,
  type PaymentState,
  type StatusReason,
} from "./payment.ts";

/** When an event happens, and the settings that hold then. */
export interface Moment {
  readonly now: Instant;
  readonly timings: Timings;
}

export const guards = {
  "capture is automatic": (p: Payment) => p.captureMode === "automatic",
  "late approvals are kept": (p: Payment) => p.lateApproval === "keep",
  "the partner requested the cancel": (p: Payment) => p.cancelRequestedBy === "partner",
  "the platform requested the cancel": (p: Payment) => p.cancelRequestedBy === "platform",
  "a cancel is remembered": (p: Payment) => p.cancelRequestedBy !== undefined,
  "the terminal forgot": (p: Payment) => p.terminalForgot === true,
  "a charge is wanted": (p: Payment) => wantedCharge(p) !== undefined,
  "every other charge is closed": (p: Payment) => p.charges.every((c) => c === wantedCharge(p) || isClosed(c)),
  "every charge is closed": (p: Payment) => p.charges.every(isClosed),
  "its authorization is over": (p: Payment, { now, timings }: Moment) =>
    msBetween(wantedCharge(p)?.createdAt ?? p.createdAt, now) >= timings.authorizationSeconds * 1000,
  "it has run for too long": (p: Payment, { now, timings }: Moment) =>
    msBetween(p.createdAt, now) >= timings.stillRunningSeconds * 1000,
} as const satisfies Record<string, (payment: Payment, moment: Moment) => boolean>;
export type Guard = keyof typeof guards;

/** The messages that a transition may send by itself. */
export type SentMessage = "cancel" | "statusQuery" | "capture" | "void";

/** Where an event leads, and all that it brings with it. Of several rules the first whose guards all hold is taken. */
export interface Rule {
  readonly to: PaymentState;
  readonly when?: readonly Guard[];
  /** False where something is only noted of a payment that stays as it is. */
  readonly enters: boolean;
  /** `kept`: the reason that the payment has. */
  readonly reason?: StatusReason | "kept";
  /** Who wants the payment gone; the first one is remembered. */
  readonly cancelBy?: CancelRequester;
  readonly sends?: SentMessage;
  /** The terminal's answer to this command's message is awaited from now on. */
  readonly awaits?: true;
  readonly arms?: PaymentDeadline;
  /** What counts as captured from now on: all that was authorized, or what the capture requested. */
  readonly captures?: "authorized" | "requested";
  /** The wanted charge is given back. */
  readonly voids?: true;
  /** What calls an operator: the payment will not go on by itself. */
  readonly raises?: PaymentAlertKind;
}

/** What entering a state brings with it, whatever led there. */
const atEntry: Partial<Record<PaymentState, Pick<Rule, "sends" | "awaits" | "arms">>> = {
  inProgress: { arms: "expiry" },
  cancelRequested: { sends: "cancel", awaits: true, arms: "answer" },
  reconciling: { sends: "statusQuery", arms: "doubt" },
  authorized: { arms: "capture" },
  captureRequested: { sends: "capture", awaits: true, arms: "outcome" },
  voidRequested: { sends: "void", awaits: true, arms: "outcome" },
};

type More = Omit<Rule, "to" | "enters">;
/** The state is entered. */
export const to = (state: PaymentState, more: More = {}): Rule => ({
  to: state,
  enters: true,
  ...atEntry[state],
  ...more,
});
/** The state is entered anew: what is sent and armed is said here alone, and what was awaited is awaited still. */
export const again = (state: PaymentState, more: More): Rule => ({ to: state, enters: true, ...more });
/** The payment stays in its state. */
export const stays = (state: PaymentState, more: More = {}): Rule => ({ to: state, enters: false, ...more });
