import { describe, expect, it } from "vitest";
import type { Discount, Payment } from "../../../../shared/domain/payment/record/payment.ts";
import { decideReport } from "../../../../shared/domain/payment/reports/reports.ts";
import { voucherFate } from "../../../../shared/domain/payment/life/voucher-use.ts";
import { aCharge, aPaymentIn, now } from "../../../support/a-payment.ts";
import { alertsOf, changeBy, context, eventsOf, resolved } from "../a-resolution.ts";

const paid = { of: "payment", outcome: "paid" } as const;
/** A voucher of 20.00 that was offered to the terminal, and is not answered yet. */
const voucher: Discount = {
  discountId: "d1",
  amount: 2_000,
  voucherTokenId: "t1",
  reserved: true,
  status: "requested",
  commandId: "c2",
  createdAt: now,
  updatedAt: now,
};
const offered = aPaymentIn("reconciling", { discounts: [voucher] });
const releases = (payment: Payment, more: object) => changeBy(payment, { ...paid, ...more }).effects;

describe("an operator who records a payment as paid without an amount", () => {
  it.each([
    ["a discount is open", offered, "125.50 SEK or 105.50 SEK"],
    [
      "a capture of a part was requested",
      aPaymentIn("captureRequested", { captureAmount: 5_000 }),
      "125.50 SEK or 50.00 SEK",
    ],
    [
      "a part of the charge was captured",
      aPaymentIn("voidRequested", {
        charges: [aCharge("reversing", { captured: 5_000 })],
      }),
      "125.50 SEK or 50.00 SEK",
    ],
    [
      "the end closed a discount without an answer",
      aPaymentIn("expired", {
        discounts: [{ ...voucher, status: "refused" }],
      }),
      "125.50 SEK or 105.50 SEK",
    ],
  ])("must enter one if %s", (_, payment, possible) => {
    expect(resolved(payment, paid)).toMatchObject({
      error: { errors: [{ field: "amount", code: "required", message: expect.stringContaining(possible) as string }] },
    });
  });

  it.each([
    ["nothing was taken off", aPaymentIn("reconciling"), 12_550],
    [
      "the terminal has applied the discount",
      aPaymentIn("reconciling", {
        discounts: [{ ...voucher, status: "applied" }],
        amounts: { requested: 12_550, discounted: 2_000, authorized: 0, captured: 0 },
      }),
      10_550,
    ],
    [
      "the voucher was never offered",
      aPaymentIn("reconciling", { discounts: [{ ...voucher, reserved: false }] }),
      12_550,
    ],
    ["the whole charge is known", aPaymentIn("authorized"), 12_550],
  ])("records the only possible amount if %s", (_, payment, amount) => {
    expect(changeBy(payment, paid).payment.amounts.captured).toBe(amount);
  });
});

describe("the amount that an operator gives", () => {
  it.each([
    [105.5, "applied", 2_000, "spent"],
    [125.5, "refused", 0, "free"],
  ] as const)("settles the voucher: paid with %d, it is %s", (amount, status, discounted, fate) => {
    const change = changeBy(offered, { ...paid, amount });
    expect(change.payment).toMatchObject({ discounts: [{ status }], amounts: { discounted } });
    expect(voucherFate(change.payment, "d1")).toBe(fate);
    expect(releases(offered, { amount })).toContainEqual({ kind: "voucherOutcome", tokenId: "t1", discountId: "d1" });
    expect(eventsOf(change)).toContain(`discount.${status} d1`);
    expect(alertsOf(change)).toEqual([]);
  });

  describe("that a discount explains which the payment's end closed as refused", () => {
    const ended = aPaymentIn("declined", { discounts: [{ ...voucher, status: "refused" }] });

    it("applies the discount again, and redeems its voucher", () => {
      const change = changeBy(ended, { ...paid, amount: 105.5 });
      expect(change.payment).toMatchObject({ status: "declined", discounts: [{ status: "applied" }] });
      expect(change.payment.amounts).toMatchObject({ discounted: 2_000, captured: 10_550 });
      expect(voucherFate(change.payment, "d1")).toBe("spent");
      expect(change.effects).toContainEqual({ kind: "voucherOutcome", tokenId: "t1", discountId: "d1" });
      expect(eventsOf(change)).toEqual(["payment.corrected", "discount.applied d1"]);
      expect(alertsOf(change)).toEqual([]);
    });

    it("raises an alert instead if its voucher is used elsewhere", () => {
      const change = changeBy(ended, { ...paid, amount: 105.5 }, { vouchersElsewhere: new Set(["t1"]) });
      expect(change.payment).toMatchObject({ discounts: [{ status: "refused" }], amounts: { captured: 10_550 } });
      expect(change.effects.map(({ kind }) => kind)).not.toContain("voucherOutcome");
      expect(alertsOf(change)).toEqual(["amountDiffers d1"]);
    });
  });

  describe("that no total explains", () => {
    const doubted = changeBy(offered, { ...paid, amount: 111 });

    it("holds the voucher, and an alert names it", () => {
      expect(doubted.payment).toMatchObject({ status: "captured", discounts: [{ status: "requested" }] });
      expect(voucherFate(doubted.payment, "d1")).toBe("held");
      expect(doubted.effects.map(({ kind }) => kind)).not.toContain("voucherOutcome");
      expect(doubted.effects).toContainEqual({
        kind: "alert",
        alert: "amountDiffers",
        about: "d1",
        detail: "no total explains the 111.00 SEK that was paid; the voucher t1 stays held",
      });
    });

    it.each([
      [{ ...paid, amount: 105.5 }, "spent"],
      [{ of: "discount", outcome: "applied", discountId: "D1" }, "spent"],
      [{ of: "discount", outcome: "refused", discountId: "d1" }, "free"],
      [{ of: "payment", outcome: "unpaid" }, "free"],
    ] as const)("is decided by another word: %j", (said, fate) => {
      const change = changeBy(doubted.payment, said);
      expect(voucherFate(change.payment, "d1")).toBe(fate);
      expect(change.effects.map(({ kind }) => kind)).toContain("voucherOutcome");
    });

    it("is decided by the terminal's own answer, if that comes late", () => {
      const report = { reportId: "r1", type: "discountApplied", discountId: "d1" } as const;
      const change = decideReport(doubted.payment, report, context, undefined);
      expect(voucherFate(change.payment, "d1")).toBe("spent");
      const again = { of: "discount", outcome: "refused", discountId: "d1" } as const;
      expect(resolved(change.payment, again)).toMatchObject({ error: { code: "invalid_state" } });
    });
  });
});

it("a payment is not unpaid after a refund of its money, even if none of its charges is known", () => {
  const { payment } = changeBy(aPaymentIn("reconciling"), paid);
  const refund = { refundId: "f1", idAsReceived: "f1", names: [], amount: 3_000, reason: "", commandId: "c3" } as const;
  const times = { sequence: 3, createdAt: now, updatedAt: now };
  const refunds = [{ ...refund, ...times, status: "succeeded" as const }];
  expect(resolved({ ...payment, refunds }, { of: "payment", outcome: "unpaid" })).toMatchObject({
    error: { code: "invalid_state", detail: expect.stringContaining("refunded") as string },
  });
});
