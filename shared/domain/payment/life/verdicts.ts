import type { ReportEvent } from "../record/events.ts";
import type { Refund } from "../record/payment.ts";

/** The verdict on a report that is not a transition: it agrees with what is known, or contradicts it. */
export type Verdict = "agrees" | "contradicts";
export const agrees = "agrees";
export const contradicts = "contradicts";

/** Reports on the terminal's progress. They come late and in any order, and never contradict. */
const progress = {
  acknowledged: agrees,
  accepted: agrees,
  amountLocked: agrees,
  stillRunning: agrees,
  started: agrees,
  forgot: agrees,
  discountApplied: agrees,
  discountRefused: agrees,
} as const;
/** Before an approval, nothing was captured, voided or refunded. A failed refund agrees, since no refund was made. */
export const beforeApproval = {
  ...progress,
  reversed: contradicts,
  captureFailed: contradicts,
  voided: contradicts,
  voidFailed: contradicts,
  refunded: contradicts,
  refundFailed: agrees,
} as const;
/** After an approval, a report that there was no approval contradicts. So does another approval. */
export const afterApproval = {
  ...progress,
  authorized: contradicts,
  authorizedOtherAmount: contradicts,
  declined: contradicts,
  failed: contradicts,
  cancelled: contradicts,
  notStarted: contradicts,
} as const;

/** `decided`: an operator recorded that the refund failed. `unknown`: it was never requested from the terminal. */
export const refundStates = ["pending", "succeeded", "failed", "decided", "unknown"] as const;
type KnownRefund = (typeof refundStates)[number];
export const refundReports = ["refunded", "refundFailed"] as const satisfies ReportEvent[];

/** The verdict on a report of a refund, by the state of the refund that it names. A refund that was made counts, whatever was said before. */
const refundVerdicts = {
  pending: { refunded: "moves", refundFailed: "moves" },
  succeeded: { refunded: agrees, refundFailed: contradicts },
  failed: { refunded: "moves", refundFailed: agrees },
  decided: { refunded: contradicts, refundFailed: agrees },
  unknown: { refunded: contradicts, refundFailed: agrees },
} as const satisfies Record<KnownRefund, Record<(typeof refundReports)[number], "moves" | Verdict>>;

export const knownRefund = (refund: Pick<Refund, "status" | "statusReason"> | undefined): KnownRefund =>
  refund?.status === "failed" && refund.statusReason === "settledByOperator"
    ? "decided"
    : (refund?.status ?? "unknown");

/** The verdict on a report for a refund in this state. */
export const refundVerdictOf = (state: KnownRefund, event: (typeof refundReports)[number]): "moves" | Verdict =>
  refundVerdicts[state][event];
