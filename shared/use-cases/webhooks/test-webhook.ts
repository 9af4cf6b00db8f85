import type { EventEnvelope } from "../../contracts/events/events.ts";
import type { Refusal } from "../../domain/refusal.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { sentJson } from "../../domain/texts.ts";
import { mayCall } from "../../domain/webhook-host.ts";
import { countTest, MOST_TESTS_AN_HOUR, type TestResult } from "../../domain/webhook-tests.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { SigningSecrets } from "../../ports/signing-secrets.ts";
import type { WebhookResponse } from "../../ports/webhooks.ts";
import type { Partner } from "../../stores/partners.ts";
import type { PartnerCall } from "../caller.ts";
import type { Needs } from "../needs.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import { NOT_REGISTERED, resultOf } from "./deliver-webhook.ts";
import { refuseAddress, type CheckAddressDeps } from "./webhook-hosts.ts";

export interface TestWebhookDeps extends CheckAddressDeps, Needs<"partners" | "webhooks"> {
  readonly signing: Pick<SigningSecrets, "open">;
}

/** Time-out of the attempt. Its caller waits for it. */
const TIMEOUT_MS = 2_500;

/**
 * Sends a signed event without data to the partner's server, in one attempt. The event is counted first. It is neither stored nor in the
 * feed, and no host has to prove itself for it.
 *
 * @param url an address that the caller names, instead of the partner's own
 */
export async function testWebhook(
  deps: TestWebhookDeps,
  call: PartnerCall,
  url: string | undefined,
): Promise<Result<TestResult, Refusal<"validation_failed" | "no_webhook_url" | "rate_limited">>> {
  const { partnerId } = call.caller;
  const refused = await refuseAddress(deps, partnerId, { field: "url", url });
  if (refused) return refuse(refused);
  const partner = await deps.partners.find(partnerId);
  if (!partner) throw new Error(`the partner ${partnerId} of a key does not exist`);
  const to = url ?? partner.webhookUrl;
  if (to === undefined) return refuse({ code: "no_webhook_url" });
  const counted = await count(deps, call, partnerId);
  if (!counted.ok) return counted;
  const response = await send(deps, call, partner, to);
  return ok(response === "postponed" ? { outcome: response, ms: 0 } : resultOf(response));
}

/**
 * Counts the test event. If another call counted at the same moment, it is decided again. Each conflict is a test event of another call, so
 * an hour has few.
 */
const count = (
  { partners }: Pick<TestWebhookDeps, "partners">,
  { now }: CallContext,
  partnerId: string,
): Promise<Result<void, Refusal<"rate_limited">>> =>
  retryOnConflict(async () => {
    const read = await partners.webhookTests(partnerId);
    const counted = countTest(read?.tests, now());
    return counted.ok ? ok(await partners.saveWebhookTests(partnerId, counted.value, read?.etag)) : counted;
  }, MOST_TESTS_AN_HOUR + 1);

async function send(
  { webhooks, signing }: TestWebhookDeps,
  { caller, now, newId, traceparent }: PartnerCall,
  partner: Partner,
  url: string,
): Promise<WebhookResponse | "postponed"> {
  if (!mayCall(partner, url)) return { kind: "failed", reason: NOT_REGISTERED, ms: 0 };
  const { partnerId, webhookSecrets } = partner;
  const [id, at] = [`test_${newId()}`, now()];
  const event: EventEnvelope<{}> = {
    id,
    type: "webhook.test",
    timestamp: at,
    sequence: 1,
    causedBy: "partner",
    keyID: caller.keyId,
    data: {},
  };
  return webhooks.send({
    partnerId,
    url,
    id,
    at,
    body: sentJson(event),
    secrets: webhookSecrets.map((secret) => signing.open(partnerId, secret)),
    traceparent,
    timeoutMs: TIMEOUT_MS,
  });
}
