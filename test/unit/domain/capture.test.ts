import { describe, expect, it } from "vitest";
import { requestCapture } from "../../../shared/domain/payment/requests/capture.ts";
import { aPaymentIn } from "../../support/a-payment.ts";
import { changeBy, context } from "./a-resolution.ts";

/** Of 125.50 SEK. */
const authorized = aPaymentIn("authorized");

describe("a capture of an authorized payment", () => {
  it.each([
    ["all that was authorized", 125.5, 12_550],
    ["less", 125.49, 12_549],
    ["no named amount", undefined, 12_550],
  ])("of %s is requested", (_, captureAmount, inMinorUnits) => {
    expect(requestCapture(authorized, { captureAmount }, context)).toMatchObject({
      ok: true,
      value: { payment: { status: "captureRequested", captureAmount: inMinorUnits } },
    });
  });

  it.each([125.5, undefined])("is replayed after an operator recorded that more was captured: %s", (repeated) => {
    const requested = { captureAmount: 12_550 };
    const { payment } = changeBy(
      aPaymentIn("captured", requested),
      { of: "payment", outcome: "paid", amount: 130 },
      { reports: [{ said: { type: "captured", chargeId: "charge-1", amount: 13_000, currency: "SEK" } }] },
    );
    expect(requestCapture(payment, { captureAmount: repeated }, context)).toEqual({ ok: true, value: "unchanged" });
    expect(requestCapture(payment, { captureAmount: 130 }, context)).toMatchObject({ ok: false });
  });

  it("of more than was authorized is refused, and the refusal names the maximum", () => {
    const message = "must be at most the authorized amount, 125.5";
    expect(requestCapture(authorized, { captureAmount: 125.51 }, context)).toEqual({
      ok: false,
      error: { code: "validation_failed", errors: [{ field: "captureAmount", code: "out_of_range", message }] },
    });
  });
});
