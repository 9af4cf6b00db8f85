import { describe, expect, it } from "vitest";
import { resolvePayment } from "../../../shared/use-cases/operator/resolve-payment.ts";
import type { Outcome } from "../../../shared/domain/payment/operator/resolution.ts";
import { aPayment, approval } from "../../support/a-payment.ts";
import { callBy, partnerId } from "../../support/platform.ts";

const charge = { chargeId: "charge-1" };
const HOUR = 3600;
const CAPTURE_TIME = 36 * HOUR + 1;

type AnyPayment = Awaited<ReturnType<typeof aPayment>>;

async function authorized() {
  const payment = await aPayment();
  await payment.sendReport("authorized", approval);
  return payment;
}

async function captured() {
  const payment = await aPayment({ captureMode: "automatic" });
  await payment.sendReport("authorized", approval);
  return payment;
}

/** A payment whose capture was requested, fetched, and reported as failed. */
async function captureFailed() {
  const payment = await authorized();
  await payment.capture();
  await payment.platform.pass();
  await payment.sendReport("captureFailed", { ...charge, messageId: (await payment.fetch())?.messageId });
  return payment;
}

/** A refund that the terminal fetched and reported as failed. */
async function refundFailed(amount = 100) {
  const payment = await captured();
  await payment.refund(amount, { refundId: first });
  await payment.sendReport("refundFailed", { refundId: first, messageId: (await payment.fetch())?.messageId });
  return payment;
}
const first = "aaaaaaaa-0000-4000-8000-000000000001";
const second = "aaaaaaaa-0000-4000-8000-000000000002";

const alertsOf = async ({ platform, sessionId }: AnyPayment) =>
  (await platform.deps.alerts.of(sessionId)).map(({ alert }) => `${alert.kind} ${alert.about ?? ""} ${alert.count}`);
const detailsOf = async ({ platform, sessionId }: AnyPayment) =>
  (await platform.deps.alerts.of(sessionId)).map(({ alert }) => alert.detail);
const booked = async ({ platform, sessionId }: AnyPayment) => {
  const days = ["2026-11-21", "2026-11-22", "2026-11-23"];
  const books = await Promise.all(days.map((day) => platform.deps.bookings.ofDay(partnerId, day)));
  const own = books.flatMap(({ bookings }) => bookings).filter((one) => one.sessionId === sessionId);
  return own.map(({ kind, amount }) => `${kind} ${amount}`);
};
const byTime = (one: { enqueuedAt: string }, other: { enqueuedAt: string }) =>
  one.enqueuedAt < other.enqueuedAt ? -1 : 1;
const decide = async ({ platform, sessionId, now }: AnyPayment, outcome: Outcome) => {
  const { deps } = platform;
  const seen = { partnerId, sessionId, sequence: (await now()).sequence };
  const decided = await resolvePayment(deps, callBy(deps), seen, { ...outcome, by: "ada", why: "the acquirer's list" });
  await platform.pass();
  return decided;
};

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
    await payment.capture();
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
    expect(await alertsOf(payment)).toEqual(["contradictingReport charge-1 1"]); // a repetition says nothing new
    const all = await payment.capture();
    expect(all).toMatchObject({ error: { detail: expect.stringContaining("100.00 SEK") as string } });
    const cancelled = await payment.cancel();
    expect(cancelled).toMatchObject({ error: { detail: expect.stringContaining("then refund it") as string } });
    expect(await booked(payment)).toEqual([]);
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

