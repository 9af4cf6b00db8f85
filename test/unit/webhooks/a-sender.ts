import { onTestFinished } from "vitest";
import {
  webhookSender,
  type SignedWebhook,
  type WebhookSenderOptions,
} from "../../../shared/adapters/webhooks/sender.ts";
import { aPartnerServer } from "./partner-server.ts";

const now = Date.parse("2026-11-21T10:00:00.000Z");

/** A sender of a local cloud, for the duration of one test. Its clock stands still. */
export function aSender(options: Partial<WebhookSenderOptions> = {}) {
  const sender = webhookSender({ allowLocal: true, now: () => now, ...options });
  onTestFinished(() => sender.close());
  return sender;
}

export const aWebhook = (url: string): SignedWebhook => ({
  url,
  id: "evt_1",
  timestamp: 1_795_255_200,
  body: '{"type":"payment.authorized","data":{"merchantName":"Café"}}',
  signature: "v1,c2lnbmF0dXJl",
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
});

/** A partner's server that always answers with this status. */
export const answering = (code: number, headers: Record<string, string> = {}) =>
  aPartnerServer((_, response) => response.writeHead(code, headers).end("noted"));
