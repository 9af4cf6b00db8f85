import type { IncomingMessage } from "node:http";
import { WEBHOOK_PERMITS } from "./bulkhead.ts";
import { checkWebhookUrl } from "./public-address.ts";
import { publicOnlyAgents } from "./public-only-agents.ts";
import { outcomeOfResponse, outcomeOfTrouble, type WebhookOutcome } from "./outcome.ts";
import { post, type Post } from "./post.ts";
import { dnsResolver, type Resolve } from "./resolve.ts";

export interface SignedWebhook {
  readonly url: string;
  /** The same on every attempt. */
  readonly id: string;
  /** Unix time of this attempt, in whole seconds. The signature covers it. */
  readonly timestamp: number;
  readonly body: string;
  readonly signature: string;
  /** W3C trace context of the request that caused the webhook. */
  readonly traceparent?: string | undefined;
  /** A shorter time-out of this attempt. */
  readonly timeoutMs?: number | undefined;
}

export interface WebhookSenderOptions {
  /** Allows webhooks to this machine, over http and to any port. Only for a local cloud. */
  readonly allowLocal: boolean;
  /** Time-out of the whole attempt: waiting for a free connection, DNS, connecting, sending and the response. */
  readonly timeoutMs?: number;
  /** Milliseconds since 1970. A `Retry-After` with a date is counted from it. */
  readonly now?: () => number;
  readonly resolve?: Resolve;
}

export interface WebhookSender {
  /** Makes one attempt. Trouble on the partner's side or on the way is an outcome. Only an error in the platform itself is thrown. */
  send(webhook: SignedWebhook): Promise<WebhookOutcome>;
  /** Sends a challenge in one attempt. It is delivered only if the response's body is the nonce. */
  challenge(webhook: SignedWebhook, nonce: string): Promise<WebhookOutcome>;
  /** Waits for the running attempts, which end within their time-out, and closes the connections. */
  close(): Promise<void>;
}

/** Time-out of one attempt. */
export const ATTEMPT_TIMEOUT_MS = 15_000;

/** How long a connection may be idle and still be used. */
const KEPT_IDLE_MS = 4_000;

/** Time-out of a challenge, and the most bytes that are read from the response's body. */
const CHALLENGE = { timeoutMs: 5_000, most: 1_024 } as const;

/** The most bytes that are read from a response's body. The body has no meaning. It is read only so that the connection can be reused. */
const MAX_OF_A_BODY = 64 * 1024;

/** Sends webhooks to public addresses only. Every origin has its own connections, so a slow or silent origin does not delay others. */
export function webhookSender(options: WebhookSenderOptions): WebhookSender {
  const { allowLocal, timeoutMs = ATTEMPT_TIMEOUT_MS, now = Date.now, resolve = dnsResolver() } = options;
  const agents = publicOnlyAgents(
    { allowLocal, resolve },
    {
      keepAlive: true,
      maxSockets: WEBHOOK_PERMITS, // the bulkhead divides them among the partners that name one origin
      // Firewalls forget an idle connection without a sign, and the next attempt would wait in vain. A server cannot ask for more.
      timeout: KEPT_IDLE_MS,
    },
  );

  const running = new Set<Promise<WebhookOutcome>>();
  let closed = false;

  async function attempt(webhook: SignedWebhook, nonce?: string): Promise<WebhookOutcome> {
    if (!checkWebhookUrl(webhook.url, { allowLocal }).ok) return { kind: "failed", reason: "refused-address", ms: 0 };
    const started = performance.now();
    const elapsed = () => Math.round(performance.now() - started);
    const own = nonce === undefined ? webhook.timeoutMs : CHALLENGE.timeoutMs;
    const limit = Math.min(timeoutMs, own ?? timeoutMs);
    try {
      const response = await post(agents, toPost(webhook), started + limit);
      const ms = elapsed();
      const { statusCode: status = 0, headers } = response;
      if (nonce === undefined || status < 200 || status >= 300) await readPast(response);
      else if ((await firstOf(response, CHALLENGE.most)).trim() !== nonce)
        return { kind: "failed", status, reason: "challenge", ms };
      return outcomeOfResponse({ status, retryAfter: headers["retry-after"], ms }, now());
    } catch (error) {
      return outcomeOfTrouble(error, elapsed());
    }
  }

  async function attempting(webhook: SignedWebhook, nonce?: string): Promise<WebhookOutcome> {
    if (closed) throw new Error("The webhook sender is closed.");
    const attempted = attempt(webhook, nonce);
    running.add(attempted);
    return attempted.finally(() => running.delete(attempted));
  }

  return {
    send: (webhook) => attempting(webhook),
    challenge: attempting,
    async close() {
      closed = true;
      await Promise.allSettled(running);
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** The body as text. Empty if it is longer than `most` bytes. Reading stops at the first chunk that exceeds `most`. */
async function firstOf(body: IncomingMessage, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) break;
  }
  return size > most ? "" : Buffer.concat(chunks).toString("utf8");
}

/** Reads a body without meaning. The status has already decided the outcome, so a body that breaks off, drips or never ends is cut off. */
const readPast = (body: IncomingMessage) => firstOf(body, MAX_OF_A_BODY).catch(() => undefined);

const toPost = ({ url, id, timestamp, body, signature, traceparent }: SignedWebhook): Post => ({
  url: new URL(url),
  headers: {
    "content-type": "application/json",
    "user-agent": "terminal-payments-webhooks/1",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signature,
    ...(traceparent === undefined ? {} : { traceparent }),
  },
  body,
});
