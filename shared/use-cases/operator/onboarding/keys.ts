import { KEY_LIFE_SECONDS } from "../../../domain/api-key.ts";
import { after, type Instant } from "../../../domain/time.ts";
import type { NewKeys } from "./new-keys.ts";
import type { ApiKey, Scope, StoredKey } from "../../../stores/partners.ts";
import type { PartnerDeps } from "./partners.ts";

export interface KeyDeps extends PartnerDeps {
  readonly newKeys: NewKeys;
}

/** The properties of a new key. */
export interface KeyWish {
  readonly partnerId: string;
  readonly scopes: readonly Scope[];
  /** The only terminals that the key reaches; undefined for all terminals of the partner. */
  readonly terminalIds?: readonly string[] | undefined;
  /** Defaults to `KEY_LIFE_SECONDS` from now. */
  readonly expiresAt?: Instant | undefined;
}

/** A new key with its text, which is shown once and not stored. */
export interface MadeKey {
  readonly key: ApiKey;
  readonly apikey: string;
}

/**
 * Creates a key for the partner. If the partner is disabled, even at the same moment, the new key is marked as disabled like its other
 * keys. Throws `Unavailable`. A key that was stored but not shown cannot be used.
 */
export async function createKey(
  { partners, newKeys }: KeyDeps,
  { partnerId, scopes, terminalIds, expiresAt }: KeyWish,
  now: Instant,
): Promise<MadeKey> {
  const { keyId, text, ...hashed } = newKeys.apiKey(partnerId);
  const isDisabled = async () => (await partners.read(partnerId))?.partner.disabledAt !== undefined;
  const key: ApiKey = {
    keyId,
    partnerId,
    ...hashed,
    ...((await isDisabled()) && { isDisabled: true }),
    scopes: [...scopes],
    ...(terminalIds && { terminalIds: [...terminalIds] }),
    expiresAt: expiresAt ?? after(now, KEY_LIFE_SECONDS),
    createdAt: now,
    updatedAt: now,
  };
  await partners.saveKey(key, undefined);
  if (key.isDisabled || !(await isDisabled())) return { key, apikey: text };
  const disabled = { ...key, isDisabled: true };
  await partners.saveKey(disabled, (await partners.readKey(keyId))?.etag);
  return { key: disabled, apikey: text };
}

/**
 * Creates a key with the same scopes and terminals. Then the old key expires after `keepSeconds`, or earlier if it already had an earlier
 * end. A crash in between leaves a key that was not shown, and the old key unchanged. The call may be repeated. Throws `Conflict`.
 */
export async function rotateKey(
  deps: KeyDeps,
  old: StoredKey,
  { now, keepSeconds }: { readonly now: Instant; readonly keepSeconds: number },
): Promise<{ readonly made: MadeKey; readonly old: ApiKey }> {
  const { partnerId, scopes, terminalIds } = old.key;
  const made = await createKey(deps, { partnerId, scopes, terminalIds }, now);
  const end = after(now, keepSeconds);
  const expiresAt = old.key.expiresAt !== undefined && old.key.expiresAt < end ? old.key.expiresAt : end;
  return { made, old: await expireKey(deps, old, { now, expiresAt }) };
}

/** Sets the time at which a key expires, earlier or later than before. Throws `Conflict`. */
export async function expireKey(
  { partners }: PartnerDeps,
  { key, etag }: StoredKey,
  { now, expiresAt }: { readonly now: Instant; readonly expiresAt: Instant },
): Promise<ApiKey> {
  const ending = { ...key, expiresAt, updatedAt: now };
  await partners.saveKey(ending, etag);
  return ending;
}

/** Revokes a key permanently. A key that is already revoked is not changed. Throws `Conflict`. */
export async function revokeKey({ partners }: PartnerDeps, { key, etag }: StoredKey, now: Instant): Promise<ApiKey> {
  if (key.revokedAt !== undefined) return key;
  const revoked = { ...key, revokedAt: now, updatedAt: now };
  await partners.saveKey(revoked, etag);
  return revoked;
}
