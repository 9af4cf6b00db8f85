import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isReplay, partnerFor } from "../support/partner.ts";
import { skippedIf } from "../support/skipped.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const { partner, onAutopilot, pay, read, refund, request, silent, until } = partnerFor("refunding");
let server: Awaited<ReturnType<typeof startWebhookServer>>;
beforeAll(async () => {
  server = await startWebhookServer(partner.webhookSecret);
});
afterAll(async () => server.close());

/** A payment of 125.50 SEK, captured by the autopilot. */
async function aCaptured(more: Record<string, unknown> = {}) {
  const body = onAutopilot({ captureMode: "automatic", responseWebhookUrl: server.url, ...more });
  expect(await pay(body)).toMatchObject({ status: 202 });
  await until(body.sessionID, "captured");
  return body;
}

const tooMuch = { status: 422, body: { code: "amount_exceeds_refundable" } };

describe("a refund", () => {
  it("gives money back while the payment stays captured, and sends a webhook", async () => {
    const body = await aCaptured();
    const refundID = randomUUID();
    expect(await refund(body, 25.5, { refundID, refundReason: "one pair too many" })).toMatchObject({
      status: 202,
      body: {
        status: "captured",
        amounts: { captured: 125.5, refunded: 0, refundPending: 25.5 },
        refunds: [{ refundID, refundAmount: 25.5, refundReason: "one pair too many", status: "pending" }],
      },
    });
    const delivered = await server.until("refund.succeeded", body.sessionID);
    expect(delivered.event.data).toMatchObject({
      status: "captured",
      final: true,
      amounts: { captured: 125.5, refunded: 25.5, refundPending: 0 },
      refunds: [{ refundID, status: "succeeded" }],
    });
  });

  it("can be repeated up to the captured amount, but not by one minor unit more", async () => {
    const body = await aCaptured();
    expect(await refund(body, 125.51)).toMatchObject(tooMuch);
    expect(await refund(body, 100, { refundReason: "first" })).toMatchObject({ status: 202 });
    expect(await refund(body, 25.51, { refundReason: "second" })).toMatchObject(tooMuch); // the first refund may still be pending
    expect(await refund(body, 25.5, { refundReason: "second" })).toMatchObject({ status: 202 });
    expect(await refund(body, 0.01, { refundReason: "third" })).toMatchObject(tooMuch);
    await server.until("refund.succeeded", body.sessionID);
    await expect.poll(async () => (await read(body.sessionID)).amounts.refunded).toBe(125.5);
    expect(await refund(body, 0.01, { refundReason: "third" })).toMatchObject(tooMuch);
  });

  it("of an amount that the currency does not have is 422, and nothing is refunded", async () => {
    const body = await aCaptured();
    for (const refundAmount of [0, -1, 1.234, "10"])
      expect(await refund(body, 1, { refundAmount })).toMatchObject({
        status: 422,
        body: { code: "validation_failed", errors: [{ field: "refundAmount" }] },
      });
    expect(await read(body.sessionID)).toMatchObject({ refunds: [] });
  });

  it("in another currency, on another terminal, or with a reason or key too long is 422", async () => {
    const { sessionID, pointOfServiceID } = await aCaptured();
    const of = { sessionID, pointOfServiceID };
    expect(await refund(of, 10, { currency: "NOK" })).toMatchObject({
      status: 422,
      body: { code: "currency_mismatch" },
    });
    expect(await refund(of, 10, { refundReason: "x".repeat(193) })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "refundReason" }] },
    });
    expect(await refund({ ...of, pointOfServiceID: randomUUID() }, 10)).toMatchObject({
      status: 422,
      body: { code: "terminal_mismatch" },
    });
    expect(await refund(of, 10, {}, { "Idempotency-Key": "k".repeat(256) })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "Idempotency-Key" }] },
    });
    expect(await read(sessionID)).toMatchObject({ refunds: [] });
  });

  it("of a payment that is only authorized is 409", async () => {
    const body = onAutopilot();
    await pay(body);
    await until(body.sessionID, "authorized");
    expect(await refund(body, 10)).toMatchObject({
      status: 409,
      body: { code: "invalid_state", currentStatus: "authorized" },
    });
  });
});

