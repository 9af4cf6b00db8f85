import type { Instant } from "../../../domain/time.ts";
import type { Partner, StoredPartner } from "../../../stores/partners.ts";
import type { SigningSecrets } from "../../../ports/signing-secrets.ts";
import { retryOnConflict } from "../../outbox/retry-on-conflict.ts";
import type { Making, PartnerDeps } from "./partners.ts";

/**
 * Adds a signing secret. From then on each webhook is signed with every secret, so that the partner's server can verify it with the old or
 * the new one. Returns undefined if a rotation is under way, because a third secret would hide which one the partner uses. Throws
 * `Conflict`.
 */
export async function addWebhookSecret(
  { partners, signing }: PartnerDeps & { readonly signing: Pick<SigningSecrets, "make"> },
  { partner, etag }: StoredPartner,
  { now, newId }: Making,
): Promise<{ readonly partner: Partner; readonly webhookSecret: string } | undefined> {
  if (partner.webhookSecrets.length > 1) return undefined;
  const updatedAt = now();
  const { text: webhookSecret, sealed } = signing.make(partner.partnerId, newId(), updatedAt);
  const added: Partner = { ...partner, webhookSecrets: [...partner.webhookSecrets, sealed], updatedAt };
  await partners.save(added, etag);
  return { partner: added, webhookSecret };
}

/** Drops every secret but the newest. Returns undefined if there is only one. Throws `Conflict`. */
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

/**
 * The number of signing secrets that a key encrypts. If it is zero, and no export has such a secret, the key may be removed from the
 * settings.
 */
export interface WebhookKeyStatus {
  readonly sealedBy: string;
  readonly secrets: number;
}

/** The status of the named keys, in this order, and then of the keys that only rows name. Reads every partner. Throws `Unavailable`. */
export async function webhookKeyStatus(
  { partners }: PartnerDeps,
  named: readonly string[],
): Promise<WebhookKeyStatus[]> {
  const counts = new Map(named.map((id) => [id, 0]));
  for (const partnerId of await partners.list())
    for (const { sealedBy } of (await partners.find(partnerId))?.webhookSecrets ?? [])
      counts.set(sealedBy, (counts.get(sealedBy) ?? 0) + 1);
  return [...counts].map(([sealedBy, secrets]) => ({ sealedBy, secrets }));
}

/**
 * Encrypts every signing secret that is under another key with the first key. Partners do not notice the change. Returns the number of
 * secrets that it encrypted. May be repeated. Throws `Unavailable`, and an error if the settings lack a secret's key.
 */
export async function resealWebhookSecrets({
  partners,
  signing,
}: PartnerDeps & { readonly signing: Pick<SigningSecrets, "reseal"> }): Promise<number> {
  const resealed = async (partnerId: string): Promise<number> => {
    const read = await partners.read(partnerId);
    if (!read) return 0; // listed but not stored, because of a crash
    let changed = 0;
    const webhookSecrets = read.partner.webhookSecrets.map((secret) => {
      const next = signing.reseal(partnerId, secret);
      if (next) changed += 1;
      return next ?? secret;
    });
    if (changed > 0) await partners.save({ ...read.partner, webhookSecrets }, read.etag);
    return changed;
  };
  let total = 0;
  for (const partnerId of await partners.list()) total += await retryOnConflict(() => resealed(partnerId));
  return total;
}
