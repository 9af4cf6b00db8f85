import * as z from "zod";
import type { RecordOf } from "./record.ts";
import { msBetween, uncheckedInstant, type Instant } from "./time.ts";

/** A host that a partner has registered for its webhooks. A server there returned the nonce of a signed challenge. */
export const webhookHostRecord = z.object({
  /** As in a URL: a name. It has a port only with a local cloud. */
  host: z.string(),
  /** The address to which challenges are sent. */
  url: z.string(),
  provenAt: uncheckedInstant,
});
export interface WebhookHost extends RecordOf<typeof webhookHostRecord> {}

/** A partner, reduced to its registered hosts. */
export interface WithHosts {
  readonly webhookHosts?: readonly WebhookHost[] | undefined;
}

/** The host of a URL; empty if the text is not a URL. */
export const hostOfUrl = (url: string): string => URL.parse(url)?.host ?? "";

/** Whether the partner's webhooks may go to this address. A partner without registered hosts may name any. */
export const mayCall = ({ webhookHosts = [] }: WithHosts, url: string): boolean =>
  webhookHosts.length === 0 || webhookHosts.some(({ host }) => host === hostOfUrl(url));

const YEAR_MS = 365 * 86_400_000;

/** The registered host of this address whose challenge is to be repeated. Undefined if there is none. */
export const hostToProve = ({ webhookHosts = [] }: WithHosts, url: string, now: Instant): WebhookHost | undefined =>
  webhookHosts.find(({ host, provenAt }) => host === hostOfUrl(url) && msBetween(provenAt, now) >= YEAR_MS);

/** The hosts with this one proven. It replaces its earlier entry, and comes last. */
export const withHost = (hosts: readonly WebhookHost[] | undefined, proven: WebhookHost): WebhookHost[] => [
  ...(hosts ?? []).filter(({ host }) => host !== proven.host),
  proven,
];
