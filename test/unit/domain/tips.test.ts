import { describe, expect, it } from "vitest";
import { toPaymentObject } from "../../../shared/contracts/objects/payment.ts";
import type { Booking } from "../../../shared/domain/booking.ts";
import type { Change } from "../../../shared/domain/payment/life/advance.ts";
import { bookingsOf } from "../../../shared/domain/payment/life/bookings.ts";
import type { Discount, Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { Report } from "../../../shared/domain/payment/record/report.ts";
import { tipChoices, tipIn } from "../../../shared/domain/payment/record/tip.ts";
import { decideReport } from "../../../shared/domain/payment/reports/reports.ts";
import { requestDiscount } from "../../../shared/domain/payment/requests/discount.ts";
import { aCharge, aPaymentIn, now } from "../../support/a-payment.ts";
import { alertsOf, changeBy, context, resolved } from "./a-resolution.ts";

// The payments are of 125.50 SEK, so a tip of 30 % is 37.65 SEK.

const question = { percents: [10, 15], amounts: [2_000, 5_000], custom: true, maximumPercent: 30 };
const tip = { ...question, asked: true };
const aRequested: Discount = {
  discountId: "d1",
  amount: 2_550,
  status: "requested",
  commandId: "c2",
  createdAt: now,
  updatedAt: now,
};
const applied = {
  discounts: [{ ...aRequested, status: "applied" }],
  amounts: { requested: 12_550, discounted: 2_550, authorized: 0, captured: 0 },
} as const;

const running = (more: Partial<Payment> = {}) => aPaymentIn("inProgress", { captureMode: "automatic", tip, ...more });
const reported = (payment: Payment, report: Partial<Report> & Pick<Report, "type">): Change =>
  decideReport(payment, { reportId: "r1", chargeId: "charge-1", currency: "SEK", ...report }, context, undefined);
const approved = (payment: Payment, amount: number, tipAmount?: number) =>
  reported(payment, { type: "authorized", amount, tipAmount });
const shown = (bookings: readonly Booking[]): string[] =>
  bookings.map(({ kind, direction, amount, tip: part = 0 }) => `${kind} ${direction} ${amount} with ${part}`);
const bookedBy = (payment: Payment, change: Change) => shown(bookingsOf(payment, change));

describe("the question of a message", () => {
  it.each([
    [12_550, { maximum: 3_765, amounts: [2_000] }],
    [16_667, { maximum: 5_000, amounts: [2_000, 5_000] }],
    [5, { maximum: 2, amounts: [] }],
  ])("for %i to pay has the maximum, rounded half up, and no amount above it", (sale, choices) => {
    expect(tipChoices(question, sale)).toEqual({ percents: [10, 15], custom: true, ...choices });
  });

  it.each([
    ["every amount is above the maximum", { ...question, percents: [], custom: false }, 1_000],
    ["the maximum is nothing", question, 1],
  ])("is left out if %s", (_, asked, sale) => {
    expect(tipChoices(asked, sale)).toBeUndefined();
  });

  it("is the one of the lower amount in a discount's message", () => {
    const offered = requestDiscount(running({ amountLocked: false }), { discountId: "d1", amount: 9_000 }, context);
    expect(offered.ok && offered.value !== "unchanged" && offered.value.effects[0]).toMatchObject({
      message: { type: "discount", newTotal: 3_550, tip: { percents: [10, 15], amounts: [], maximum: 1_065 } },
    });
  });
});

describe("an approval", () => {
  it.each([
    ["the named tip", running(), 13_805, 1_255, 1_255],
    ["the largest tip", running(), 16_315, 3_765, 3_765],
    ["no tip", running(), 12_550, 0, 0],
    ["no tip, if the terminal names none", running(), 12_550, undefined, 0],
    ["what exceeds the amount to pay, if the terminal names no tip", running(), 13_805, undefined, 1_255],
    ["the tip on what is left to pay", running(applied), 11_000, 1_000, 1_000],
    ["a named tip that shows that a discount was applied", running({ discounts: [aRequested] }), 11_000, 1_000, 1_000],
    ["a named tip that shows that it was not", running({ discounts: [aRequested] }), 13_550, 1_000, 1_000],
  ])("with %s is kept", (_, payment, amount, tipAmount, counted) => {
    const change = approved(payment, amount, tipAmount);
    expect(change.payment).toMatchObject({ status: "captured", amounts: { authorized: amount, captured: amount } });
    expect(toPaymentObject(change.payment)).toMatchObject({
      tip: { asked: true, amount: counted / 100 },
      amounts: { tip: counted / 100, captured: amount / 100 },
      totalAmountInclVat: (amount - counted) / 100,
    });
    expect(bookedBy(payment, change)).toEqual([`capture credit ${amount} with ${counted}`]);
    expect(alertsOf(change)).toEqual([]);
  });

  it.each([
    ["is above the maximum, but the amount is the one to pay", running(), 12_550, 3_766, 0],
    ["was not asked for, but the amount is the one to pay", running({ tip: undefined }), 12_550, 1_255, 0],
    ["is not what exceeds the amount to pay", running(), 13_805, 1_000, 1_255],
    ["is nothing, although more was taken", running(), 13_805, 0, 1_255],
  ])("is kept with an alert if its tip %s", (_, payment, amount, tipAmount, counted) => {
    const change = approved(payment, amount, tipAmount);
    expect(change.payment).toMatchObject({ status: "captured", amounts: { captured: amount } });
    expect(change.payment.charges[0]?.tip ?? 0).toBe(counted);
    expect(alertsOf(change)).toEqual(["amountDiffers charge-1"]);
  });

  it.each([
    ["a tip above the maximum", running(), 16_316, 3_766],
    ["more than the maximum, and no named tip", running(), 16_316, undefined],
    ["a tip that was not asked for", running({ tip: undefined }), 13_805, 1_255],
    ["a tip that the terminal could not ask for", running({ tip: { ...question, asked: false } }), 13_805, 1_255],
    ["a tip on a discounted amount above its maximum", running(applied), 13_001, 3_001],
    ["an amount that a tip or an open discount may explain", running({ discounts: [aRequested] }), 11_000, undefined],
    ["less than the amount to pay", running(), 12_549, undefined],
    ["a tip in another currency", running(), 13_805, undefined],
  ])("with %s is given back, with an alert if it names a tip", (what, payment, amount, tipAmount) => {
    const currency = what.includes("currency") ? "EUR" : "SEK";
    const change = reported(payment, { type: "authorized", amount, tipAmount, currency });
    expect(change.payment).toMatchObject({ status: "voidRequested", statusReason: "amountMismatch" });
    expect(alertsOf(change)).toEqual(tipAmount === undefined ? [] : ["amountDiffers charge-1"]);
  });

  it("of too much says why it is given back", () => {
    expect(approved(running(), 16_316).payment.statusDetail).toBe(
      "163.16 SEK was taken for 125.50 SEK, and a tip can be at most 37.65 SEK",
    );
    expect(approved(running({ discounts: [aRequested] }), 13_000).payment).toMatchObject({
      statusReason: "amountMismatch",
      statusDetail: undefined,
    });
  });
});

it("the first news of a manual capture may be of the amount to pay and the largest tip", () => {
  const payment = aPaymentIn("reconciling", { captureMode: "manual", tip });
  const captured = (amount: number) =>
    decideReport(payment, { reportId: "r1", type: "captured", chargeId: "c", amount, currency: "SEK" }, context, 1);
  expect(captured(16_315).payment).toMatchObject({ status: "authorized", charges: [{ captured: 16_315, tip: 3_765 }] });
  expect(captured(16_316).payment.charges).toEqual([]);
});

describe("a part of a payment", () => {
  const { payment: authorized } = approved(running({ captureMode: "manual" }), 13_805, 1_255);
  const requested = (captureAmount?: number) => ({ ...authorized, status: "captureRequested" as const, captureAmount });

  it.each([
    [undefined, 13_805, "capture credit 13805 with 1255"],
    [13_000, 13_000, "capture credit 13000 with 450"],
    [12_550, 12_550, "capture credit 12550 with 0"],
    [100, 100, "capture credit 100 with 0"],
  ])("that is captured, of %s, takes the sale first", (captureAmount, amount, booking) => {
    const payment = requested(captureAmount);
    expect(bookedBy(payment, reported(payment, { type: "captured", amount }))).toEqual([booking]);
  });

  it("that is refunded is of the sale first, and of the tip last", () => {
    const { payment: captured } = approved(running(), 13_805, 1_255);
    const refunds = [10_000, 3_000, 805].map((amount, i) => ({
      refundId: `refund-${i}`,
      idAsReceived: `refund-${i}`,
      names: [],
      amount,
      reason: "returned",
      status: "pending" as const,
      commandId: `c${i}`,
      sequence: i + 4,
      createdAt: now,
      updatedAt: now,
    }));
    let payment: Payment = { ...captured, refunds };
    const booked = refunds.map(({ refundId, amount }) => {
      const before = payment;
      const change = reported(before, { type: "refunded", chargeId: undefined, refundId, amount });
      ({ payment } = change);
      return bookedBy(before, change);
    });
    expect(booked).toEqual([
      ["refund debit 10000 with 0"],
      ["refund debit 3000 with 450"],
      ["refund debit 805 with 805"],
    ]);
    const undone = changeBy(payment, { of: "refund", outcome: "failed", refundId: "refund-1" });
    expect(bookedBy(payment, undone)).toEqual(["correction credit 3000 with 450"]);
  });
});

describe("an operator who records a payment as paid", () => {
  const paid = { of: "payment", outcome: "paid" } as const;
  const doubted = aPaymentIn("reconciling", { tip });
  const [stray] = approved(aPaymentIn("declined", { tip }), 16_316).payment.charges;
  const reversing = aPaymentIn("declined", { tip, charges: stray ? [stray] : [] });

  it.each([
    ["no amount, while no charge is known", doubted, {}, "amount"],
    ["more than the amount to pay, and no tip", doubted, { amount: 138.05 }, "tip"],
    ["a charge of more than the amount to pay, and no tip", reversing, { amount: 163.16 }, "tip"],
    ["a tip that is the whole amount", doubted, { amount: 10, tip: 10 }, "tip"],
    ["a tip with too many decimals", doubted, { amount: 138.05, tip: 1.255 }, "tip"],
  ])("must correct %s", (_, payment, said, field) => {
    expect(resolved(payment, { ...paid, ...said })).toMatchObject({ error: { errors: [{ field }] } });
  });

  it("books the tip without a charge, and the charge that confirms it takes the tip over", () => {
    const change = changeBy(doubted, { ...paid, amount: 138.05, tip: 12.55 });
    expect(bookedBy(doubted, change)).toEqual(["correction credit 13805 with 1255"]);
    expect(toPaymentObject(change.payment)).toMatchObject({ tip: { amount: 12.55 }, amounts: { tip: 12.55 } });
    const confirmed = approved(change.payment, 13_805, 1_255);
    expect(bookedBy(change.payment, confirmed)).toEqual([
      "correction credit 13805 with 1255",
      "correction debit 13805 with 1255",
    ]);
    const captured = reported(confirmed.payment, { type: "captured", amount: 13_805 });
    expect(bookedBy(confirmed.payment, captured)).toEqual([
      "correction debit 13805 with 1255",
      "capture credit 13805 with 1255",
    ]);
  });

  it("keeps the split of a known charge, of all or of a part", () => {
    const { payment } = approved(running({ captureMode: "manual" }), 13_805, 1_255);
    const whole = changeBy(payment, paid);
    expect(bookedBy(payment, whole)).toEqual(["correction credit 13805 with 1255"]);
    const part = changeBy(payment, { ...paid, amount: 130 });
    expect(bookedBy(payment, part)).toEqual(["correction credit 13000 with 450"]);
    expect(part.payment.charges[0]?.tip).toBe(1_255);
    const otherSplit = changeBy(part.payment, { ...paid, amount: 130, tip: 10 });
    expect(bookedBy(part.payment, otherSplit)).toEqual([
      "correction debit 13000 with 450",
      "correction credit 13000 with 1000",
    ]);
  });

  it("settles an open discount by the amount without the tip", () => {
    const payment = aPaymentIn("reconciling", { tip, discounts: [aRequested] });
    const change = changeBy(payment, { ...paid, amount: 110, tip: 10 });
    expect(change.payment).toMatchObject({ discounts: [{ status: "applied" }], amounts: { discounted: 2_550 } });
    expect(alertsOf(change)).toEqual([]);
  });

  it("books the tip of a charge that was to be given back", () => {
    const change = changeBy(reversing, { ...paid, amount: 163.16, tip: 37.66 });
    expect(bookedBy(reversing, change)).toEqual(["correction credit 16316 with 3766"]);
  });
});

it("the charge of a payment that was requested without a tip has none", () => {
  const object = toPaymentObject(aPaymentIn("captured", { charges: [aCharge("captured")] }));
  expect([object.tip, object.amounts.tip]).toEqual([undefined, undefined]);
});

it("a charge of which more is captured than was approved has no more tip", () => {
  expect(tipIn({ amount: 12_550 }, 16_000)).toBe(0);
  expect(tipIn({ amount: 13_550, tip: 1_000 }, 16_000)).toBe(1_000);
});
