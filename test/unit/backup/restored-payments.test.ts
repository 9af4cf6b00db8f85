import { describe, expect, it } from "vitest";
import { orderOf } from "../../../shared/domain/payment/record/order.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import { requeryAfterRestart } from "../../../shared/use-cases/payments/requery-after-restart.ts";
import { approval, aPaymentOn } from "../../support/a-payment.ts";
import { callFrom } from "../../support/calls.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { aTill } from "../../support/tills.ts";
import { allOf, aRestorable, authorized, copyOf, newFolder, withLaterPayments } from "./a-restorable.ts";

/** Each test runs a restore: files are written and read. */
describe("a payment that was restored from an export", () => {
  it("is captured by the terminal's report if it was captured after the export, and no message is delivered again", async () => {
    const restorable = await aRestorable();
    const payment = await authorized(restorable);
    await restorable.exportAll();
    await payment.capture();
    await restorable.platform.pass();
    await payment.sendReport("captured", { messageId: (await payment.fetch())?.messageId, ...approval });
    expect(await payment.now()).toMatchObject({ status: "captured" });

    expect(await restorable.restore()).toMatchObject({ queried: 1 });
    expect(await restorable.restoring()).toBe(1);
    expect(await payment.now()).toMatchObject({ status: "authorized", statusReason: "outcomeUnknown" });
    expect(await payment.capture()).toMatchObject({ ok: false, error: { code: "invalid_state" } });
    const query = await payment.fetch();
    expect(query?.message).toEqual({ type: "statusQuery", first: true });
    await payment.sendReport("captured", { messageId: query?.messageId, ...approval });
    expect(await payment.now()).toMatchObject({ status: "captured", amounts: { captured: 12_550 } });
    expect(await payment.open()).toEqual([]);
    expect(await restorable.restoring()).toBe(0);
  });

  it("never delivers its capture again, and is not given back: the partner may have withdrawn the capture since", async () => {
    const restorable = await aRestorable();
    const payment = await authorized(restorable);
    await payment.capture();
    await restorable.platform.pass();
    await restorable.exportAll();
    await restorable.restore();
    const query = await payment.fetch();
    expect(query?.message.type).toBe("statusQuery");
    expect(await payment.cancel()).toMatchObject({ ok: false, error: { code: "invalid_state" } });
    await payment.sendReport("authorized", { messageId: query?.messageId, ...approval });
    expect(await payment.now()).toMatchObject({ status: "authorized", statusReason: "captureNotDelivered" });
    expect(payment.events().at(-1)).toBe("payment.authorized");
    await restorable.platform.pass(2 * standardTimings.captureSeconds);
    expect(await payment.open()).toEqual([]);
    expect(await payment.now()).toMatchObject({ status: "authorized" });
  });

  it.each([
    ["another message of the time before", "capture"],
    ["the payment's own message", "payment"],
    ["no message", undefined],
  ] as const)("keeps its query due while the terminal's reports name %s", async (_, named) => {
    const restorable = await aRestorable();
    const payment = await aPaymentOn(restorable.platform);
    const request = await payment.fetch();
    await payment.sendReport("authorized", { messageId: request?.messageId, ...approval });
    await payment.capture();
    await restorable.platform.pass();
    const capture = await payment.fetch();
    await restorable.exportAll();
    await restorable.restore();
    const query = await payment.fetch();
    const messageId = named && { payment: request, capture }[named]?.messageId;
    await payment.sendReport("captured", { messageId, ...approval });
    expect(await payment.open()).toEqual(["statusQuery"]);
    expect(await payment.now()).toMatchObject({ status: "captured", restored: expect.any(Number) as number });
    await payment.sendReport("captured", { messageId: query?.messageId, ...approval });
    expect(await payment.open()).toEqual([]);
    expect((await payment.now()).restored).toBeUndefined();
  });

  it("keeps an approval of the lost time, and notifies the partner under a sequence that no lost event had", async () => {
    const restorable = await aRestorable();
    const payment = await aPaymentOn(restorable.platform, { captureMode: "automatic" });
    await restorable.exportAll();
    const request = await payment.fetch();
    await payment.sendReport("accepted", { messageId: request?.messageId });
    await payment.sendReport("authorized", { messageId: request?.messageId, ...approval });
    const { sequence } = await payment.now();

    await restorable.restore();
    expect(await payment.now()).toMatchObject({ status: "reconciling" });
    await payment.sendReport("authorized", { messageId: (await payment.fetch())?.messageId, ...approval });
    const restored = await payment.now();
    expect(restored).toMatchObject({ status: "captured", charges: [{ status: "captured" }] });
    expect(restored.sequence).toBeGreaterThan(sequence + 100);
    expect(payment.events().at(-1)).toBe("payment.captured");
  });

  it("has no event with the identifier of a lost one: partners drop an identifier that they have seen", async () => {
    const restorable = await aRestorable();
    const { webhooksSent } = restorable.platform;
    const payment = await authorized(restorable, { captureMode: "automatic" }); // it has ended, and is not queried
    await restorable.exportAll();
    const refundId = "aaaaaaaa-0000-4000-8000-000000000001";
    const refund = async (outcome: "refunded" | "refundFailed") => {
      await payment.refund(10, { refundId });
      const messageId = (await payment.fetch())?.messageId;
      await payment.sendReport(outcome, {
        refundId,
        messageId,
        ...(outcome === "refunded" && { amount: 1_000, currency: "SEK" }),
      });
    };
    await refund("refunded");
    await restorable.restore();
    await refund("refundFailed");
    expect(payment.events().slice(-2)).toEqual(["refund.succeeded", "refund.failed"]);
    expect(new Set(webhooksSent.map(({ id }) => id)).size).toBe(webhooksSent.length);
  });

  it("is captured even if the books lack its charge", async () => {
    const restorable = await aRestorable();
    const payment = await aPaymentOn(restorable.platform);
    await restorable.exportAll();
    await restorable.restore();
    await payment.sendReport("captured", { messageId: (await payment.fetch())?.messageId, ...approval });
    expect(await payment.now()).toMatchObject({ status: "captured", charges: [{ chargeId: "charge-1" }] });
  });

  it("has its refund failed if the terminal has not made it, and never delivers it again", async () => {
    const restorable = await aRestorable();
    const payment = await authorized(restorable, { captureMode: "automatic" });
    await payment.refund(10, { refundId: "aaaaaaaa-0000-4000-8000-000000000001" });
    await restorable.exportAll();
    await restorable.restore();
    const query = await payment.fetch();
    expect(query?.message).toMatchObject({ type: "statusQuery", first: true });
    const named = { refundId: "aaaaaaaa-0000-4000-8000-000000000001", messageId: query?.messageId };
    await payment.sendReport("refundFailed", named);
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "failed", statusReason: "terminalReported" }] });
    expect(payment.events().at(-1)).toBe("refund.failed");
    expect(await payment.open()).toEqual([]);
  });

  it("is not treated as undelivered: a message that its terminal may have fetched since the export is not withdrawn", async () => {
    const restorable = await aRestorable();
    const payment = await authorized(restorable);
    await payment.capture(); // committed, but its message is still held
    await restorable.exportAll();
    await restorable.restore();
    await restorable.platform.pass(standardTimings.outcomeSeconds + 1);
    expect(await payment.now()).toMatchObject({ status: "captureRequested", statusReason: "outcomeUnknown" });
  });

  it("has a second card's charge reversed, even before its query is answered", async () => {
    const restorable = await aRestorable();
    const payment = await authorized(restorable);
    await restorable.exportAll();
    await restorable.restore();
    await payment.sendReport("authorized", { ...approval, chargeId: "charge-2" });
    expect((await payment.now()).charges.map(({ chargeId, status }) => [chargeId, status])).toEqual([
      ["charge-1", "authorized"],
      ["charge-2", "reversing"],
    ]);
  });

  it("is not voided if the query's answer is that it was captured after the export", async () => {
    const restorable = await aRestorable();
    const payment = await authorized(restorable);
    await restorable.platform.pass(standardTimings.captureSeconds + 1); // it is given back, because it was not captured in time
    await restorable.exportAll();

    await restorable.restore();
    expect(await payment.open()).toEqual(["void", "statusQuery"]);
    await payment.sendReport("captured", { messageId: (await payment.fetch())?.messageId, ...approval });
    expect(await payment.now()).toMatchObject({ status: "captured" });
    expect(await payment.fetch()).toBeUndefined();
    expect(await payment.open()).toEqual([]);
  });

  it("is voided in time if its query is answered soon after it should have been captured", async () => {
    const restorable = await aRestorable();
    const { platform } = restorable;
    const payment = await authorized(restorable);
    await restorable.exportAll();
    await restorable.restore();
    await platform.pass(standardTimings.captureSeconds); // the void waits for the answer, and no look is left
    expect(await payment.now()).toMatchObject({ status: "authorized", deadlines: [{ name: "capture" }] });
    await platform.pass(30);
    await payment.sendReport("authorized", { messageId: (await payment.fetch())?.messageId, ...approval });
    expect((await payment.now()).restored).toBeUndefined();
    await platform.pass(standardTimings.retryVoidSeconds);
    expect(await payment.now()).toMatchObject({ status: "voidRequested" });
  });

  it("is queried again if it is restored again before its terminal has answered", async () => {
    const restorable = await aRestorable();
    const payment = await authorized(restorable);
    await restorable.exportAll();
    await restorable.restore();
    const [first, later] = [await payment.now(), await newFolder()];
    await restorable.exportAll(undefined, later);
    await restorable.restore(later);
    const again = await payment.now();
    expect(again.sequence).toBeGreaterThan(first.sequence + 100);
    expect(again.restored).toBe(again.sequence);
    const query = await payment.fetch();
    await payment.sendReport("authorized", { messageId: query?.messageId, ...approval });
    expect(await payment.now()).toMatchObject({ status: "authorized" });
    expect(await payment.capture()).toMatchObject({ ok: true });
  });

  it("delivers the void of an unwanted charge although its terminal was away for a whole try", async () => {
    const restorable = await aRestorable();
    const payment = await authorized(restorable, { captureMode: "automatic" });
    await payment.sendReport("authorized", { ...approval, chargeId: "charge-2" });
    await restorable.platform.pass(standardTimings.retryVoidSeconds + 1);
    await restorable.exportAll();
    const { sequence } = await payment.now();
    await restorable.restore();
    expect((await payment.fetch())?.message).toMatchObject({ type: "void", chargeId: "charge-2" });
    expect((await payment.now()).sequence).toBeGreaterThan(sequence + 100);
  });

  it("does not repeat a refund that its terminal may have made and forgotten", async () => {
    const restorable = await aRestorable();
    const { deps } = restorable.platform;
    const payment = await authorized(restorable, { captureMode: "automatic" });
    await payment.refund(10);
    await payment.fetch();
    const { terminalId } = await payment.now();
    const view = await deps.terminals.find(terminalId);
    if (!view) throw new Error("the terminal is gone");
    const exported = restorable.whole();
    const terminals = withLaterPayments(await copyOf(exported.terminals), exported.terminals);
    const lagging = { ...exported, terminals };
    await requeryAfterRestart(deps, callFrom(deps, view.terminal), { reportId: "a start", memory: "lost" });
    expect(await payment.now()).toMatchObject({ refunds: [{ terminalForgot: true }] });
    await restorable.exportAll(lagging);
    await restorable.restore();
    expect(await payment.open()).toEqual(["statusQuery"]);
  });

  it("holds its order, even if the export lacks its entry", async () => {
    const restorable = await aRestorable();
    const { orders } = restorable.platform.deps;
    const { now, sessionId } = await aPaymentOn(restorable.platform, { references: { orderId: "an order" } });
    const order = orderOf(await now());
    if (!order) throw new Error("the payment names no order");
    await orders.save(order, [], await orders.find(order));
    await restorable.exportAll();
    await restorable.restore();
    expect((await orders.find(order))?.holders).toMatchObject([{ sessionId }]);
  });

  it("holds no terminal on which another payment ran, as a torn export shows; its end leaves that one running", async () => {
    const restorable = await aRestorable();
    const { platform } = restorable;
    const { terminals } = platform.deps;
    const till = await aTill(platform);
    const first = await till.ask(undefined);
    await till.sendReport(first.sessionId, "accepted");
    await platform.pass();
    const then = await copyOf(restorable.whole().terminals);
    await till.sendReport(first.sessionId, "declined");
    await platform.pass(1);
    const second = await till.ask(undefined);
    await till.sendReport(second.sessionId, "accepted");
    await platform.pass();
    const torn = inMemoryRows();
    const now = restorable.whole().terminals;
    const isOfFirst = ({ rowKey }: { rowKey: string }) => rowKey.includes(first.sessionId);
    const rows = [
      ...(await allOf(then.rowsAfter())).filter(isOfFirst),
      ...(await allOf(now.rowsAfter())).filter((row) => !isOfFirst(row)),
    ];
    for (const { partitionKey, rowKey, columns } of rows)
      await torn.submit(partitionKey, [{ kind: "insert", rowKey, columns }]);
    await restorable.exportAll({ ...restorable.whole(), terminals: torn });
    await restorable.restore();

    const holder = { sessionId: second.sessionId, asReceived: second.sessionId };
    expect(await terminals.findClaim(till.terminalId)).toMatchObject({ holder });
    expect(await till.find(first.sessionId)).toMatchObject({ status: "reconciling", unclaimed: true });
    expect((await till.find(second.sessionId)).unclaimed).toBeUndefined();
    await till.sendReport(first.sessionId, "declined");
    expect(await till.find(first.sessionId)).toMatchObject({ status: "declined" });
    const busy = { code: "terminal_busy", sessionId: second.sessionId };
    expect((await till.ask(undefined)).answer).toMatchObject({ ok: false, error: busy });
    await till.sendReport(second.sessionId, "declined");
    expect((await till.ask(undefined)).answer).toMatchObject({ ok: true });
  });

  it("leaves its terminal free if it ended while the export was made, whatever the exported terminal says", async () => {
    const restorable = await aRestorable();
    const { platform } = restorable;
    const till = await aTill(platform);
    const { sessionId } = await till.ask(undefined);
    await till.sendReport(sessionId, "accepted");
    await platform.pass();
    const exported = restorable.whole();
    const then = await copyOf(exported.terminals);
    await till.sendReport(sessionId, "declined");
    await platform.pass();
    await restorable.exportAll({ ...exported, terminals: withLaterPayments(then, exported.terminals) });
    await restorable.restore();
    expect(await till.find(sessionId)).toMatchObject({ status: "declined" });
    expect((await till.ask(undefined)).answer).toMatchObject({ ok: true });
  });

  it("leaves its order if it was refunded in full, even if a failover left the order older than the payment", async () => {
    const restorable = await aRestorable();
    const { orders } = restorable.platform.deps;
    const references = { orderId: "an order" };
    const payment = await authorized(restorable, { captureMode: "automatic", references });
    const order = orderOf(await payment.now());
    if (!order) throw new Error("the payment names no order");
    await restorable.platform.pass();
    const lagging = { ...restorable.whole(), orders: await copyOf(restorable.whole().orders) };
    const refundId = "aaaaaaaa-0000-4000-8000-000000000001";
    await payment.refund(125.5, { refundId });
    const messageId = (await payment.fetch())?.messageId;
    await payment.sendReport("refunded", { refundId, messageId, amount: 12_550, currency: "SEK" });
    await restorable.platform.pass();
    expect((await orders.find(order))?.holders ?? []).toEqual([]);
    await restorable.exportAll(lagging);
    await restorable.restore();
    expect((await orders.find(order))?.holders ?? []).toEqual([]);
  });
});