describe("a repeated refund", () => {
  it.each([
    ["refundID", () => [{ refundID: randomUUID() }, {}] as const],
    ["Idempotency-Key", () => [{}, { "Idempotency-Key": randomUUID() }] as const],
  ])("under its %s is replayed, and refused with another amount or reason", async (_, name) => {
    const body = await aCaptured();
    const [more, headers] = name();
    expect(isReplay(await refund(body, 10, more, headers))).toBe(false);
    await server.until("refund.succeeded", body.sessionID);

    const again = await refund(body, 10, more, headers);
    expect(again).toMatchObject({ status: 202, body: { refunds: [{ status: "succeeded" }] } });
    expect(isReplay(again)).toBe(true);

    const mismatch = { status: 422, body: { code: "idempotency_mismatch" } };
    expect(await refund(body, 11, more, headers)).toMatchObject(mismatch);
    expect(await refund(body, 10, { ...more, refundReason: "something else" }, headers)).toMatchObject(mismatch);
    expect(await read(body.sessionID)).toMatchObject({ amounts: { refunded: 10 } });
  });

  it("under the refundID of its response, even in capitals, is the same refund as under the key that named it", async () => {
    const body = await aCaptured();
    const headers = { "Idempotency-Key": randomUUID() };
    const first = await refund(body, 100, {}, headers);
    const refundID = first.body.refunds[0]?.refundID ?? "";
    for (const spelled of [refundID, refundID.toUpperCase()])
      expect(isReplay(await refund(body, 100, { refundID: spelled }))).toBe(true);
    await server.until("refund.succeeded", body.sessionID);

    const mismatch = { status: 422, body: { code: "idempotency_mismatch" } };
    expect(await refund(body, 25, { refundID })).toMatchObject(mismatch);
    expect(await refund(body, 100, { refundID: randomUUID() }, headers)).toMatchObject(mismatch);
    expect(isReplay(await refund(body, 100, { refundID }, headers))).toBe(true);
    expect(await read(body.sessionID)).toMatchObject({ amounts: { refunded: 100, refundPending: 0 } });
    expect((await read(body.sessionID)).refunds).toMatchObject([{ refundID, status: "succeeded" }]);
  });

  it("without a name is the same refund while that is pending, and a possible duplicate of it once it is made", async () => {
    await silent.online();
    const body = request({ captureMode: "automatic", responseWebhookUrl: server.url });
    await pay(body);
    await silent.approve(body.sessionID);
    await until(body.sessionID, "captured");
    const first = await refund(body, 10);
    const refundID = first.body.refunds[0]?.refundID ?? "";
    expect(isReplay(await refund(body, 10))).toBe(true);
    const other = await refund(body, 10, { refundReason: "another return" });
    expect(isReplay(other)).toBe(false);
    expect(other.body.refunds).toHaveLength(2);

    const make = async () => {
      const message = await silent.reach("refund", body.sessionID);
      await silent.sendReport(message, "refunded", { refundID: message.refundID });
    };
    await make();
    await expect.poll(async () => (await read(body.sessionID)).amounts.refunded).toBe(10);
    const [made] = (await read(body.sessionID)).refunds;
    const isMade = { refundID, refundStatus: "succeeded", refundedAt: made?.updatedAt };
    expect(await refund(body, 10)).toMatchObject({ status: 409, body: { code: "possible_duplicate", ...isMade } });
    expect(await refund(body, 10, { confirmDuplicate: true })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "refundID", code: "required" }] },
    });
    const named = await refund(body, 10, { confirmDuplicate: true, refundID: randomUUID() });
    expect(named.body.refunds).toHaveLength(3);
    await make();
    await make();
    await expect.poll(async () => (await read(body.sessionID)).amounts.refunded).toBe(30);
  });
});

