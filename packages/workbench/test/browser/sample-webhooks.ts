import { createHmac } from "node:crypto";
import type { WebhookView } from "../../live/views/webhooks.ts";

/** The secret of the sample's partner. It signs the sample's webhooks, and the page recomputes their signatures. */
export const sampleSecret = `whsec_${Buffer.from("a sample's secret of some length").toString("base64")}`;

interface Attempt {
  readonly id: string;
  readonly at: number;
  readonly eventId: string;
  readonly type: string;
  readonly sessionId: string;
  readonly attempt?: number;
  readonly answer: number | undefined;
  readonly nextAt?: number;
  readonly isGivenUp?: boolean;
  readonly text: string;
  /** Signed with another secret. */
  readonly isForged?: boolean;
}

export function sampleWebhook({ text, attempt = 1, isForged = false, ...told }: Attempt): WebhookView {
  const timestamp = `${Math.floor(told.at / 1000)}`;
  const amounts = {
    currency: "SEK",
    totalAmountInclVat: 125.5,
    amounts: { captured: told.type === "payment.captured" ? 125.5 : 0 },
  };
  const body = JSON.stringify({
    type: told.type,
    timestamp: new Date(told.at).toISOString(),
    data: { sessionID: told.sessionId, sequence: 3, status: told.type.slice("payment.".length), text, ...amounts },
  });
  const signed = `${told.eventId}.${timestamp}.${body}`;
  const sign = (key: Buffer | string) => createHmac("sha256", key).update(signed).digest("base64");
  const expected = sign(Buffer.from(sampleSecret.slice("whsec_".length), "base64"));
  const received = isForged ? sign("another secret") : expected;
  return {
    ...told,
    attempt,
    isSignatureValid: !isForged,
    headers: [
      ["content-type", "application/json"],
      ["user-agent", "terminal-payments/1"],
      ["webhook-id", told.eventId],
      ["webhook-timestamp", timestamp],
      ["webhook-signature", `v1,${received}`],
      ["traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"],
    ],
    body,
    signature: { signed, expected, received },
  };
}
