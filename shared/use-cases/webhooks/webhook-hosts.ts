import { invalidField, type Refusal } from "../../domain/refusal.ts";
import { hostOfUrl, mayCall, withHost, type WebhookHost } from "../../domain/webhook-host.ts";
import type { CallContext } from "../../ports/clock.ts";
import { Conflict } from "../../ports/failures.ts";
import type { Partner, StoredPartner } from "../../stores/partners.ts";
import type { SigningSecrets } from "../../ports/signing-secrets.ts";
import type { CheckWebhookUrl, WebhookResponse, Webhooks } from "../../ports/webhooks.ts";
import type { Needs } from "../needs.ts";

export interface ProveHostDeps extends Needs<"partners"> {
  readonly webhooks: Pick<Webhooks, "challenge">;
  readonly signing: Pick<SigningSecrets, "open">;
}

export interface CheckAddressDeps extends Needs<"partners"> {
  readonly checkWebhookUrl: CheckWebhookUrl;
}

/** Refuses an address that a request names for webhooks. If the partner has registered hosts, the address must be on one of them. */
export async function refuseAddress(
  { checkWebhookUrl, partners }: CheckAddressDeps,
  partnerId: string,
  { field, url }: { readonly field: string; readonly url: string | undefined },
): Promise<Refusal<"validation_failed"> | undefined> {
  if (url === undefined) return undefined;
  const wrong = checkWebhookUrl(url);
  if (wrong) return { code: "validation_failed", errors: [{ field, ...wrong }] };
  const partner = await partners.find(partnerId);
  return partner && mayCall(partner, url) ? undefined : invalidField(field, "unsafe_url", UNREGISTERED);
}
const UNREGISTERED = "must be on a host that is registered for your webhooks";

/** Why a host was not registered: one sentence for an operator. */
export interface NotRegistered {
  readonly why: string;
}

/**
 * Registers the host of this URL once its server has returned the nonce of a challenge. From the first host on, the partner's webhooks go
 * only to registered hosts. So the first host must be that of the partner's own address, if it has one. Throws `Conflict`.
 */
export async function registerHost(
  deps: ProveHostDeps,
  call: CallContext,
  { partner, etag }: StoredPartner,
  url: string,
): Promise<Partner | NotRegistered> {
  const host = hostOfUrl(url);
  const { webhookHosts = [], webhookUrl } = partner;
  const own = webhookUrl === undefined ? host : hostOfUrl(webhookUrl);
  if (webhookHosts.length === 0 && own !== host)
    return { why: `The partner's own webhooks go to ${own}: register that host first.` };
  const response = await challenge(deps, call, partner, url);
  if (response === "postponed" || response.kind !== "delivered") return { why: whyNotProven(host, response) };
  const now = call.now();
  const registered = { ...partner, webhookHosts: withHost(webhookHosts, { host, url, provenAt: now }), updatedAt: now };
  await deps.partners.save(registered, etag);
  return registered;
}

/** Removes a host. If no host is left, the partner may name any address again. Throws `Conflict`. */
export async function removeHost(
  { partners }: Pick<ProveHostDeps, "partners">,
  call: CallContext,
  { partner, etag }: StoredPartner,
  host: string,
): Promise<Partner | NotRegistered> {
  const { webhookHosts = [], webhookUrl, ...rest } = partner;
  const others = webhookHosts.filter((one) => one.host !== host);
  if (others.length === webhookHosts.length) return { why: `${host} is not registered for the partner.` };
  if (others.length > 0 && webhookUrl !== undefined && hostOfUrl(webhookUrl) === host)
    return { why: `The partner's own webhooks go to ${host}: change that with webhook set-url first.` };
  const left = { ...rest, webhookUrl, ...(others.length > 0 && { webhookHosts: others }), updatedAt: call.now() };
  await partners.save(left, etag);
  return left;
}

/**
 * Repeats the challenge of a host, and notes the success. Undefined if it succeeded; otherwise the server's response. If another run
 * changed the partner meanwhile, the next attempt proves the host again.
 */
export async function proveAgain(
  { partners, ...deps }: ProveHostDeps,
  call: CallContext,
  partner: Partner,
  { host, url }: WebhookHost,
): Promise<WebhookResponse | "postponed" | undefined> {
  const response = await challenge(deps, call, partner, url);
  if (response === "postponed" || response.kind !== "delivered") return response;
  const read = await partners.read(partner.partnerId);
  if (!read?.partner.webhookHosts?.some((one) => one.host === host)) return undefined;
  const now = call.now();
  const webhookHosts = withHost(read.partner.webhookHosts, { host, url, provenAt: now });
  try {
    await partners.save({ ...read.partner, webhookHosts, updatedAt: now }, read.etag);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
  return undefined;
}

const challenge = (
  { webhooks, signing }: Pick<ProveHostDeps, "webhooks" | "signing">,
  call: CallContext,
  { partnerId, webhookSecrets }: Partner,
  url: string,
) =>
  webhooks.challenge({
    partnerId,
    url,
    nonce: call.newId(),
    at: call.now(),
    secrets: webhookSecrets.map((secret) => signing.open(partnerId, secret)),
  });

const whyNotProven = (host: string, response: WebhookResponse | "postponed"): string => {
  if (response === "postponed") return "Too many webhooks are being sent. Try again.";
  const what = response.kind === "failed" ? [response.reason, response.code] : [response.kind];
  return `${host} did not return the nonce of the challenge: ${[...what, response.status].filter(Boolean).join(" ")}.`;
};
