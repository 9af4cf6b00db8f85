import type { CheckWebhookUrl, WebhookRequest, Webhooks } from "../../ports/webhooks.ts";
import { checkWebhookUrl } from "./public-address.ts";
import { nextAttemptAfter } from "./retry-schedule.ts";
import type { WebhookOutcome } from "./outcome.ts";
import { webhookSender, type SignedWebhook } from "./sender.ts";
import { signWebhook } from "./signature.ts";
import { WEBHOOK_PERMITS, webhookBulkhead } from "./bulkhead.ts";

/** `Webhooks` over HTTP. It signs each attempt anew and sends it to public addresses only. `random` returns a number from 0 up to 1. */
export function httpWebhooks(options: { readonly allowLoopback: boolean; readonly random: () => number }): Webhooks {
  const sender = webhookSender({ allowLocal: options.allowLoopback });
  const bulkhead = webhookBulkhead({ total: WEBHOOK_PERMITS, now: () => performance.now() });
  async function attempt(
    { partnerId, at, secrets, ...request }: WebhookRequest,
    make: (webhook: SignedWebhook) => Promise<WebhookOutcome>,
  ): Promise<WebhookOutcome | "postponed"> {
    const { url, id, body } = request;
    const permit = await bulkhead.take({ partnerId, origin: URL.parse(url)?.origin ?? url });
    if (!permit) return "postponed";
    let timedOut = false;
    try {
      const timestamp = Math.floor(Date.parse(at) / 1000);
      const signature = signWebhook({ id, timestamp, body, secrets });
      const outcome = await make({ ...request, timestamp, signature });
      timedOut = outcome.kind === "failed" && outcome.reason === "time-out";
      return outcome;
    } finally {
      permit.end(timedOut);
    }
  }

  return {
    send: (request) => attempt(request, sender.send),
    challenge({ nonce, ...request }) {
      const id = `challenge_${nonce}`;
      const body = JSON.stringify({ id, type: "webhook.challenge", timestamp: request.at, data: { nonce } });
      return attempt({ ...request, id, body }, (webhook) => sender.challenge(webhook, nonce));
    },
    nextAttemptAfter: (attempt, retryAfterSeconds) => nextAttemptAfter(attempt, options.random(), retryAfterSeconds),
  };
}

export const webhookUrlCheck =
  (options: { readonly allowLoopback: boolean }): CheckWebhookUrl =>
  (url) => {
    const checked = checkWebhookUrl(url, { allowLocal: options.allowLoopback });
    return checked.ok ? undefined : { code: "unsafe_url", message: checked.reason };
  };
