import { describe, expect, it } from "vitest";
import { paymentStates, type PaymentState } from "../../../shared/domain/payment/record/payment.ts";
import { requestCancel } from "../../../shared/domain/payment/requests/cancel.ts";
import { requestCapture } from "../../../shared/domain/payment/requests/capture.ts";
import { requestDiscount } from "../../../shared/domain/payment/requests/discount.ts";
import { requestRefund } from "../../../shared/domain/payment/requests/refund.ts";
import { refundRequest } from "../../../shared/domain/payment/requests/refund-request.ts";
import { aPaymentIn } from "../../support/a-payment.ts";
import { context } from "./a-resolution.ts";

/** The same request for a payment in each state. */
const requests = {
  cancel: (state: PaymentState) => requestCancel(aPaymentIn(state), false, context),
  capture: (state: PaymentState, amount?: number) =>
    requestCapture(aPaymentIn(state), { captureAmount: amount }, context),
  refund: (state: PaymentState, refundAmount = 1, currency = "SEK") => {
    const payment = aPaymentIn(state);
    const request = refundRequest(payment, { currency, refundAmount, reason: "cold" }, () => "r1");
    return request.ok ? requestRefund(payment, request.value, context) : request;
  },
  discount: (state: PaymentState, more: object = {}) =>
    requestDiscount(aPaymentIn(state), { discountId: "d1", amount: 100, ...more }, context),
};
const operations = ["cancel", "capture", "refund", "discount"] as const;

describe("a refusal because of the payment's state", () => {
  it.each(operations.flatMap((operation) => paymentStates.map((state) => [operation, state] as const)))(
    "of a %s while it is %s says what fits instead",
    (operation, state) => {
      const decided = requests[operation](state);
      const told = decided.ok || ("detail" in decided.error && (decided.error.detail ?? "").length > 30);
      expect(told).toBe(true);
    },
  );

  it.each([
    ["cancel", "captured", "refund it"],
    ["capture", "pending", "payment.authorized"],
    ["capture", "captured", "refund the difference"],
    ["capture", "declined", "new sessionID"],
    ["refund", "authorized", "cancel the payment"],
    ["refund", "captureRequested", "payment.captured"],
    ["discount", "authorized", "capture less"],
  ] as const)("of a %s while it is %s: %s", (operation, state, words) => {
    const decided = operation === "capture" ? requests.capture(state, 100) : requests[operation](state);
    expect(decided).toMatchObject({
      error: { code: "invalid_state", currentStatus: state, detail: expect.stringContaining(words) as string },
    });
  });
});

describe("a refused amount", () => {
  const tooMuch = (field: string, message: string) => ({
    ok: false,
    error: { errors: [{ field, code: "out_of_range", message }] },
  });

  it.each([
    [{ amount: 12_550 }, "discountAmount", "must be below 125.5, which is left to pay"],
    [{ amount: 0 }, "discountAmount", "must be above zero"],
    [{ amount: 12_550, percent: 100 }, "discountPercent", "must leave a total above zero"],
    [{ amount: 0, percent: 0.01 }, "discountPercent", "must be more: it reduces the total by nothing"],
    [{ amount: 20_000, voucherTokenId: "v1" }, "voucherCode", "must be worth less than 125.5, which is left to pay"],
    [{ vatAfter: 12_451 }, "totalVatAmount", "must be at most 124.5, the total that is left"],
  ])("of a discount names its own field and the bound", (more, field, message) => {
    expect(requests.discount("inProgress", more)).toMatchObject(tooMuch(field, message));
  });

  it("of a refund names its field, and what is left", () => {
    const left = "must be at most 125.5, which is left to refund";
    expect(requests.refund("captured", 125.51)).toMatchObject(tooMuch("refundAmount", left));
    const payment = aPaymentIn("captured", { amounts: { ...aPaymentIn("captured").amounts, captured: 0 } });
    const request = { refundId: "r1", idAsReceived: "r1", names: ["r1"], amount: 1, reason: "cold" };
    const none = "is too much: nothing is left to refund";
    expect(requestRefund(payment, request, context)).toMatchObject(tooMuch("refundAmount", none));
  });

  it("in another currency names the payment's", () => {
    expect(requests.refund("captured", 1, "EUR")).toMatchObject({
      error: { code: "currency_mismatch", detail: "The payment is in SEK." },
    });
  });
});
