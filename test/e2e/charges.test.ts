import { randomUUID } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import { partnerFor } from "../support/partner.ts";
import { aRunningPayment } from "../support/running-payment.ts";
import { LONG } from "../support/wait-for.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const asPartner = partnerFor("charges");
const { partner, read } = asPartner;

it("a second card's charge is reversed at the third try when the terminal fails to void it twice", async () => {
  const { partner, onAutopilot, pay, read } = partnerFor("charges, void fails");
  const server = await startWebhookServer(partner.webhookSecret, undefined, LONG);
  try {
    const body = onAutopilot({
      totalAmountInclVat: 100.16,
      captureMode: "automatic",
      responseWebhookUrl: server.url,
    });
    await pay(body);
    const requested = await server.until("reversal.requested", body.sessionID);
    expect(requested.event.data).toMatchObject({ charges: [{ status: "captured" }, { status: "reversing" }] });
    const succeeded = await server.until("reversal.succeeded", body.sessionID);
    expect(await read(body.sessionID)).toEqual(succeeded.event.data);
    expect(succeeded.event.data).toMatchObject({
      status: "captured",
      amounts: { captured: 100.16 },
      charges: [{ status: "captured" }, { status: "reversed" }],
    });
  } finally {
    await server.close();
  }
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
    const { sessionID, message } = await aRunningPayment(asPartner);
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
