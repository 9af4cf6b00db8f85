import { describe, expect, it } from "vitest";
import type { PaymentRequest } from "../../../../shared/domain/payment/requests/create-payment.ts";
import type { Report } from "../../../../shared/domain/payment/record/report.ts";
import { aPayment, approval } from "../../../support/a-payment.ts";
import {
  alertsOf,
  authorized,
  booked,
  CAPTURE_TIME,
  captureFailed,
  charge,
  decide,
  HOUR,
  voidAsked,
} from "../a-contradiction.ts";

describe("a capture that was requested and is not under way, then captured", () => {
  it("is captured as reported, with an alert and an event; 36 hours later nothing is given back", async () => {
    const payment = await captureFailed();
    await payment.sendReport("captured", approval);
    expect(await payment.now()).toMatchObject({ status: "captured", amounts: { captured: 12_550 } });
    expect(await alertsOf(payment)).toEqual(["contradictingReport charge-1 1"]);
    expect(payment.events().at(-1)).toBe("payment.captured");
    await payment.platform.pass(CAPTURE_TIME);
    expect(await payment.open()).toEqual([]);
    expect(await booked(payment)).toEqual(["capture 12550"]);
  });

  it("is captured although its message was withdrawn", async () => {
    const payment = await authorized();
    await payment.capture({ deliverWithinSeconds: 600 });
    await payment.platform.pass(601);
    expect(await payment.now()).toMatchObject({ status: "authorized", statusReason: "captureNotDelivered" });
    await payment.sendReport("captured", approval);
    expect(await payment.now()).toMatchObject({ status: "captured" });
  });

  it("is captured at most as requested, with an alert about the amount", async () => {
    const payment = await captureFailed();
    await payment.sendReport("captured", { ...approval, amount: 13_000 });
    expect(await payment.now()).toMatchObject({ status: "captured", amounts: { captured: 12_550 } });
    expect(await alertsOf(payment)).toEqual(["amountDiffers charge-1 1", "contradictingReport charge-1 1"]);
  });

  it("is captured as a whole once an operator records that, and all of it can be refunded", async () => {
    const payment = await captureFailed();
    await payment.sendReport("captured", { ...approval, amount: 13_000 });
    const paid = (amount: number) => decide(payment, { of: "payment", outcome: "paid", amount });
    expect(await paid(130.01)).toMatchObject({
      error: { errors: [{ field: "amount", message: expect.stringContaining("at most 130.00 SEK") as string }] },
    });
    expect(await paid(130)).toMatchObject({ ok: true });
    expect(await payment.now()).toMatchObject({
      amounts: { requested: 12_550, authorized: 13_000, captured: 13_000 },
      charges: [{ amount: 13_000, status: "captured" }],
    });
    expect(payment.events().at(-1)).toBe("payment.corrected");
    expect(await booked(payment)).toEqual(["capture 12550", "correction 450"]);
    expect(await payment.refund(130.01)).toMatchObject({ code: "amount_exceeds_refundable" });
    expect(await payment.refund(130)).toMatchObject({ code: "ok" });
    await payment.sendReport("captured", { ...approval, amount: 13_000 });
    expect(await alertsOf(payment)).toEqual(["amountDiffers charge-1 1", "contradictingReport charge-1 1"]);
    expect(await booked(payment)).toEqual(["capture 12550", "correction 450", "correction 450", "capture 450"]);
  });
});

