import { describe, expect, it } from "vitest";
import { standardTimings } from "../../../shared/domain/timings.ts";
import { lookOf, withDeadlines } from "../../../shared/domain/payment/life/deadlines.ts";
import { isAwaited } from "../../../shared/domain/payment/life/timeouts.ts";
import type { Deadline } from "../../../shared/domain/payment/record/deadline.ts";
import type { Payment, Refund } from "../../../shared/domain/payment/record/payment.ts";
import { after } from "../../../shared/domain/time.ts";
import { aCharge, aPaymentIn, now } from "../../support/a-payment.ts";

const reversing = (more: Partial<NonNullable<Payment["charges"][number]["reversal"]>> | "waits" = {}) => ({
  ...aCharge("reversing"),
  reversal: more === "waits" ? undefined : { sequence: 3, since: now, ...more },
});
const refund = (status: Refund["status"], statusReason?: Refund["statusReason"]): Refund => ({
  refundId: "r",
  idAsReceived: "R",
  names: [],
  amount: 100,
  reason: "",
  status,
  statusReason,
  commandId: "c",
  sequence: 4,
  createdAt: now,
  updatedAt: now,
});
const captured = (more: Partial<Payment>) => aPaymentIn("captured", more);
const doubted = refund("pending", "outcomeUnknown");

it.each<[boolean, Deadline["name"], string, Payment, string?]>([
  [true, "acceptance", "a payment that nobody has begun", aPaymentIn("pending")],
  [false, "acceptance", "one that has begun", aPaymentIn("inProgress")],
  [true, "capture", "an authorization", aPaymentIn("authorized")],
  [false, "capture", "an authorization that is captured", captured({})],
  [true, "outcome", "a capture", aPaymentIn("captureRequested")],
  [true, "doubt", "a payment in doubt", aPaymentIn("reconciling")],
  [false, "doubt", "a payment of a refund in doubt", captured({ refunds: [doubted] })],
  [true, "doubt", "a refund in doubt", captured({ refunds: [doubted] }), "r"],
  [false, "doubt", "a refund that is pending", captured({ refunds: [refund("pending")] }), "r"],
  [false, "doubt", "another refund", captured({ refunds: [doubted] }), "other"],
  [true, "outcome", "a refund that is pending", captured({ refunds: [refund("pending")] }), "r"],
  [false, "outcome", "a refund that is settled", captured({ refunds: [refund("failed")] }), "r"],
  [true, "reversal", "a try to give a charge back", captured({ charges: [reversing()] }), "charge-1"],
  [false, "reversal", "another charge", captured({ charges: [reversing()] }), "charge-2"],
  [true, "nextReversal", "a reversal that waits for its turn", captured({ charges: [reversing("waits")] })],
  [false, "nextReversal", "reversals that have all begun", captured({ charges: [reversing()] })],
])("it is %s that a deadline of %s is awaited by %s", (isStill, name, _, payment, about) => {
  expect(isAwaited(payment, { name, about })).toBe(isStill);
});

const at = (seconds: number, name: Deadline["name"] = "expiry", about?: string): Deadline => ({
  name,
  ...(about !== undefined && { about }),
  at: after(now, seconds),
});

describe("the deadlines of a payment", () => {
  it("are in the order of their times, and one replaces the earlier one of its name and subject", () => {
    const payment = captured({ refunds: [doubted], deadlines: [at(60, "outcome", "r"), at(90, "doubt", "r")] });
    const { payment: next, effects } = withDeadlines(payment, [
      { kind: "deadline", ...at(30, "doubt", "r") },
      { kind: "orderUpdate" },
    ]);
    expect(next.deadlines).toEqual([at(30, "doubt", "r"), at(60, "outcome", "r")]);
    expect(effects).toEqual([{ kind: "orderUpdate" }]);
  });

  it("leave with what they were about", () => {
    const deadlines = [at(30, "acceptance"), at(60, "outcome", "r")];
    expect(withDeadlines(captured({ refunds: [refund("succeeded")], deadlines }), []).payment.deadlines).toEqual([]);
  });
});

it.each<[string, readonly Deadline[], readonly Deadline[], number, number?]>([
  ["needs none if it awaits nothing", [at(30)], [], 1],
  ["needs one if it awaited nothing before", [], [at(30)], 1, 30],
  ["needs none if it awaited something earlier", [at(30)], [at(120)], 1],
  ["needs none if it awaited something for the same time", [at(30)], [at(30)], 1],
  ["needs one if it awaits something earlier", [at(30)], [at(20), at(30)], 1, 20],
  ["needs none while the look for what it awaited may still come", [at(30)], [at(120)], 89],
  ["needs one if the look for what it awaited has not come", [at(30)], [at(120)], 90, 120],
])("a change %s", (_, before, next, seconds, look) => {
  const changed = aPaymentIn("inProgress", { deadlines: next, updatedAt: after(now, seconds) });
  expect(lookOf(aPaymentIn("pending", { deadlines: before }), changed, standardTimings)).toBe(look && after(now, look));
});
