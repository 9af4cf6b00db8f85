import { describe, expect, it } from "vitest";
import { decideReport } from "../../../../shared/domain/payment/reports/reports.ts";
import { aCharge, aPaymentIn } from "../../../support/a-payment.ts";
import { alertsOf, context } from "../a-resolution.ts";

/** A capture of 100.50 of 125.50, next to a charge of 50.00 that the merchant has kept. */
const payment = {
  ...aPaymentIn("captured", {
    charges: [aCharge("captured"), aCharge("kept", { chargeId: "charge-2", amount: 5_000 })],
  }),
  amounts: { requested: 12_550, discounted: 0, authorized: 12_550, captured: 15_050 },
};
const reported = { reportId: "r1", type: "captured", chargeId: "charge-1", amount: 10_050, currency: "SEK" } as const;

describe("a repeated report of a capture", () => {
  it("agrees when it matches what is recorded", () => {
    expect(decideReport(payment, reported, context, undefined).effects).toEqual([]);
  });

  it.each([{ amount: 12_550 }, { amount: 15_050 }, { currency: "EUR" }])(
    "raises an alert when its details differ, and changes no amounts: %j",
    (other) => {
      const change = decideReport(payment, { ...reported, ...other }, context, undefined);
      expect(alertsOf(change)).toEqual(["amountDiffers charge-1"]);
      expect(change.payment).toMatchObject({ amounts: payment.amounts, charges: payment.charges });
    },
  );

  it("shows the operator the other amount in the currency's major unit", () => {
    const { effects } = decideReport(payment, { ...reported, amount: 4_000 }, context, undefined);
    expect(effects).toMatchObject([{ kind: "alert", detail: "the terminal reported 40.00 SEK" }]);
  });
});
