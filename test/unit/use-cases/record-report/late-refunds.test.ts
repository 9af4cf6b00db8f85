import { describe, expect, it } from "vitest";
import { toPaymentObject } from "../../../../shared/contracts/objects/payment.ts";
import { alertsOf, booked, captured, decide } from "../a-contradiction.ts";

const first = "aaaaaaaa-0000-4000-8000-000000000001";
const second = "aaaaaaaa-0000-4000-8000-000000000002";

/** A payment with a refund that the terminal fetched and reported as failed. */
async function refundFailed(amount = 100) {
  const payment = await captured();
  await payment.refund(amount, { refundId: first });
  await payment.sendReport("refundFailed", { refundId: first, messageId: (await payment.fetch())?.messageId });
  return payment;
}

const detailsOf = async ({ platform, sessionId }: Awaited<ReturnType<typeof captured>>) =>
  (await platform.deps.alerts.of(sessionId)).map(({ alert }) => alert.detail);

describe("a refund that failed, then refunded", () => {
  it("has succeeded, with an alert and an event; a second refund above the rest is refused", async () => {
    const payment = await refundFailed();
    await payment.sendReport("refunded", { refundId: first, amount: 10_000, currency: "SEK" });
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "succeeded" }] });
    expect(await alertsOf(payment)).toEqual([`contradictingReport ${first} 1`]);
    expect(payment.events().slice(-2)).toEqual(["refund.failed", "refund.succeeded"]);
    expect(await payment.refund(100, { refundId: second })).toMatchObject({ code: "amount_exceeds_refundable" });
  });

  it("withdraws a second refund that repeats it or no longer fits, unless the terminal has fetched that", async () => {
    for (const [amount, statusReason] of [
      [60, "alreadyRefunded"],
      [90, "exceedsRefundable"],
    ] as const) {
      const payment = await refundFailed(60);
      await payment.refund(amount, { refundId: second });
      await payment.sendReport("refunded", { refundId: first, amount: 6_000, currency: "SEK" });
      expect(await payment.now()).toMatchObject({
        refunds: [{ status: "succeeded" }, { status: "failed", statusReason }],
      });
      expect(await payment.fetch()).toBeUndefined();
      expect(payment.events().slice(-2)).toEqual(["refund.succeeded", "refund.failed"]);
    }
  });

  it("names both refunds and the excess if the second one was fetched", async () => {
    const payment = await refundFailed();
    await payment.refund(100, { refundId: second });
    await payment.fetch();
    await payment.sendReport("refunded", { refundId: first, amount: 10_000, currency: "SEK" });
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "succeeded" }, { status: "pending" }] });
    expect(await detailsOf(payment)).toEqual([
      "refunded while the refund is failed",
      `the terminal has fetched this refund of 100.00 SEK, and the refund ${first} of 100.00 SEK was made after all; the refunds exceed the captured amount by 74.50 SEK`,
    ]);
  });

  it("leaves a smaller second refund that fits", async () => {
    const payment = await refundFailed();
    await payment.refund(25, { refundId: second });
    await payment.sendReport("refunded", { refundId: first, amount: 10_000, currency: "SEK" });
    expect(await payment.open()).toEqual(["refund"]);
  });

  it("says by how much the refunds exceed if the second one was made before", async () => {
    const payment = await refundFailed();
    await payment.refund(100, { refundId: second });
    const messageId = (await payment.fetch())?.messageId;
    await payment.sendReport("refunded", { refundId: second, messageId, amount: 10_000, currency: "SEK" });
    await payment.sendReport("refunded", { refundId: first, amount: 10_000, currency: "SEK" });
    expect(await detailsOf(payment)).toEqual([
      "refunded while the refund is failed; the refunds exceed the captured amount by 74.50 SEK",
    ]);
  });

  it("in another amount than requested is booked, with an alert that names both, and never more than requested", async () => {
    for (const [reported, refundAmount, requestedAmount] of [
      [11_000, 100, undefined],
      [9_000, 90, 100],
    ] as const) {
      const payment = await refundFailed();
      await payment.sendReport("refunded", { refundId: first, amount: reported, currency: "SEK" });
      const [refund] = toPaymentObject(await payment.now()).refunds;
      const requested = requestedAmount === undefined ? {} : { requestedAmount };
      expect(refund).toMatchObject({ status: "succeeded", statusReason: "amountDiffers", refundAmount, ...requested });
      expect(await alertsOf(payment)).toEqual([`amountDiffers ${first} 1`, `contradictingReport ${first} 1`]);
      expect((await detailsOf(payment))[0]).toBe(
        `the terminal reported ${reported / 100}.00 SEK, and 100.00 SEK was requested`,
      );
      expect(await payment.refund(100, { refundId: second })).toMatchObject({ code: "amount_exceeds_refundable" });
    }
  });

  it("above the request is recorded as a whole by an operator, even if it exceeds the captured amount", async () => {
    const payment = await refundFailed();
    const whole = (amount: number) => decide(payment, { of: "refund", refundId: first, outcome: "succeeded", amount });
    await payment.sendReport("refunded", { refundId: first, amount: 13_000, currency: "SEK" });
    expect(await whole(130.01)).toMatchObject({
      error: { errors: [{ field: "amount", message: expect.stringContaining("at most 130.00 SEK") as string }] },
    });
    expect(await whole(100)).toMatchObject({ error: { code: "invalid_state" } });
    expect(await whole(130)).toMatchObject({ ok: true });
    const { refunds, amounts } = toPaymentObject(await payment.now());
    expect(refunds).toMatchObject([{ refundAmount: 130, requestedAmount: 100, statusReason: "settledByOperator" }]);
    expect(amounts).toMatchObject({ captured: 125.5, refunded: 130 });
    expect(payment.events().slice(-2)).toEqual(["payment.corrected", "refund.succeeded"]);
    expect(await booked(payment)).toEqual(["capture 12550", "refund 10000", "correction 3000"]);
    expect(await payment.refund(1, { refundId: second })).toMatchObject({ code: "amount_exceeds_refundable" });
    await payment.sendReport("refunded", { refundId: first, amount: 13_000, currency: "SEK" });
    expect(await alertsOf(payment)).toEqual([`amountDiffers ${first} 1`, `contradictingReport ${first} 1`]);
  });

  it("in another currency is in doubt, and counts until an operator decides", async () => {
    const payment = await refundFailed();
    await payment.sendReport("refunded", { refundId: first, amount: 10_000, currency: "EUR" });
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "pending", statusReason: "outcomeUnknown" }] });
    expect(await alertsOf(payment)).toEqual([`amountDiffers ${first} 1`]);
    expect(await payment.refund(100, { refundId: second })).toMatchObject({ code: "amount_exceeds_refundable" });
  });

  it("only raises an alert if an operator recorded the failure", async () => {
    const payment = await captured();
    await payment.refund(100, { refundId: first });
    expect(await decide(payment, { of: "refund", refundId: first, outcome: "failed" })).toMatchObject({ ok: true });
    await payment.sendReport("refunded", { refundId: first, amount: 10_000, currency: "SEK" });
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "failed" }] });
    expect(await alertsOf(payment)).toEqual([`contradictingReport ${first} 1`]);
  });
});
