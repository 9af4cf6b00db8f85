import { expect, it } from "vitest";
import type { Change } from "../../../../shared/domain/payment/life/advance.ts";
import { bookingsOf } from "../../../../shared/domain/payment/life/bookings.ts";
import type { Payment } from "../../../../shared/domain/payment/record/payment.ts";
import type { Report } from "../../../../shared/domain/payment/record/report.ts";
import { decideReport } from "../../../../shared/domain/payment/reports/reports.ts";
import { decideResolution } from "../../../../shared/domain/payment/operator/decide-resolution.ts";
import type { Outcome } from "../../../../shared/domain/payment/operator/resolution.ts";
import { movementsOf, totalsOf } from "../../../../shared/domain/terminal-day/totals.ts";
import { aCharge, aPaymentIn, now } from "../../../support/a-payment.ts";
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
const shown = (before: Payment, change: Change) =>
  bookingsOf(before, change).map(({ kind, counted, direction, amount, businessDay: day }) => {
    const count = counted === undefined ? "" : ` as ${counted.count} ${counted.kind}`;
    return `${kind} ${direction} ${amount}${count} on ${day}`;
  });

/** An operator's resolution, for the terminal's day. */
function correctionBy(payment: Payment, said: Outcome): Change {
  const resolution = { ...said, businessDay, by: "ada", why: "the acquirer's list" };
  const decided = decideResolution(payment, resolution, { ...context, isAlerted: true });
  if (!decided.ok) throw new Error(`refused: ${JSON.stringify(decided)}`);
  return decided.value;
}

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
  const corrected = correctionBy(payment, said);
  expect(shown(payment, corrected)).toEqual([expect.stringMatching(/^correction .* as 1 /)]);
  const { payment: recorded } = corrected;
  const change = decideReport(recorded, { ...report, reportId: "r1" }, context, undefined);
  expect(shown(recorded, change)).toEqual([back, own]);
});

it.each<[string, Payment, Omit<Report, "reportId">, Outcome, number]>([
  [
    "capture of more",
    aPaymentIn("captureRequested", { charges: [aCharge("authorized")] }),
    { ...money, type: "captured", chargeId: "charge-1", amount: 12_000 },
    { of: "payment", outcome: "paid", amount: 125.5 },
    12_550,
  ],
  [
    "capture of less",
    aPaymentIn("captureRequested", { charges: [aCharge("authorized")] }),
    { ...money, type: "captured", chargeId: "charge-1", amount: 12_550 },
    { of: "payment", outcome: "paid", amount: 120 },
    12_000,
  ],
  [
    "refund of more",
    aPaymentIn("captured", { refunds: [refund] }),
    { ...money, type: "refunded", refundId: "f1", amount: 2_000 },
    { of: "refund", refundId: "f1", outcome: "succeeded", amount: 25.5 },
    2_550,
  ],
  [
    "refund of less",
    aPaymentIn("captured", { refunds: [refund] }),
    { ...money, type: "refunded", refundId: "f1", amount: 2_550 },
    { of: "refund", refundId: "f1", outcome: "succeeded", amount: 20 },
    2_000,
  ],
])("a terminal that confirms the corrected amount of a %s made one movement", (_, payment, first, said, amount) => {
  const reported = decideReport(payment, { ...first, reportId: "r1" }, context, undefined);
  const corrected = correctionBy(reported.payment, said);
  const confirmed = decideReport(corrected.payment, { ...first, amount, reportId: "r2" }, context, undefined);
  const bookings = [
    ...bookingsOf(payment, reported),
    ...bookingsOf(reported.payment, corrected),
    ...bookingsOf(corrected.payment, confirmed),
  ];
  expect(bookings).toHaveLength(4);
  const kind = first.type === "captured" ? "capture" : "refund";
  expect(totalsOf(movementsOf(bookings))).toMatchObject([
    { [kind]: { count: 1, amount }, reversal: { count: 0, amount: 0 } },
  ]);
});