describe("a void that began because the payment was not captured in time, then captured", () => {
  it.each(["waiting", "fetched"])("is taken out, and the requested capture counts: %s", async (state) => {
    const payment = await captureFailed();
    await payment.platform.pass(CAPTURE_TIME);
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
    const payment = await captureFailed();
    await payment.platform.pass(36 * HOUR - 60);
    const { queued, handle } = payment.platform;
    const [deadline] = queued.filter(({ queue }) => queue === "deadlines").toSorted(byTime);
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

describe("a void that failed, then voided", () => {
  it("counts, with an event and without an alert", async () => {
    const payment = await authorized();
    await payment.cancel();
    await payment.platform.pass();
    await payment.sendReport("voidFailed", { ...charge, messageId: (await payment.fetch())?.messageId });
    expect(await payment.capture()).toMatchObject({ ok: false, error: { code: "invalid_state" } });
    await payment.sendReport("voided", charge);
    expect(await payment.now()).toMatchObject({ status: "voided", statusReason: "cancelledByPartner" });
    expect(payment.events().at(-1)).toBe("payment.voided");
    expect(await alertsOf(payment)).toEqual([]);
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

describe("a void that nobody requested", () => {
  it("of a captured charge marks it: refunds are refused, and another charge is in doubt", async () => {
    const payment = await captured();
    await payment.sendReport("voided", charge);
    expect(await payment.now()).toMatchObject({
      status: "captured",
      charges: [{ status: "captured", contradicted: true }],
    });
    expect(payment.events().at(-1)).toBe("payment.contradicted");
    expect(await alertsOf(payment)).toEqual(["contradictingReport charge-1 1"]);
    expect(await payment.refund(10)).toMatchObject({ code: "invalid_state" });
    expect(await booked(payment)).toEqual(["capture 12550"]);

    await payment.sendReport("captured", approval);
    expect(await payment.refund(10)).toMatchObject({ code: "invalid_state" });
    await payment.sendReport("authorized", { ...approval, chargeId: "charge-2" });
    expect(await payment.now()).toMatchObject({ charges: [{}, { chargeId: "charge-2", status: "inDoubt" }] });
    expect(await payment.open()).toEqual([]);
  });

  it("of a captured charge ends with the operator's word for the booked amount, and then only raises alerts", async () => {
    const payment = await captured();
    await payment.sendReport("voided", charge);
    expect(await decide(payment, { of: "payment", outcome: "paid" })).toMatchObject({ ok: true });
    expect((await payment.now()).charges[0]?.contradicted).toBeUndefined();
    expect(await booked(payment)).toEqual(["capture 12550"]);
    await payment.sendReport("voided", charge);
    expect(await alertsOf(payment)).toEqual(["contradictingReport charge-1 2"]);
    expect(await payment.refund(10)).toMatchObject({ code: "ok" });
  });

  it("of a captured charge that an operator finds unpaid is given back without a message to the terminal", async () => {
    const payment = await captured();
    await payment.sendReport("voided", charge);
    expect(await decide(payment, { of: "payment", outcome: "unpaid" })).toMatchObject({ ok: true });
    expect(await payment.now()).toMatchObject({ amounts: { captured: 0 }, charges: [{ status: "reversed" }] });
    expect(await payment.open()).toEqual([]);
    expect(payment.events().slice(-2).toSorted()).toEqual(["payment.corrected", "reversal.succeeded"]);
  });

  it.each(["authorized", "captureRequested"])(
    "of a charge that is %s stops captures and voids until an operator decides",
    async (status) => {
      const payment = await authorized();
      if (status === "captureRequested") await payment.capture();
      await payment.platform.pass();
      await payment.sendReport("voided", charge);
      expect(await payment.now()).toMatchObject({ status, charges: [{ contradicted: true }] });
      expect(await payment.open()).toEqual([]);
      if (status === "authorized") expect(await payment.capture()).toMatchObject({ error: { code: "invalid_state" } });
      if (status === "authorized") expect(await payment.cancel()).toMatchObject({ error: { code: "invalid_state" } });
      await payment.platform.pass(CAPTURE_TIME);
      expect(await payment.open()).not.toContain("void");
      expect(await payment.open()).not.toContain("capture");
      expect(await decide(payment, { of: "payment", outcome: "unpaid" })).toMatchObject({ ok: true });
      expect(await payment.now()).toMatchObject({ status: "voided", charges: [{ status: "reversed" }] });
      expect(await payment.open()).not.toContain("void");
    },
  );

  it("fails a refund of the charge that the terminal has not fetched, and names one that it has", async () => {
    const payment = await captured();
    await payment.refund(10, { refundId: first });
    await payment.fetch();
    await payment.refund(20, { refundId: second });
    await payment.sendReport("voided", charge);
    expect(await payment.now()).toMatchObject({
      refunds: [{ status: "pending" }, { status: "failed", statusReason: "chargeContradicted" }],
    });
    expect(await alertsOf(payment)).toEqual([`contradictingReport ${first} 1`, "contradictingReport charge-1 1"]);
    expect(payment.events()).toContain("refund.failed");
    expect(await payment.open()).toEqual(["refund"]);
  });
});

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

  it("in another amount than requested is in doubt, and counts until an operator decides", async () => {
    const payment = await refundFailed();
    await payment.sendReport("refunded", { refundId: first, amount: 11_000, currency: "SEK" });
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
