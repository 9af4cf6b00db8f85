import { expect, it } from "vitest";
import { bookingsOf } from "../../../../shared/domain/payment/life/bookings.ts";
import type { Payment } from "../../../../shared/domain/payment/record/payment.ts";
import type { Report } from "../../../../shared/domain/payment/record/report.ts";
import { decideReport } from "../../../../shared/domain/payment/reports/reports.ts";
import { decideResolution } from "../../../../shared/domain/payment/operator/decide-resolution.ts";
import type { Outcome } from "../../../../shared/domain/payment/operator/resolution.ts";
import { aPaymentIn, now } from "../../../support/a-payment.ts";
import { context } from "../a-resolution.ts";

const businessDay = now.slice(0, 10);
const money = { currency: "SEK", businessDay };
const refund = {
  refundId: "f1",
  idAsReceived: "F1",
  names: [],
  amount: 2_550,
  reason: "",
  status: "pending",
  commandId: "c3",
  sequence: 3,
  createdAt: now,
  updatedAt: now,
} as const;

/** The bookings of one kind of movement, with the day's count. */
const shown = (before: Payment, change: Parameters<typeof bookingsOf>[1]) =>
  bookingsOf(before, change).map(({ kind, counted, direction, amount, businessDay: day }) => {
    const count = counted === undefined ? "" : ` as ${counted.count} ${counted.kind}`;
    return `${kind} ${direction} ${amount}${count} on ${day}`;
  });

it.each<[string, Payment, Outcome, Omit<Report, "reportId">, string, string]>([
  [
    "capture",
    aPaymentIn("captureRequested"),
    { of: "payment", outcome: "paid" },
    { ...money, type: "captured", chargeId: "charge-1", amount: 12_550 },
    `correction debit 12550 as -1 capture on ${businessDay}`,
    `capture credit 12550 on ${businessDay}`,
  ],
  [
    "capture of less than was requested",
    aPaymentIn("captureRequested"),
    { of: "payment", outcome: "paid", amount: 120 },
    { ...money, type: "captured", chargeId: "charge-1", amount: 12_000 },
    `correction debit 12000 as -1 capture on ${businessDay}`,
    `capture credit 12000 on ${businessDay}`,
  ],
  [
    "refund",
    aPaymentIn("captured", { refunds: [refund] }),
    { of: "refund", refundId: "f1", outcome: "succeeded" },
    { ...money, type: "refunded", refundId: "f1", amount: 2_550 },
    `correction credit 2550 as -1 refund on ${businessDay}`,
    `refund debit 2550 on ${businessDay}`,
  ],
])("a terminal's report of a %s reverses the operator's correction", (_, payment, said, report, back, own) => {
  const step = { ...context, isAlerted: true };
  const decided = decideResolution(payment, { ...said, businessDay, by: "ada", why: "the acquirer's list" }, step);
  if (!decided.ok) throw new Error(`refused: ${JSON.stringify(decided)}`);
  expect(shown(payment, decided.value)).toEqual([expect.stringMatching(/^correction .* as 1 /)]);
  const { payment: recorded } = decided.value;
  const change = decideReport(recorded, { ...report, reportId: "r1" }, context, undefined);
  expect(shown(recorded, change)).toEqual([back, own]);
});
