import { again, to } from "./rules.ts";

// The rules of an approval, for payments that have no charge yet.

export const approvedInTime = [
  to("captured", { captures: "authorized", when: ["capture is automatic"] }),
  to("authorized"),
];
const isKept = "it was approved in time or late approvals are kept";
export const approvedLate = [
  to("captured", { captures: "authorized", when: [isKept, "capture is automatic"] }),
  to("authorized", { when: [isKept] }),
  again("voidRequested", { reason: "lateApproval" }),
];
/** An approval must have the requested amount. An approval of any other amount, even of a part, is voided. */
export const approvedOtherAmount = again("voidRequested", { reason: "amountMismatch" });
/**
 * A capture that is the first news of a payment in doubt. The platform lost the payment, and its partner requested it again. The sale stands
 * unless a cancel is remembered. If capture is manual, the payment is authorized, and the amount is kept on its charge.
 */
export const capturedAlready = [
  to("captured", { captures: "authorized", when: ["no cancel is remembered", "capture is automatic"] }),
  to("authorized", { when: ["no cancel is remembered"] }),
  ...approvedLate,
];
