import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { paymentRow, sessionRow, sessionsPartition, terminalPartition } from "../../shared/stores/keys.ts";
import { unreadableColumns } from "../../shared/stores/payments.ts";
import { sessionColumns } from "../../shared/stores/sessions.ts";
import { rowsOf } from "../support/table-access.ts";
import { partnerFor } from "../support/partner.ts";

const { headers, partner, refused, request, silent } = partnerFor("refusals");
beforeAll(async () => void (await silent.online()));

/** After a refusal there is no payment, and no message on its way to the terminal. */
async function nothingHappened(sessionID: string) {
  expect(await refused("GET", `/pos-payment/${sessionID}`)).toMatchObject({ status: 404 });
  expect(await silent.client.next(0)).toBeUndefined();
}

describe("a payment request with wrong input", () => {
  it.each([
    ["no sessionID", { sessionID: undefined }, "sessionID"],
    ["a sessionID that is none", { sessionID: "123" }, "sessionID"],
    ["a wrong msgType", { msgType: "paymentCancel" }, "msgType"],
    ["no merchantID", { merchantID: null }, "merchantID"],
    ["no terminal", { pointOfServiceID: undefined }, "pointOfServiceID"],
    ["no amount", { totalAmountInclVat: undefined }, "totalAmountInclVat"],
    ["too many decimals", { totalAmountInclVat: 1.234 }, "totalAmountInclVat"],
    ["an amount as text", { totalAmountInclVat: "125.50" }, "totalAmountInclVat"],
    ["an amount of zero", { totalAmountInclVat: 0, totalVatAmount: 0 }, "totalAmountInclVat"],
    ["a negative amount", { totalAmountInclVat: -1 }, "totalAmountInclVat"],
    ["thirteen digits", { totalAmountInclVat: 10_000_000_000 }, "totalAmountInclVat"],
    ["VAT above the total", { totalVatAmount: 126 }, "totalVatAmount"],
    ["no currency", { currency: undefined }, "currency"],
    ["a currency that is none", { currency: "XYZ" }, "currency"],
    ["decimals that the currency has not", { currency: "JPY", totalVatAmount: undefined }, "totalAmountInclVat"],
    ["a reference that is too long", { merchantReferences: { orderId: "x".repeat(65) } }, "merchantReferences.orderId"],
    ["a webhook to a private address", { responseWebhookUrl: "https://10.0.0.1/" }, "responseWebhookUrl"],
    ["a webhook that is no URL", { responseWebhookUrl: "not a url" }, "responseWebhookUrl"],
    ["an unknown capture mode", { captureMode: "later" }, "captureMode"],
    ["an expiry beyond five minutes", { expiresInSeconds: 301 }, "expiresInSeconds"],
  ])("(%s) is 422, names the field, and creates nothing", async (_, change, field) => {
    const body = request();
    const answer = await refused("POST", "/pos-payment-request", { ...body, ...change });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: "validation_failed", status: 422, requestID: expect.any(String) as string },
    });
    expect(answer.body.errors?.map((error) => error.field)).toContain(field);
    await nothingHappened(body.sessionID);
  });

  it.each([
    ["an unknown terminal", () => ({ pointOfServiceID: randomUUID() }), 404, "terminal_not_found"],
    ["another merchant", () => ({ merchantID: randomUUID() }), 422, "merchant_mismatch"],
  ])("(%s) is refused, and creates nothing", async (_, change, status, code) => {
    const body = request();
    expect(await refused("POST", "/pos-payment-request", { ...body, ...change() })).toMatchObject({
      status,
      body: { code },
    });
    await nothingHappened(body.sessionID);
  });

  it.each([
    ["is not JSON", "{", undefined, 400, "invalid_json"],
    ["repeats a member", '{"msgType":"paymentRequest","msgType":"paymentRequest"}', undefined, 400, "invalid_json"],
    ["is too large", JSON.stringify({ filler: "x".repeat(70_000) }), undefined, 413, "body_too_large"],
    ["is said to be compressed", "{}", { "Content-Encoding": "gzip" }, 415, "unsupported_media_type"],
    ["is of another content type", "{}", { "Content-Type": "text/plain" }, 415, "unsupported_media_type"],
  ])("whose body %s is refused", async (_, body, more, status, code) => {
    expect(await refused("POST", "/pos-payment-request", body, more)).toMatchObject({ status, body: { code } });
  });

  it("by a method that the path does not have is refused", async () => {
    expect(await refused("PUT", "/pos-payment-request", {})).toMatchObject({ status: 405 });
  });
});

describe("a query", () => {
  it("is refused with the name that was meant", async () => {
    const { body } = await refused("GET", "/pos-payments?orderID=1&status=&merchant_id=2&limit=1&limit=2&to=now&day=");
    expect(body.errors?.map(({ field, code }) => [field, code])).toEqual([
      ["orderId", "unknown_parameter"],
      ["status", "required"],
      ["merchantID", "unknown_parameter"],
      ["limit", "repeated"],
      ["day", "required"],
      ["to", "invalid"],
    ]);
  });
});

