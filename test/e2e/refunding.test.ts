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

  it.each([
    ["above the captured amount", { refundAmount: 125.51 }, { code: "amount_exceeds_refundable" }],
    ["in another currency", { currency: "NOK" }, { code: "currency_mismatch" }],
    ["on another terminal", { pointOfServiceID: randomUUID() }, { code: "terminal_mismatch" }],
    ["with a reason too long", { refundReason: "x".repeat(193) }, { errors: [{ field: "refundReason" }] }],
  ])("%s is 422, and nothing is refunded", async (_, wrong, problem) => {
    const body = await aCaptured();
    expect(await refund(body, 10, wrong)).toMatchObject({ status: 422, body: problem });
    expect(await read(body.sessionID)).toMatchObject({ refunds: [] });
  });
});

describe("a repeated refund", () => {
  it("under its Idempotency-Key is replayed, and refused with another amount; one too long is 422", async () => {
    const body = await aCaptured();
    const named = { "Idempotency-Key": randomUUID() };
    expect(isReplay(await refund(body, 10, {}, named))).toBe(false);
    expect(isReplay(await refund(body, 10, {}, named))).toBe(true);
    expect(await refund(body, 11, {}, named)).toMatchObject({ status: 422, body: { code: "idempotency_mismatch" } });
    expect(await refund(body, 10, {}, { "Idempotency-Key": "k".repeat(256) })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "Idempotency-Key" }] },
    });
  });

  it("without a name is the same refund while that is pending, and a possible duplicate of it once it is made", async () => {
    await silent.online();
    const body = request({ captureMode: "automatic" });
    await pay(body);
    await silent.approve(body.sessionID);
    await until(body.sessionID, "captured");
    const first = await refund(body, 10);
    const refundID = first.body.refunds[0]?.refundID ?? "";
    expect(isReplay(await refund(body, 10))).toBe(true);
    await silent.sendReport(await silent.reach("refund", body.sessionID), "refunded", { refundID });
    const [made] = (await read(body.sessionID)).refunds;
    const isMade = { refundID, refundStatus: "succeeded", refundedAt: made?.updatedAt };
    expect(await refund(body, 10)).toMatchObject({ status: 409, body: { code: "possible_duplicate", ...isMade } });
    expect(await refund(body, 10, { confirmDuplicate: true })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "refundID", code: "required" }] },
    });
    const named = await refund(body, 10, { confirmDuplicate: true, refundID: randomUUID() });
    expect(named.body.refunds).toHaveLength(2);
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
});

const strict = partnerFor("strict merchant");
const onlyOnePartner = strict.partner.partnerID === partner.partnerID;
const because = skippedIf(onlyOnePartner, "there is only one partner");

it.skipIf(onlyOnePartner)(`a full refund releases the order of a strict merchant${because}`, async () => {
  const first = strict.onAutopilot({ captureMode: "automatic" });
  await strict.pay(first);
  await strict.until(first.sessionID, "captured");
  const second = { ...first, sessionID: randomUUID() };
  expect(await strict.pay(second)).toMatchObject({
    status: 409,
    body: { code: "possible_duplicate", sessionID: first.sessionID },
  });
  await strict.refund(first, 125.5);
  await expect.poll(async () => (await strict.read(first.sessionID)).amounts.refunded).toBe(125.5);
  expect(await strict.pay(second)).toMatchObject({ status: 202 });
});
