import type { FieldProblem } from "../domain/refusal.ts";
import type { Webhooks } from "../ports/webhooks.ts";
import { checkWebhookUrl } from "./address-guard.ts";
import { nextAttemptAfter } from "./schedule.ts";
import { webhookSender } from "./sender.ts";
import { signWebhook } from "./signature.ts";

/** `Webhooks` over HTTP: signs each attempt anew and sends it to public addresses only. `random` is from 0 up to 1. */
export function httpWebhooks(options: { readonly allowLoopback: boolean; readonly random: () => number }): Webhooks {
  const sender = webhookSender({ allowLocal: options.allowLoopback });
  return {
    async send({ url, id, at, body, secrets, traceparent }) {
      const timestamp = Math.floor(Date.parse(at) / 1000);
      const signature = signWebhook({ id, timestamp, body, secrets });
      return sender.send({ url, id, timestamp, body, signature, traceparent });
    },
    nextAttemptAfter: (attempt, retryAfterSeconds) => nextAttemptAfter(attempt, options.random(), retryAfterSeconds),
  };
}

/** Says what is wrong with a webhook address that a request brings; it looks at its shape and literal addresses, not at DNS. */
export type CheckWebhookUrl = (url: string) => FieldProblem | undefined;

export const webhookUrlCheck =
  (options: { readonly allowLoopback: boolean }): CheckWebhookUrl =>
  (url) => {
    const checked = checkWebhookUrl(url, { allowLocal: options.allowLoopback });
    return checked.ok ? undefined : { field: "responseWebhookUrl", code: "unsafe_url", message: checked.reason };
  };