describe("a capture that was never requested", () => {
  const unrequested = async () => {
    const payment = await authorized();
    await payment.sendReport("captured", { ...approval, amount: 10_000 });
    return payment;
  };

  it("leaves the payment authorized and keeps the amount, which alone can be captured", async () => {
    const payment = await unrequested();
    expect(await payment.now()).toMatchObject({ status: "authorized", charges: [{ captured: 10_000 }] });
    expect(await alertsOf(payment)).toEqual(["contradictingReport charge-1 1"]);
    await payment.sendReport("captured", { ...approval, amount: 10_000 });
    expect(await alertsOf(payment)).toEqual(["contradictingReport charge-1 2"]);
    const all = await payment.capture();
    expect(all).toMatchObject({ error: { detail: expect.stringContaining("100.00 SEK") as string } });
    const cancelled = await payment.cancel();
    expect(cancelled).toMatchObject({ error: { detail: expect.stringContaining("then refund it") as string } });
    expect(await booked(payment)).toEqual([]);
  });

  it("of more than was authorized waits for an operator, who can record it", async () => {
    const payment = await authorized();
    await payment.sendReport("captured", { ...approval, amount: 13_000 });
    const detail = expect.stringContaining("An operator must decide") as string;
    for (const refused of [await payment.capture(), await payment.cancel()])
      expect(refused).toMatchObject({ error: { code: "invalid_state", detail } });
    await decide(payment, { of: "payment", outcome: "paid", chargeId: charge.chargeId, amount: 130 });
    expect(await payment.now()).toMatchObject({ status: "captured", amounts: { captured: 13_000 } });
  });

  it("is never given back by itself: an operator is called", async () => {
    const payment = await unrequested();
    await payment.platform.pass(CAPTURE_TIME + 48 * HOUR);
    expect(await payment.now()).toMatchObject({ status: "authorized" });
    expect(await payment.open()).toEqual([]);
    expect(await alertsOf(payment)).toEqual(["contradictingReport charge-1 2"]);
  });

  it("is captured once the terminal answers the partner's capture", async () => {
    const payment = await authorized();
    await payment.sendReport("captured", approval);
    expect(await payment.capture()).toMatchObject({ ok: true });
    await payment.platform.pass();
    const capture = await payment.fetch();
    expect(capture?.message).toMatchObject({ type: "capture", amount: 12_550 });
    await payment.sendReport("captured", { ...approval, messageId: capture?.messageId });
    expect(await payment.now()).toMatchObject({ status: "captured", amounts: { captured: 12_550 } });
    expect(await booked(payment)).toEqual(["capture 12550"]);
  });

  it("in another currency waits for an operator", async () => {
    const payment = await authorized();
    await payment.sendReport("captured", { ...approval, currency: "EUR" });
    expect(await payment.now()).toMatchObject({ status: "authorized", charges: [{ contradicted: true }] });
    await payment.platform.pass(CAPTURE_TIME);
    expect(await payment.open()).toEqual([]);
  });
});

describe("a payment that was lost and requested again, and that its terminal has captured", () => {
  /** The terminal answers the payment's message. */
  const requestedAgain = async (more: Partial<PaymentRequest> = {}, said: Partial<Report> = {}) => {
    const payment = await aPayment(more);
    const messageId = (await payment.fetch())?.messageId;
    await payment.sendReport("captured", { ...approval, messageId, ...said });
    return payment;
  };

  it.each([12_550, 5_000])("is authorized with the captured %i, which its partner can capture", async (amount) => {
    const payment = await requestedAgain({}, { amount });
    expect(await payment.now()).toMatchObject({ status: "authorized", charges: [{ amount, captured: amount }] });
    expect(await alertsOf(payment)).toEqual(["contradictingReport charge-1 1"]);
    await payment.capture();
    await payment.platform.pass();
    const capture = await payment.fetch();
    await payment.sendReport("captured", { ...approval, amount, messageId: capture?.messageId });
    expect(await payment.now()).toMatchObject({ status: "captured", amounts: { captured: amount } });
    expect(await booked(payment)).toEqual([`capture ${amount}`]);
  });

  it("is captured if capture is automatic and its discounts explain the amount", async () => {
    const payment = await requestedAgain({ captureMode: "automatic" });
    expect(await payment.now()).toMatchObject({ status: "captured", amounts: { captured: 12_550 } });
    expect(await alertsOf(payment)).toEqual([]);
    expect(await booked(payment)).toEqual(["capture 12550"]);
  });

  it.each([
    ["a part of an automatic capture", { captureMode: "automatic" }, { amount: 5_000 }],
    ["more than the payment", {}, { amount: 12_551 }],
    ["another currency", {}, { currency: "EUR" }],
    ["no message", {}, { messageId: undefined }],
  ] as const)("only calls an operator if it reports %s", async (_, more, said) => {
    const payment = await requestedAgain(more, said);
    expect(await payment.now()).toMatchObject({ status: "pending", charges: [] });
    expect(await alertsOf(payment)).toEqual(["contradictingReport charge-1 1"]);
  });

  it.each([
    ["given back", "void", "voidRequested"],
    ["kept", "keep", "authorized"],
  ] as const)("is %s after a cancel, as its partner wished", async (_, lateApproval, status) => {
    const payment = await aPayment({ lateApproval });
    await payment.sendReport("accepted", { messageId: (await payment.fetch())?.messageId });
    await payment.cancel();
    await payment.platform.pass();
    await payment.sendReport("captured", { ...approval, messageId: (await payment.fetch())?.messageId });
    expect(await payment.now()).toMatchObject({ status, charges: [{ captured: 12_550 }] });
  });
});

