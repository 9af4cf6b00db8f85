import type { Instant } from "../../../domain/time.ts";
import type { NewId } from "../../../ports/clock.ts";
import type { Partner, StoredKey, StoredPartner } from "../../../stores/partners.ts";
import type { SigningSecrets } from "../../../ports/signing-secrets.ts";
import type { Needs } from "../../needs.ts";

export type PartnerDeps = Needs<"partners">;

/** The clock, and a source of new identifiers. */
export interface Making {
  readonly now: () => Instant;
  readonly newId: NewId;
}

export interface PartnerWish {
  readonly name: string;
  readonly webhookUrl?: string | undefined;
  /** Defaults to a new identifier. */
  readonly partnerId?: string;
}

/** Creates a partner with its first webhook secret, which is not shown again. Throws `Unavailable`. */
export async function createPartner(
  { partners, signing }: PartnerDeps & { readonly signing: Pick<SigningSecrets, "make"> },
  { now, newId }: Making,
  { name, webhookUrl, partnerId = newId() }: PartnerWish,
): Promise<{ readonly partner: Partner; readonly webhookSecret: string }> {
  const at = now();
  const { text: webhookSecret, sealed } = signing.make(partnerId, newId(), at);
  const partner: Partner = {
    partnerId,
    name,
    webhookUrl,
    webhookSecrets: [sealed],
    createdAt: at,
    updatedAt: at,
  };
  await partners.save(partner, undefined);
  return { partner, webhookSecret };
}

/**
 * Disables a partner. Each of its keys is marked, so that a request is refused without a further read. The partner itself is marked first,
 * so a key that is created after that is marked too. The call may be repeated, and then marks the keys that a crash left out. The partner's
 * terminals keep working, because their reports show where money is. Throws `Conflict`.
 */
export async function disablePartner(deps: PartnerDeps, read: StoredPartner, now: Instant): Promise<Partner> {
  const { partner } = read;
  const disabled = partner.disabledAt === undefined ? { ...partner, disabledAt: now, updatedAt: now } : partner;
  if (disabled !== partner) await deps.partners.save(disabled, read.etag);
  await markKeys(deps, partner.partnerId, true, now);
  return disabled;
}

/** Enables a partner. Its keys are enabled first, so that a partner that is shown as enabled has all its keys. Throws `Conflict`. */
export async function enablePartner(deps: PartnerDeps, read: StoredPartner, now: Instant): Promise<Partner> {
  await markKeys(deps, read.partner.partnerId, false, now);
  const { disabledAt, ...enabled } = { ...read.partner, updatedAt: now };
  if (disabledAt === undefined) return read.partner;
  await deps.partners.save(enabled, read.etag);
  return enabled;
}

async function markKeys(deps: PartnerDeps, partnerId: string, isDisabled: boolean, now: Instant): Promise<void> {
  for (const { key, etag } of await keysOf(deps, partnerId)) {
    if ((key.isDisabled ?? false) === isDisabled) continue;
    const { isDisabled: _, ...rest } = key;
    await deps.partners.saveKey({ ...rest, ...(isDisabled && { isDisabled }), updatedAt: now }, etag);
  }
}

/** Every key of the partner, newest first. */
export async function keysOf({ partners }: PartnerDeps, partnerId: string): Promise<StoredKey[]> {
  const keyIds = await partners.keyIds(partnerId);
  const found = await Promise.all(keyIds.map((keyId) => partners.readKey(keyId)));
  return found
    .filter((stored) => stored !== undefined) // a key is listed before it is stored
    .toSorted((one, other) => (one.key.createdAt > other.key.createdAt ? -1 : 1));
}
