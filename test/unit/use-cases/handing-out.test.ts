import { describe, expect, it } from "vitest";
import { aPayment, approval } from "../../support/a-payment.ts";

/** A payment that its terminal fetched, but has not answered. */
async function fetched() {
  const payment = await aPayment();
  const message = await payment.fetch();
  return { ...payment, messageId: message?.messageId };
}

describe("a payment that the terminal fetched, and whose answer was lost,", () => {
  it("is not delivered again once it is cancelled: the terminal gets the cancel at once", async () => {
    const payment = await fetched();
    await payment.cancel();
    await payment.platform.pass();
    const message = await payment.fetch();
    expect(message?.message.type).toBe("cancel");
    await payment.platform.pass(11);
    expect((await payment.fetch())?.messageId).toBe(message?.messageId);
  });

  it.each([
    ["never saw it says so, and it is cancelled", "notStarted", "cancelled"],
    ["began it obeys, and it is cancelled", "cancelled", "cancelled"],
  ] as const)("and that was cancelled, with a terminal that %s", async (_, type, status) => {
    const payment = await fetched();
    await payment.cancel();
    await payment.platform.pass();
    const cancel = await payment.fetch();
    await payment.sendReport(type, { messageId: cancel?.messageId });
    expect(await payment.now()).toMatchObject({ status });
    expect(await payment.open()).toEqual([]);
  });

  it("is not delivered again after the cancel was only acknowledged", async () => {
    const payment = await fetched();
    await payment.cancel();
    await payment.platform.pass();
    const cancel = await payment.fetch();
    await payment.sendReport("acknowledged", { messageId: cancel?.messageId });
    await payment.platform.pass(11);
    expect(await payment.fetch()).toBeUndefined();
    expect(await payment.open()).toEqual([]);
  });

  it("is not delivered again during a status query, nor after that", async () => {
    const payment = await fetched();
    await payment.platform.pass(31);
    expect(await payment.now()).toMatchObject({ status: "reconciling" });
    const query = await payment.fetch();
    expect(query?.message.type).toBe("statusQuery");
    await payment.sendReport("stillRunning", { messageId: query?.messageId });
    expect(await payment.now()).toMatchObject({ status: "inProgress" });
    expect(await payment.open()).toEqual([]);
  });

  it("is not delivered after it expired; a status query and its answer end it", async () => {
    const payment = await aPayment({ expiresInSeconds: 30 });
    await payment.fetch();
    await payment.platform.deps.clock.sleep(30_000);
    expect(await payment.fetch()).toBeUndefined();
    expect(await payment.open()).toEqual(["payment"]);
    await payment.platform.pass();
    const query = await payment.fetch();
    expect(query?.message.type).toBe("statusQuery");
    await payment.sendReport("notStarted", { messageId: query?.messageId });
    expect(await payment.now()).toMatchObject({ status: "expired" });
    expect(await payment.open()).toEqual([]);
  });
});

describe("a terminal that names the last message that arrived", () => {
  it("gets a lost message again at once", async () => {
    const payment = await fetched();
    const earlier = "dddddddd-0000-4000-8000-0000000000ff";
    expect((await payment.fetch(earlier))?.messageId).toBe(payment.messageId);
    expect(await payment.fetch()).toBeUndefined(); // leased again
  });

  it("does not get that message again before its lease is over", async () => {
    const payment = await fetched();
    expect(await payment.fetch(payment.messageId)).toBeUndefined();
    await payment.platform.pass(11);
    expect((await payment.fetch(payment.messageId))?.messageId).toBe(payment.messageId);
  });
});