describe("a void that began because the payment was not captured in time, then captured", () => {
  it.each(["waiting", "fetched"])("is taken out, and the requested capture counts: %s", async (state) => {
    const payment = await captureFailed();
    await voidAsked(payment);
    if (state === "fetched") expect((await payment.fetch())?.message.type).toBe("void");
    await payment.sendReport("captured", approval);
    expect(await payment.now()).toMatchObject({ status: "captured", charges: [{ status: "captured" }] });
    await payment.platform.pass(30 * 24 * HOUR);
    expect(await payment.fetch()).toBeUndefined();
    expect(await alertsOf(payment)).toEqual(["contradictingReport charge-1 1"]);
  });

  it("is taken out, and the payment is authorized with the amount if no capture was requested", async () => {
    const payment = await authorized();
    await payment.platform.pass(CAPTURE_TIME);
    await payment.sendReport("captured", approval);
    expect(await payment.now()).toMatchObject({ status: "authorized", charges: [{ captured: 12_550 }] });
    await payment.platform.pass(48 * HOUR);
    expect(await payment.fetch()).toBeUndefined();
  });

  it("cannot be enqueued any more if it was not yet", async () => {
    const payment = await authorized();
    await payment.platform.pass(36 * HOUR - 60);
    const { queued, handle } = payment.platform;
    const deadline = queued.findLast(({ queue }) => queue === "deadlines");
    if (!deadline) throw new Error("no deadline");
    await handle(deadline); // the void is committed, and its message waits for a worker
    expect(await payment.now()).toMatchObject({ status: "voidRequested" });
    await payment.sendReport("captured", approval, "wait");
    await payment.platform.pass(HOUR);
    expect(await payment.open()).toEqual([]);
  });
});

describe("a charge of a cancelled payment that is reported as captured", () => {
  it("is booked, and its reversal goes on", async () => {
    const payment = await authorized();
    await payment.cancel();
    await payment.platform.pass();
    await payment.sendReport("captured", approval);
    expect(await payment.now()).toMatchObject({ status: "voidRequested", charges: [{ status: "reversing" }] });
    expect(await alertsOf(payment)).toEqual(["contradictingReport charge-1 1"]);
    const back = await payment.fetch();
    expect(back?.message.type).toBe("void");
    await payment.sendReport("voided", { ...charge, messageId: back?.messageId });
    expect(await payment.now()).toMatchObject({ status: "voided", charges: [{ status: "voided" }] });
    expect(await booked(payment)).toEqual(["capture 12550", "reversal 12550"]);
  });
});

describe("a charge that was given back, then captured", () => {
  it("is in doubt with its amount; nothing is booked until an operator decides", async () => {
    const payment = await authorized();
    await payment.cancel();
    await payment.platform.pass();
    await payment.sendReport("voided", { ...charge, messageId: (await payment.fetch())?.messageId });
    await payment.sendReport("captured", approval);
    expect(await payment.now()).toMatchObject({ status: "voided", charges: [{ status: "inDoubt", captured: 12_550 }] });
    expect(await alertsOf(payment)).toEqual(["contradictingReport charge-1 1"]);
    expect(await booked(payment)).toEqual([]);
    expect(await decide(payment, { of: "payment", outcome: "paid" })).toMatchObject({ ok: true });
    expect(await booked(payment)).toEqual(["capture 12550"]);
  });

  it("only raises an alert if an operator recorded that it was given back", async () => {
    const payment = await authorized();
    await payment.cancel();
    await payment.platform.pass();
    expect(await decide(payment, { of: "charge", chargeId: "charge-1", outcome: "reversed" })).toMatchObject({
      ok: true,
    });
    await payment.sendReport("captured", approval);
    expect(await payment.now()).toMatchObject({ status: "voided", charges: [{ status: "voided" }] });
    expect(await alertsOf(payment)).toEqual(["contradictingReport charge-1 1"]);
  });
});
