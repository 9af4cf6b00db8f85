import { describe, expect, it } from "vitest";
import { after } from "../../../../shared/domain/time.ts";
import { standardTimings } from "../../../../shared/domain/timings.ts";
import { approval, now } from "../../../support/a-payment.ts";
import { alertsOf, authorized, captured, captureFailed, CAPTURE_TIME, charge, HOUR } from "../a-contradiction.ts";

const DAY = 24 * HOUR;
const { authorizationSeconds } = standardTimings;

describe("a capture for a terminal that is off", () => {
  it("waits until its authorization ends, and then nothing is given back: an operator is called each day, and at its end", async () => {
    const payment = await authorized();
    const { platform } = payment;
    await platform.pass(HOUR);
    await payment.capture();
    const requested = await payment.now();
    expect(requested.captureWaits?.until).toBe(after(now, authorizationSeconds));
    await platform.pass(29 * DAY);
    expect(await payment.now()).toEqual(requested); // no look wrote it
    expect(await alertsOf(payment)).toEqual(["captureWaits  29"]);
    await platform.pass(DAY);
    expect(await payment.now()).toMatchObject({ status: "authorized", statusReason: "captureNotDelivered" });
    expect(payment.events().slice(-1)).toEqual(["payment.authorized"]);
    await platform.pass(7 * DAY);
    expect(await payment.open()).toEqual([]);
    expect(await payment.now()).toMatchObject({ status: "authorized", charges: [{ status: "authorized" }] });
    expect(await alertsOf(payment)).toEqual(["captureWaits  31"]);
    expect(await payment.capture()).toMatchObject({ ok: true });
  });

  it("that ends before captureBefore calls the operator then, and not before", async () => {
    const payment = await authorized();
    await payment.capture({ deliverWithinSeconds: 60 });
    await payment.platform.pass(61);
    expect(await payment.now()).toMatchObject({ status: "authorized", captureBefore: after(now, 36 * HOUR) });
    await payment.platform.pass(35 * HOUR);
    expect(await alertsOf(payment)).toEqual([]);
    await payment.platform.pass(HOUR);
    expect(await alertsOf(payment)).toEqual(["captureWaits  1"]);
    expect(await payment.now()).toMatchObject({ status: "authorized" });
  });

  it("is withdrawn by a cancel, which gives the charge back", async () => {
    const payment = await authorized();
    await payment.capture();
    await payment.platform.pass(DAY);
    expect(await payment.cancel()).toMatchObject({ ok: true, value: { atOnce: false, replayed: false } });
    await payment.platform.pass();
    expect(await payment.open()).toEqual(["void"]);
    expect(await payment.now()).toMatchObject({ status: "voidRequested", statusReason: "cancelledByPartner" });
    expect(await payment.cancel()).toMatchObject({ ok: true, value: { replayed: true } });
  });

  it("is not withdrawn once it was fetched, and not if the terminal captured another amount by itself", async () => {
    const fetched = await authorized();
    await fetched.capture();
    await fetched.platform.pass();
    await fetched.fetch();
    expect(await fetched.cancel()).toMatchObject({ error: { code: "invalid_state" } });

    const kept = await authorized();
    await kept.sendReport("captured", approval);
    await kept.capture();
    await kept.platform.pass();
    expect(await kept.cancel()).toMatchObject({ error: { code: "invalid_state" } });
  });
});

describe("a message that was fetched and not answered is in doubt ten minutes after the fetch", () => {
  it("also if it had waited for days: the next look comes within six hours", async () => {
    const payment = await captured();
    await payment.refund(10, { refundId: "first", deliverWithinSeconds: 7 * DAY });
    await payment.platform.pass(3 * DAY);
    expect((await payment.fetch())?.message.type).toBe("refund");
    await payment.platform.pass(6 * HOUR + 601);
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "pending", statusReason: "outcomeUnknown" }] });
    expect(await payment.open()).toContain("statusQuery");
  });

  it("also if another one has waited for days, and its next look is hours away", async () => {
    const payment = await captured();
    await payment.refund(10, { refundId: "first", deliverWithinSeconds: 7 * DAY });
    await payment.platform.pass(3 * DAY);
    await payment.refund(20, { refundId: "second", deliverWithinSeconds: 7 * DAY });
    await payment.sendReport("acknowledged", { messageId: (await payment.fetch())?.messageId });
    expect((await payment.fetch())?.message).toMatchObject({ refundId: "second" });
    await payment.platform.pass(601);
    expect((await payment.now()).refunds[1]).toMatchObject({ status: "pending", statusReason: "outcomeUnknown" });
  });

  it("and one that ends unfetched has failed, without a doubt", async () => {
    const payment = await captured();
    await payment.refund(10, { refundId: "first", deliverWithinSeconds: DAY });
    await payment.platform.pass(DAY - 1);
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "pending" }] });
    await payment.platform.pass(2);
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "failed", statusReason: "notDelivered" }] });
    expect(payment.events().at(-1)).toBe("refund.failed");
    expect(await payment.fetch()).toBeUndefined();
  });
});

describe("an authorization whose capture failed, at its captureBefore", () => {
  const asked = async () => {
    const payment = await captureFailed();
    await payment.platform.pass(CAPTURE_TIME);
    return { ...payment, query: await payment.fetch() };
  };

  it.each([
    ["authorized", approval],
    ["captureFailed", charge],
  ] as const)("is voided if its terminal answers %s", async (type, report) => {
    const payment = await asked();
    await payment.sendReport(type, { ...report, messageId: payment.query?.messageId });
    expect(await payment.now()).toMatchObject({ status: "voidRequested", statusReason: "notCaptured" });
  });

  it.each([
    ["stillRunning", "outcomeUnknown  1"],
    ["voidFailed", "outcomeUnknown  1"],
    ["declined", "contradictingReport charge-1 1"],
    ["voided", "contradictingReport charge-1 1"],
  ] as const)("is left, and an operator called, if its terminal answers %s", async (type, alert) => {
    const payment = await asked();
    await payment.sendReport(type, { ...charge, messageId: payment.query?.messageId });
    expect(await alertsOf(payment)).toEqual([alert]);
    await payment.platform.pass(3 * DAY);
    expect(await payment.now()).toMatchObject({ status: "authorized" });
  });

  it("is left, and an operator called, if nobody answers, or another report says that it is authorized", async () => {
    const payment = await asked();
    await payment.sendReport("authorized", { ...approval, messageId: (await payment.now()).requestedBy });
    await payment.platform.pass(DAY + 1);
    expect(await alertsOf(payment)).toEqual(["outcomeUnknown  1"]);
    expect(await payment.now()).toMatchObject({ status: "authorized", charges: [{ status: "authorized" }] });
  });
});
