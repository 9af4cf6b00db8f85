import { describe, expect, it } from "vitest";
import type { Discount } from "../../../shared/domain/payment/payment.ts";
import { aPaymentIn, now } from "../../support/a-payment.ts";
import { alertsOf, changeBy, resolved } from "./a-resolution.ts";

const paid = { of: "payment", outcome: "paid" } as const;
/** A voucher of 20.00 on a payment of 125.50. The terminal was offered it, and has not answered. */
const offered: Discount = {
  discountId: "d1",
  amount: 2_000,
  voucherTokenId: "t1",
  reserved: true,
  status: "requested",
  commandId: "c2",
  createdAt: now,
  updatedAt: now,
};
const doubted = aPaymentIn("reconciling", { discounts: [offered] });

describe("the amount of a payment that an operator resolves as paid", () => {
  it.each([
    ["a discount is not answered", doubted, "125.5 or 105.5 SEK"],
    ["a part was requested", aPaymentIn("captureRequested", { captureAmount: 5_000 }), "125.5 or 50 SEK"],
  ])("must be given while %s", (_, payment, amounts) => {
    expect(resolved(payment, paid)).toMatchObject({
      error: { errors: [{ field: "amount", message: expect.stringContaining(amounts) as string }] },
    });
  });

  it.each([
    [105.5, "applied", 2_000],
    [125.5, "refused", 0],
  ])("settles an open discount: with %d it is %s", (amount, status, discounted) => {
    const change = changeBy(doubted, { ...paid, amount });
    expect(change.payment).toMatchObject({ discounts: [{ status }], amounts: { discounted } });
    expect(change.effects).toContainEqual({ kind: "voucherOutcome", tokenId: "t1", discountId: "d1" });
    expect(alertsOf(change)).toEqual([]);
  });

  it("leaves the voucher held if no total explains it, and an alert names the discount", () => {
    const change = changeBy(doubted, { ...paid, amount: 110 });
    expect(change.payment.discounts).toMatchObject([{ status: "requested", statusReason: "outcomeUnknown" }]);
    expect(change.effects.map(({ kind }) => kind)).not.toContain("voucherOutcome");
    expect(alertsOf(change)).toEqual(["amountDiffers d1"]);
  });
});
