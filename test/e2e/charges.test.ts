import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { partnerFor } from "../support/partner.ts";
import { aRunningPayment } from "../support/running-payment.ts";
import { LONG } from "../support/wait-for.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const asPartner = partnerFor("charges");
const { partner, capture, onAutopilot, pay, read, silent, until } = asPartner;
let server: Awaited<ReturnType<typeof startWebhookServer>>;
beforeAll(async () => {
  server = await startWebhookServer(partner.webhookSecret);
});
afterAll(async () => server.close());

const aRunning = (more: Record<string, unknown> = {}) =>
  aRunningPayment(asPartner, { responseWebhookUrl: server.url, ...more });

describe("an unwanted charge", () => {
  it("(a second one of a captured payment) is reversed with a webhook, and the payment stays captured", async () => {
    const { sessionID, message } = await aRunning({ captureMode: "automatic" });
    const [first, second] = [randomUUID(), randomUUID()];
    await silent.sendReport(message, "authorized", { chargeID: first });
    await until(sessionID, "captured");
    await silent.sendReport(message, "authorized", { chargeID: second });
    const requested = await server.until("reversal.requested", sessionID);
    expect(requested.event.data).toMatchObject({
      status: "captured",
      charges: [
        { chargeID: first, status: "captured" },
        { chargeID: second, status: "reversing" },
      ],
    });

    const voiding = await silent.reach("void", sessionID);
    expect(voiding).toMatchObject({ chargeID: second, amount: 125.5, currency: "SEK" });
    await silent.sendReport(voiding, "voided");
    const succeeded = await server.until("reversal.succeeded", sessionID);
    const payment = await read(sessionID);
    expect(payment).toEqual(succeeded.event.data);
    expect(payment).toMatchObject({
      status: "captured",
      final: true,
      amounts: { authorized: 125.5, captured: 125.5 },
      charges: [
        { chargeID: first, amount: 125.5, currency: "SEK", status: "captured" },
        { chargeID: second, amount: 125.5, currency: "SEK", status: "reversed" },
      ],
    });
  });

  it("(one after the payment was declined) is reversed, and the payment stays declined", async () => {
    const { sessionID, message } = await aRunning();
    await silent.sendReport(message, "declined");
    await silent.sendReport(message, "authorized");
    await silent.sendReport(await silent.reach("void", sessionID), "voided");
    const delivered = await server.until("reversal.succeeded", sessionID);
    expect(delivered.event.data).toMatchObject({
      status: "declined",
      charges: [{ amount: 125.5, status: "reversed" }],
    });
    expect(await read(sessionID)).toMatchObject({ status: "declined", final: true, amounts: { authorized: 0 } });
  });

  it("(one of another amount) is reversed, and the payment ends voided", async () => {
    const { sessionID, message } = await aRunning();
    const chargeID = randomUUID();
    await silent.sendReport(message, "authorized", { chargeID, amount: 125.49 });
    expect(await until(sessionID, "voidRequested")).toMatchObject({ final: false, statusReason: "amountMismatch" });
    const voiding = await silent.reach("void", sessionID);
    expect(voiding).toMatchObject({ chargeID, amount: 125.49, currency: "SEK" });
    await silent.sendReport(voiding, "voided");
    expect(await until(sessionID, "voided")).toMatchObject({
      final: true,
      statusReason: "amountMismatch",
      amounts: { captured: 0 },
      charges: [{ chargeID, amount: 125.49, status: "reversed" }],
    });
  });

  it("is reversed on the autopilot's terminal, too, and the wanted one can be captured", async () => {
    const body = onAutopilot({ totalAmountInclVat: 100.15, responseWebhookUrl: server.url });
    await pay(body);
    await server.until("reversal.succeeded", body.sessionID);
    expect(await read(body.sessionID)).toMatchObject({
      status: "authorized",
      charges: [{ status: "authorized" }, { status: "reversed" }],
    });
    expect(await capture(body)).toMatchObject({ status: 202 });
    expect(await until(body.sessionID, "captured")).toMatchObject({
      amounts: { captured: 100.15 },
      charges: [{ status: "captured" }, { status: "reversed" }],
    });
  });

  it.concurrent("is reversed at the third try when the terminal fails to void it twice", async () => {
    const { partner, onAutopilot, pay, read } = partnerFor("charges, void fails");
    const server = await startWebhookServer(partner.webhookSecret, undefined, LONG);
    try {
      const body = onAutopilot({
        totalAmountInclVat: 100.16,
        captureMode: "automatic",
        responseWebhookUrl: server.url,
      });
      await pay(body);
      await server.until("reversal.succeeded", body.sessionID);
      expect(await read(body.sessionID)).toMatchObject({
        status: "captured",
        charges: [{ status: "captured" }, { status: "reversed" }],
      });
    } finally {
      await server.close();
    }
  });
});

describe("a capture", () => {
  it("of less than was requested is recorded as the terminal reports it", async () => {
    const { message, ...body } = await aRunning();
    await silent.sendReport(message, "authorized");
    await until(body.sessionID, "authorized");
    expect(await capture(body)).toMatchObject({ status: 202 });
    await silent.sendReport(await silent.reach("capture", body.sessionID), "captured", { amount: 100.25 });
    expect(await until(body.sessionID, "captured")).toMatchObject({
      amounts: { authorized: 125.5, captured: 100.25 },
      charges: [{ amount: 125.5, status: "captured" }],
    });
  });
});

describe("a report about money", () => {
  const report = async (body: Record<string, unknown>) => {
    const response = await fetch(`${inject("stack").terminalsUrl}/report`, {
      method: "POST",
      headers: { "x-terminal-key": partner.terminals.silent.terminalKey, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };

  it.each([
    ["authorized", ["chargeID", "amount", "currency"]],
    ["captured", ["chargeID", "amount", "currency"]],
    ["captureFailed", ["chargeID"]],
    ["voided", ["chargeID"]],
    ["voidFailed", ["chargeID"]],
    ["refunded", ["amount", "currency"]],
  ])("(%s) is 422 without %j, and the response names each missing member", async (type, demanded) => {
    const { sessionID, message } = await aRunning();
    const money: Record<string, unknown> = { chargeID: randomUUID(), amount: 125.5, currency: "SEK" };
    for (const field of demanded) {
      const { [field]: _, ...others } = money;
      expect(
        await report({ reportID: randomUUID(), type, sessionID, messageID: message.messageID, ...others }),
      ).toMatchObject({
        status: 422,
        body: { code: "validation_failed", errors: [{ field }] },
      });
    }
    expect(await read(sessionID)).toMatchObject({ status: "inProgress", charges: [] });
  });
});
