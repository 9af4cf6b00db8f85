import type { Instant } from "../../domain/time.ts";
import type { NewKeys } from "../../ports/new-keys.ts";
import type { Partner, StoredPartner } from "../../ports/partners.ts";
import type { PartnerDeps } from "./partners.ts";

/**
 * Adds a signing secret. From then on each webhook is signed with every secret, so that the partner's server verifies it with the old or the
 * new one. Returns undefined where a rotation is under way: a third secret would hide which one the partner uses. Throws `Conflict`.
 */
export async function addWebhookSecret(
  { partners, newKeys }: PartnerDeps & { readonly newKeys: Pick<NewKeys, "webhookSecret"> },
  { partner, etag }: StoredPartner,
  now: Instant,
): Promise<{ readonly partner: Partner; readonly webhookSecret: string } | undefined> {
  if (partner.webhookSecrets.length > 1) return undefined;
  const webhookSecret = newKeys.webhookSecret();
  const added: Partner = {
    ...partner,
    webhookSecrets: [...partner.webhookSecrets, { secret: webhookSecret, createdAt: now }],
    updatedAt: now,
  };
  await partners.save(added, etag);
  return { partner: added, webhookSecret };
}

/** Drops every secret but the newest. Returns undefined where there is one alone. Throws `Conflict`. */
export async function dropOldWebhookSecrets(
  { partners }: PartnerDeps,
  { partner, etag }: StoredPartner,
  now: Instant,
): Promise<Partner | undefined> {
  if (partner.webhookSecrets.length < 2) return undefined;
  const finished: Partner = { ...partner, webhookSecrets: partner.webhookSecrets.slice(-1), updatedAt: now };
  await partners.save(finished, etag);
  return finished;
}
