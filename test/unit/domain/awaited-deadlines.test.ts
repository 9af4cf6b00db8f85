import { expect, it } from "vitest";
import type { Deadline } from "../../../shared/domain/effects.ts";
import type { Payment, Refund } from "../../../shared/domain/payment/record/payment.ts";
import { isAwaited } from "../../../shared/domain/payment/life/timeouts.ts";
import { aCharge, aPaymentIn, now } from "../../support/a-payment.ts";

const of = "command-1";
const reversing = (commandId?: string) => ({
  ...aCharge("reversing"),
  reversal: commandId === undefined ? undefined : { commandId, sequence: 3, since: now },
});
const refund = (status: Refund["status"]): Refund => ({
  refundId: "r",
  idAsReceived: "R",
  names: [],
  amount: 100,
  reason: "",
  status,
  statusReason: "outcomeUnknown",
  commandId: of,
  sequence: 4,
  createdAt: now,
  updatedAt: now,
});

const captured = (more: Partial<Payment>) => aPaymentIn("captured", more);

it.each<[boolean, Deadline, string, Payment]>([
  [true, "acceptance", "a payment that nobody has begun", aPaymentIn("pending")],
  [false, "acceptance", "one that has begun", aPaymentIn("inProgress")],
  [true, "capture", "an authorization that does not name its latest deadline", aPaymentIn("authorized")],
  [true, "capture", "an authorization", aPaymentIn("authorized", { deadlines: { capture: of } })],
  [
    false,
    "capture",
    "an authorization with a later deadline",
    aPaymentIn("authorized", { deadlines: { capture: "l" } }),
  ],
  [true, "outcome", "the capture that it was set for", aPaymentIn("captureRequested", { deadlines: { outcome: of } })],
  [false, "outcome", "a later capture", aPaymentIn("captureRequested", { deadlines: { outcome: "later" } })],
  [true, "doubt", "a payment in doubt", aPaymentIn("reconciling")],
  [false, "doubt", "a payment with a later doubt", aPaymentIn("reconciling", { deadlines: { doubt: "later" } })],
  [
    true,
    "doubt",
    "a refund in doubt",
    captured({ refunds: [{ ...refund("pending"), commandId: "c", doubtedBy: of }] }),
  ],
  [
    false,
    "doubt",
    "a refund with a later doubt",
    captured({ refunds: [{ ...refund("pending"), commandId: "c", doubtedBy: "l" }] }),
  ],
  [false, "doubt", "a payment that is captured", captured({})],
  [true, "outcome", "a refund that is pending", captured({ refunds: [refund("pending")] })],
  [false, "outcome", "a refund that is settled", captured({ refunds: [refund("failed")] })],
  [true, "reversal", "the reversal that it was set for", captured({ charges: [reversing(of)] })],
  [false, "reversal", "a later try", captured({ charges: [reversing("later")] })],
  [true, "nextReversal", "a reversal that waits for its turn", captured({ charges: [reversing()] })],
  [false, "nextReversal", "reversals that have all begun", captured({ charges: [reversing(of)] })],
])("it is %s that a deadline of %s is awaited by %s", (isStill, deadline, _, payment) => {
  expect(isAwaited(payment, { deadline, commandId: of })).toBe(isStill);
});