describe("a failed refund", () => {
  it("that the terminal reports sends a webhook, and the money can be refunded again", async () => {
    const body = await aCaptured({ totalAmountInclVat: 100.12 });
    await refund(body, 100.12, { refundID: randomUUID() });
    const delivered = await server.until("refund.failed", body.sessionID);
    expect(delivered.event.data).toMatchObject({
      status: "captured",
      amounts: { refunded: 0, refundPending: 0 },
      refunds: [{ status: "failed", statusReason: "terminalReported", statusDetail: "refund refused" }],
    });
    const again = await refund(body, 100.12, { refundID: randomUUID() });
    expect(again).toMatchObject({ status: 202, body: { amounts: { refundPending: 100.12 } } });
  });

  it("that the terminal makes after all succeeds, and the refund that replaced it never reaches the terminal", async () => {
    await silent.online();
    const body = request({ captureMode: "automatic", responseWebhookUrl: server.url });
    await pay(body);
    await silent.approve(body.sessionID);
    await until(body.sessionID, "captured");
    const [first, second] = [randomUUID(), randomUUID()];
    await refund(body, 100, { refundID: first });
    const refunding = await silent.reach("refund", body.sessionID);
    await silent.sendReport(refunding, "refundFailed", { refundID: first });
    await server.until("refund.failed", body.sessionID);
    expect(await refund(body, 100, { refundID: second })).toMatchObject({ status: 202 });

    await silent.sendReport(refunding, "refunded", { refundID: first });
    const succeeded = await server.until("refund.succeeded", body.sessionID);
    expect(succeeded.event.data).toMatchObject({
      amounts: { captured: 125.5, refunded: 100, refundPending: 0 },
      refunds: [
        { refundID: first, status: "succeeded" },
        { refundID: second, status: "failed", statusReason: "alreadyRefunded" },
      ],
    });
    expect(await silent.client.next(0)).toBeUndefined();
    expect(await refund(body, 100, { refundID: randomUUID() })).toMatchObject(tooMuch);
  });

  it("follows from a message that was never fetched; if it was fetched without an answer, the refund is in doubt", async () => {
    const { partner, pay, read, refund, request, silent, until } = partnerFor("refunding unanswered");
    const server = await startWebhookServer(partner.webhookSecret);
    try {
      await silent.online();
      const body = request({ captureMode: "automatic", responseWebhookUrl: server.url });
      await pay(body);
      await silent.approve(body.sessionID);
      await until(body.sessionID, "captured");
      const [fetched, unfetched] = [randomUUID().toUpperCase(), randomUUID()];
      await refund(body, 20, { refundID: fetched });
      expect(await silent.reach("refund", body.sessionID)).toMatchObject({ refundID: fetched, amount: 20 });
      await refund(body, 30, { refundID: unfetched });

      await server.until("refund.failed", body.sessionID);
      await expect
        .poll(async () => (await read(body.sessionID)).refunds, { timeout: 10_000 })
        .toMatchObject([
          { refundID: fetched, status: "pending", statusReason: "outcomeUnknown" },
          { refundID: unfetched, status: "failed", statusReason: "notDelivered" },
        ]);
      expect(await refund(body, 125.5, { refundID: randomUUID() })).toMatchObject(tooMuch);

      const query = await silent.reach("statusQuery", body.sessionID);
      expect(query).toMatchObject({ refundID: fetched });
      await silent.sendReport(query, "refunded", { refundID: fetched.toLowerCase() });
      await server.until("refund.succeeded", body.sessionID);
      expect(await read(body.sessionID)).toMatchObject({ amounts: { refunded: 20, refundPending: 0 } });
    } finally {
      await server.close();
    }
  });
});

describe("a full refund", () => {
  const { partner: strict, onAutopilot, pay, read, refund, until } = partnerFor("strict merchant");

  const onlyOnePartner = strict.partnerID === partner.partnerID;
  const because = skippedIf(onlyOnePartner, "there is only one partner");

  it.skipIf(onlyOnePartner)(`releases the order of a strict merchant${because}`, async () => {
    const first = onAutopilot({ captureMode: "automatic" });
    await pay(first);
    await until(first.sessionID, "captured");
    const second = { ...first, sessionID: randomUUID() };
    expect(await pay(second)).toMatchObject({
      status: 409,
      body: { code: "possible_duplicate", sessionID: first.sessionID },
    });
    await refund(first, 125.5);
    await expect.poll(async () => (await read(first.sessionID)).amounts.refunded).toBe(125.5);
    expect(await pay(second)).toMatchObject({ status: 202 });
    await until(second.sessionID, "captured");
  });
});