describe("a request for money that the platform does not take", () => {
  const sessionID = randomUUID();
  const { pointOfServiceID } = request();
  it.each([
    ["POST", "/pos-payment-request", request({ sessionID }), { gratuity: 10 }],
    ["POST", "/pos-payment-capture", { sessionID, pointOfServiceID, msgType: "paymentCapture" }, { tip_amount: "1" }],
    [
      "POST",
      "/pos-payment-refund",
      { sessionID, pointOfServiceID, msgType: "paymentRefund", currency: "SEK", refundAmount: 1 },
      { CashBackAmount: 10 },
    ],
    ["POST", "/add-discount", { sessionID, discountAmount: 1 }, { surcharge: { amount: 1 } }],
  ])("%s %s is 422, and nothing happens", async (method, path, body, asked) => {
    const { status, body: problem } = await refused(method, path, { ...body, ...asked });
    expect(status).toBe(422);
    expect(problem.errors).toMatchObject([{ code: "not_supported" }]);
    await nothingHappened(sessionID);
  });

  it("is 422 with each member that the operation does not know, if the request prefers strict handling", async () => {
    const body = JSON.stringify(
      { ...request({ sessionID }), lineItems: [], merchantReferences: { orderID: "1" } },
      null,
      2,
    );
    const { body: problem } = await refused("POST", "/pos-payment-request", body, {
      Prefer: "wait=5, handling=strict",
    });
    expect(problem.errors).toEqual([
      {
        field: "(body)",
        code: "unknown_member",
        message: "has a member that is not known to the operation, the first at line 15, column 3",
      },
      {
        field: "merchantReferences",
        code: "unknown_member",
        message: "has a member that is not known to the operation, the first at line 12, column 5",
      },
    ]);
    await nothingHappened(sessionID);
  });
});

describe("a payment that a restore could not read", () => {
  const body = request();
  const { pointOfServiceID, sessionID } = body;
  beforeAll(async () => {
    const [sessionId, terminalId] = [sessionID, pointOfServiceID];
    const createdAt = "2026-11-21T10:00:00.000Z";
    const key = { partnerId: partner.partnerID, terminalId, sessionId };
    const left = { kind: "insert", rowKey: paymentRow(key), columns: unreadableColumns(key, createdAt) } as const;
    await rowsOf(inject("stack"), "terminals").submit(terminalPartition(terminalId), [left]);
    const columns = sessionColumns({ terminalId, createdAt });
    const session = { kind: "insert", rowKey: sessionRow(sessionId), columns } as const;
    await rowsOf(inject("stack"), "sessions").submit(sessionsPartition(partner.partnerID), [session]);
  });

  const named = { pointOfServiceID, sessionID };
  it.each([
    ["requested again", "POST", "/pos-payment-request", body, "session_conflict"],
    ["cancelled", "POST", "/pos-payment-cancel", { ...named, msgType: "paymentCancel" }, "invalid_state"],
    ["captured", "POST", "/pos-payment-capture", { ...named, msgType: "paymentCapture" }, "invalid_state"],
    [
      "refunded",
      "POST",
      "/pos-payment-refund",
      { ...named, msgType: "paymentRefund", currency: "SEK", refundAmount: 1, refundReason: "a return" },
      "invalid_state",
    ],
    ["reduced", "POST", "/add-discount", { sessionID, discountAmount: 1 }, "invalid_state"],
    ["read", "GET", `/pos-payment/${sessionID}`, undefined, "invalid_state"],
    ["read with its timeline", "GET", `/pos-payment/${sessionID}/timeline`, undefined, "invalid_state"],
    ["read with its receipts", "GET", `/pos-payment/${sessionID}/receipts`, undefined, "invalid_state"],
  ])("is not %s: 409", async (_, method, path, sent, code) => {
    expect(await refused(method, path, sent)).toMatchObject({ status: 409, body: { code } });
  });
});

describe("a wrong key", () => {
  it.each(["", "pk_nobody_secret", partner.terminals.silent.terminalKey])(
    "as apikey (%s) is 401, and creates nothing",
    async (apikey) => {
      const body = request();
      const answer = await refused("POST", "/pos-payment-request", body, { apikey });
      expect(answer).toMatchObject({ status: 401, body: { code: "invalid_credentials" } });
      await nothingHappened(body.sessionID);
    },
  );

  it("of a partner gives no access to the Terminals API, nor a terminal's to the Partners API", async () => {
    const asTerminal = { "x-terminal-key": headers["apikey"] ?? "" };
    const answer = await fetch(`${inject("stack").terminalsUrl}/next-message`, { headers: asTerminal });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "invalid_credentials" });
  });
});