describe("a report that names no message, or an unknown one", () => {
  const unknown = "dddddddd-0000-4000-8000-0000000000ff";

  it.each([
    ["none", undefined],
    ["an unknown one", unknown],
  ])("(%s) acknowledges the payment's message that it answers, which is not delivered again", async (_, messageId) => {
    const payment = await fetched();
    await payment.sendReport("accepted", { messageId });
    await payment.platform.pass(11);
    expect(await payment.fetch()).toBeUndefined();
    expect(await payment.now()).toMatchObject({ status: "inProgress" });
  });

  it("acknowledges the capture, so that it is delivered once", async () => {
    const payment = await fetched();
    await payment.sendReport("authorized", approval);
    await payment.capture();
    await payment.platform.pass();
    expect((await payment.fetch())?.message.type).toBe("capture");
    await payment.sendReport("captured");
    expect(await payment.now()).toMatchObject({ status: "captured" });
    expect(await payment.open()).toEqual([]);
  });

  it("acknowledges a cancel or a status query by reporting how the payment ended", async () => {
    const payment = await fetched();
    await payment.sendReport("accepted");
    await payment.cancel();
    await payment.platform.pass();
    expect((await payment.fetch())?.message.type).toBe("cancel");
    await payment.sendReport("cancelled");
    expect(await payment.now()).toMatchObject({ status: "cancelled" });
    expect(await payment.open()).toEqual([]);
  });

  it("acknowledges the refund whose refundID it has, and no other", async () => {
    const payment = await fetched();
    await payment.sendReport("authorized", approval);
    await payment.capture();
    await payment.platform.pass();
    await payment.sendReport("captured", { messageId: (await payment.fetch())?.messageId });
    const refundId = "abababab-0000-4000-8000-000000000001";
    await payment.refund(1, { refundId });
    await payment.platform.pass();
    expect((await payment.fetch())?.message.type).toBe("refund");
    await payment.sendReport("refunded");
    await payment.sendReport("refunded", { refundId: unknown });
    expect(await payment.open()).toEqual(["refund"]);
    await payment.sendReport("refunded", { refundId });
    expect(await payment.open()).toEqual([]);
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "succeeded" }] });
  });

  it("answers the offered discount", async () => {
    const payment = await fetched();
    await payment.sendReport("accepted");
    await payment.reduce(1);
    await payment.platform.pass();
    expect((await payment.fetch())?.message.type).toBe("discount");
    await payment.sendReport("discountApplied");
    expect(await payment.now()).toMatchObject({ discounts: [{ status: "applied" }], amounts: { discounted: 100 } });
    expect(await payment.open()).toEqual([]);
  });

  it("takes out the capture that it ends, which the terminal has not fetched", async () => {
    const payment = await fetched();
    await payment.sendReport("authorized", approval);
    await payment.capture();
    await payment.platform.pass();
    await payment.sendReport("captureFailed");
    expect(await payment.now()).toMatchObject({ status: "authorized", statusReason: "captureFailed" });
    expect(await payment.fetch()).toBeUndefined();
  });

  it("answers the capture although it names the payment's own message", async () => {
    const payment = await fetched();
    const { messageId } = payment;
    await payment.sendReport("authorized", { ...approval, messageId });
    await payment.capture();
    await payment.platform.pass();
    await payment.fetch();
    await payment.sendReport("captureFailed", { messageId });
    expect(await payment.now()).toMatchObject({ status: "authorized", statusReason: "captureFailed" });
    expect(await payment.open()).toEqual([]);
  });

  it("acknowledges the same messages when it is repeated, and not a later capture", async () => {
    const payment = await fetched();
    await payment.sendReport("authorized", approval);
    await payment.capture();
    await payment.platform.pass();
    await payment.fetch();
    const report = { reportId: "ffffffff-0000-4000-8000-00000000dddd" };
    await payment.sendReport("captureFailed", report);
    await payment.capture();
    await payment.platform.pass();
    expect((await payment.fetch())?.message.type).toBe("capture");
    await payment.sendReport("captureFailed", report);
    expect(await payment.open()).toEqual(["capture"]);
    expect(await payment.now()).toMatchObject({ status: "captureRequested" });
  });

  it.each([
    ["capture", "captureFailed", "captureRequested", 601, "statusQuery"], // its answer decides
    ["void", "voidFailed", "voidRequested", 6 * 3600, "void"], // the next try
  ] as const)(
    "ends a %s when it is repeated, although it names an earlier status query",
    async (type, failed, status, wait, next) => {
      const payment = await fetched();
      await payment.platform.pass(31);
      const query = await payment.fetch();
      await payment.sendReport("stillRunning", { messageId: query?.messageId });
      await payment.sendReport("authorized", approval);
      await (type === "capture" ? payment.capture() : payment.cancel());
      await payment.platform.pass();
      expect((await payment.fetch())?.message.type).toBe(type);
      const report = { reportId: "ffffffff-0000-4000-8000-00000000dddd", messageId: query?.messageId };
      await payment.sendReport(failed, report);
      expect(await payment.open()).toEqual([type]);
      await payment.sendReport(failed, report); // as the answer to the same message, which it got again
      expect(await payment.open()).toEqual([]);
      expect(await payment.now()).toMatchObject({ status });
      await payment.platform.pass(wait);
      expect((await payment.fetch())?.message.type).toBe(next);
    },
  );

  it("withdraws the capture whose status query it answers, and leaves a later one", async () => {
    const payment = await fetched();
    await payment.sendReport("authorized", approval);
    await payment.capture();
    await payment.platform.pass();
    const first = await payment.fetch();
    await payment.platform.pass(601); // no answer: the platform sends a status query
    const [, query] = await payment.platform.deps.inboxes.unanswered((await payment.now()).terminalId);
    await payment.sendReport("captureFailed", { messageId: query?.messageId });
    expect(await payment.open()).toEqual([]);
    await payment.capture();
    await payment.platform.pass(11);
    expect((await payment.fetch())?.message.type).toBe("capture");
    await payment.sendReport("captureFailed", { messageId: first?.messageId });
    expect(await payment.now()).toMatchObject({ status: "captureRequested" });
    expect(await payment.open()).toEqual(["capture"]);
  });
});
