import type { ReportEvent } from "../record/events.ts";
import type { RefundState } from "../record/payment.ts";

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
  captured: contradicts,
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

export const refundStates = ["pending", "succeeded", "failed", "unknown"] as const satisfies (
  | RefundState
  | "unknown"
)[];
export const refundReports = ["refunded", "refundFailed"] as const satisfies ReportEvent[];

/** The verdict on a report of a refund, by the state of the refund that it names. `unknown`: that refund was never requested. */
const refundVerdicts = {
  pending: { refunded: "moves", refundFailed: "moves" },
  succeeded: { refunded: agrees, refundFailed: contradicts },
  failed: { refunded: contradicts, refundFailed: agrees },
  unknown: { refunded: contradicts, refundFailed: agrees },
} as const satisfies Record<RefundState | "unknown", Record<(typeof refundReports)[number], "moves" | Verdict>>;

/** The verdict on a report for a refund in this state. */
export const refundVerdictOf = (
  state: (typeof refundStates)[number],
  event: (typeof refundReports)[number],
): "moves" | Verdict => refundVerdicts[state][event];
