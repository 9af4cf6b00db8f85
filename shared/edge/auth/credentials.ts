import { createHmac, timingSafeEqual } from "node:crypto";

/** Peppers by their identifiers. The first hashes new keys. The others verify older keys during a rotation. */
export type Peppers = Readonly<Record<string, string>>;

export interface PresentedKey {
  readonly keyId: string;
  readonly secret: string;
}

/** Parses `<prefix>_<keyID>_<secret>`. The identifier finds the record, and the secret proves it. Undefined if the key has another form. */
export function parseKey(key: string | null, prefix: string): PresentedKey | undefined {
  const [found, keyId, secret, ...rest] = (key ?? "").split("_");
  if (found !== prefix || !keyId || !secret || rest.length > 0) return undefined;
  return /^[0-9a-z-]{1,64}$/i.test(keyId) && secret.length <= 128 ? { keyId, secret } : undefined;
}

/** The owner of a key. A row that is copied or changed to name another partner proves nothing. */
export interface KeyOwner {
  /** The key's identifier. For a terminal's key, the terminal's identifier. */
  readonly keyId: string;
  readonly partnerId: string;
}

/**
 * The stored form of a key. The pepper is from the configuration, so a stolen table gives no access. The owner is hashed too, so a changed
 * table gives no access either.
 */
export const hashKey = (secret: string, pepper: string, { keyId, partnerId }: KeyOwner): string =>
  hashSecret(`${keyId}\0${partnerId}\0${secret}`, pepper);

export const hashSecret = (secret: string, pepper: string): string =>
  createHmac("sha256", pepper).update(secret).digest("hex");

/**
 * The digest of a body that is not kept. It is keyed by the first pepper, so that card numbers cannot be guessed from it. Undefined without
 * a pepper.
 */
export function keyedDigest(body: Uint8Array, peppers: Peppers): string | undefined {
  const [pepper] = Object.values(peppers);
  return pepper === undefined ? undefined : createHmac("sha256", pepper).update("body\n").update(body).digest("hex");
}

/** Whether the secret is the stored key of this owner. Compares as `isSecret` does. */
export const isKey = (
  presented: string,
  stored: { readonly hash: string; readonly pepperId: string } | undefined,
  peppers: Peppers,
  { keyId, partnerId }: KeyOwner,
): boolean => isSecret(`${keyId}\0${partnerId}\0${presented}`, stored, peppers);

/**
 * Compares in constant time. The hash costs the same for an unknown key as for a wrong secret. The read of the key does not, so the
 * identifier of a key is not a secret.
 */
export function isSecret(
  presented: string,
  stored: { readonly hash: string; readonly pepperId: string } | undefined,
  peppers: Peppers,
): boolean {
  const pepper = stored && peppers[stored.pepperId];
  const digest = Buffer.from(hashSecret(presented, pepper ?? "no pepper"), "hex");
  const expected = Buffer.from(stored?.hash ?? "", "hex");
  const comparable = expected.length === digest.length ? expected : Buffer.alloc(digest.length);
  return timingSafeEqual(digest, comparable) && pepper !== undefined && expected.length === digest.length;
}
