import type { ReportEvent } from "./events.ts";
import type { RefundState } from "./payment.ts";

/** A report that is no transition: it agrees with what is known, or contradicts it. */
export type Verdict = "agrees" | "contradicts";
export const agrees = "agrees";
export const contradicts = "contradicts";

/** These say how far the terminal is. They come late and in any order, and never contradict. */
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
/** Nothing was captured, voided or refunded before the payment is approved; that a refund failed is true of none. */
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
/** After an approval the terminal cannot say that there was none, and no other approval is wanted. */
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

/** What a report of a refund is, by how the refund stands that it names; `unknown` was never requested. */
const refundVerdicts = {
  pending: { refunded: "moves", refundFailed: "moves" },
  succeeded: { refunded: agrees, refundFailed: contradicts },
  failed: { refunded: contradicts, refundFailed: agrees },
  unknown: { refunded: contradicts, refundFailed: agrees },
} as const satisfies Record<RefundState | "unknown", Record<(typeof refundReports)[number], "moves" | Verdict>>;

/** What a report is to the refund that it names. */
export const refundVerdictOf = (
  state: (typeof refundStates)[number],
  event: (typeof refundReports)[number],
): "moves" | Verdict => refundVerdicts[state][event];
