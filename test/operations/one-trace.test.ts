import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReceivedSpan } from "../../packages/workbench/live/otlp.ts";
import { startOtlpReceiver } from "../support/otlp-receiver.ts";
import { aRunningPayment } from "../support/running-payment.ts";
import { findSecrets } from "../support/secret-search.ts";
import { secretsOf } from "../support/secrets-of-stack.ts";
import { webShopOn } from "../support/web-shop.ts";
import { partnerOn } from "../support/partner.ts";
import { startTroubledStack, type TroubledStack } from "../support/troubled-stack.ts";
import { LONG } from "../support/wait-for.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

// The app with tracing switched on, observed at the receiver of the traces.

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let troubled: TroubledStack;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  troubled = await startTroubledStack({
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: "50",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
      LEASE_SECONDS: "2",
    },
    queueOverrides: { LockDuration: "PT5S", MaxDeliveryCount: 50 }, // a dead host keeps its locks
  });
});
afterAll(async () => {
  await troubled.stop();
  await receiver.close();
});

const isNoteOfWebhook = (body: string) => body.includes("webhook~");
const deliveriesOf = ({ attributes }: ReceivedSpan) => attributes["messaging.servicebus.message.delivery_count"];

describe("a payment whose host was killed on the way", () => {
  it("is one trace from the partner's request to the terminal and the webhook", async () => {
    const { stack } = troubled;
    const added = await stack.addPartner();
    const partner = partnerOn(stack.file, added, LONG);
    const webhooks = await startWebhookServer(added.webhookSecret, undefined, LONG);
    try {
      await partner.silent.online();
      const traceId = randomBytes(16).toString("hex");
      const body = partner.request({ responseWebhookUrl: webhooks.url });
      const sent = (of: string) => receiver.until(of, ({ traceId: its, name }) => its === traceId && name === of);
      const killed = troubled.killedAt({
        at: isNoteOfWebhook,
        fate: "drop-request",
        after: () => Promise.all(["pos-payment-request", "process terminal-messages", "next-message"].map(sent)),
      });
      const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
      await partner.send("POST", "/pos-payment-request", body, { traceparent });
      const message = await partner.silent.next();
      expect(message).toMatchObject({ type: "payment", sessionID: body.sessionID });
      expect(message.traceparent).toMatch(`00-${traceId}-`);
      await partner.silent.sendReport(message, "accepted");
      await killed;
      await stack.startFunctions();
      await partner.silent.sendReport(message, "authorized");
      const delivered = await webhooks.until("payment.authorized", body.sessionID);
      expect(delivered.headers["traceparent"]).toMatch(`00-${traceId}-`);

      // The span in the header is the attempt's own.
      const [, , spanId] = delivered.headers["traceparent"]?.split("-") ?? [];
      const attempt = await receiver.until("of the webhook", (span) => span.spanId === spanId);
      expect(attempt).toMatchObject({ traceId, name: "webhook attempt", kind: "client", failed: false });
      const again = await receiver.until(
        "of the webhook's second try, after the crash",
        (span) => span.traceId === traceId && span.name === "process webhook-deliveries" && deliveriesOf(span) === 2,
      );
      expect(again).toMatchObject({ kind: "consumer", failed: false });
      const secondTry = ({ name, parentSpanId }: ReceivedSpan) =>
        name === "webhook attempt" && parentSpanId === again.spanId;
      expect(await receiver.until("of its attempt", secondTry)).toMatchObject({ traceId, failed: false });

      const spans = receiver.ofTrace(traceId);
      const [request] = spans.filter(({ name }) => name === "pos-payment-request");
      expect(request).toMatchObject({ kind: "server", parentSpanId: "00f067aa0ba902b7" });
      expect(request?.attributes).toMatchObject({
        "payment.partner_id": added.partnerID,
        "payment.session_id": body.sessionID,
        "http.response.status_code": 202,
      });
      const handedOut = spans.find(({ name }) => name === "next-message");
      expect(handedOut).toMatchObject({ parentSpanId: request?.spanId });
      expect(handedOut?.attributes["payment.session_id"]).toBe(body.sessionID);
      expect(new Set(spans.map(({ resource }) => resource["service.instance.id"])).size).toBe(2);
    } finally {
      await webhooks.close();
    }
  });
});

it("no span holds a key, a code, an address or a card number", async () => {
  const { stack } = troubled;
  const added = await stack.addPartner();
  const partner = partnerOn(stack.file, added);
  const shop = webShopOn(stack.file);
  const webhooks = await startWebhookServer(added.webhookSecret);
  try {
    const { code } = await shop.token();
    const { sessionID, message } = await aRunningPayment(partner, {
      responseWebhookUrl: `${webhooks.url}?key=a-s3cret-of-the-partner`,
    });
    expect(await partner.discount({ sessionID, voucherCode: code })).toMatchObject({ status: 202 });
    await partner.silent.reach("discount", sessionID);
    await partner.silent.sendReport(message, "declined", { reason: "4242 4242 4242 4242 someone@customer.example" });
    const { webhookId } = await webhooks.until("payment.declined", sessionID);
    await partner.refused("POST", "/pos-payment-request", partner.request(), { apikey: `${added.apikey}x` });
    await receiver.until("of a mail", ({ name }) => name === "mail attempt");
    await receiver.until("of the webhook", ({ attributes }) => attributes["payment.event_id"] === webhookId);
    await receiver.until("of a refusal", ({ attributes }) => attributes["payment.problem"] === "invalid_credentials");

    const partnersOwn = { kind: "the webhook's address", value: "a-s3cret-of-the-partner" };
    const known = [partnersOwn, ...(await secretsOf(stack, [added]))];
    expect(known.length).toBeGreaterThan(10);
    expect(receiver.text()).toContain(sessionID);
    expect(findSecrets(receiver.text(), known)).toEqual([]);
  } finally {
    await webhooks.close();
  }
});
