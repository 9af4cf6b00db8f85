import { createHmac, timingSafeEqual } from "node:crypto";

/** Peppers by their identifiers. The first hashes new keys; the others verify older keys while peppers are rotated. */
export type Peppers = Readonly<Record<string, string>>;

export interface PresentedKey {
  readonly keyId: string;
  readonly secret: string;
}

/** `<prefix>_<keyID>_<secret>`: the identifier finds the record, the secret proves it. */
export function parseKey(key: string | null, prefix: string): PresentedKey | undefined {
  const [found, keyId, secret, ...rest] = (key ?? "").split("_");
  if (found !== prefix || !keyId || !secret || rest.length > 0) return undefined;
  return /^[0-9a-z-]{1,64}$/i.test(keyId) && secret.length <= 128 ? { keyId, secret } : undefined;
}

/** Whose key it is: a row that is copied or changed to name another partner proves nothing. */
export interface KeyOwner {
  /** The key's identifier; of a terminal's key the terminal's. */
  readonly keyId: string;
  readonly partnerId: string;
}

/**
 * The stored form of a key. The pepper is from configuration, so that a stolen table gives no access. The owner is hashed too, so that a
 * changed table gives none either.
 */
export const hashKey = (secret: string, pepper: string, { keyId, partnerId }: KeyOwner): string =>
  hashSecret(`${keyId}\0${partnerId}\0${secret}`, pepper);

export const hashSecret = (secret: string, pepper: string): string =>
  createHmac("sha256", pepper).update(secret).digest("hex");

/** The digest of a body that is not kept, by the first pepper, so that no card number can be guessed from it. Undefined without a pepper. */
export function keyedDigest(body: Uint8Array, peppers: Peppers): string | undefined {
  const [pepper] = Object.values(peppers);
  return pepper === undefined ? undefined : createHmac("sha256", pepper).update("body\n").update(body).digest("hex");
}

/** Whether the secret is the stored key of this owner. It compares as `isSecret` does. */
export const isKey = (
  presented: string,
  stored: { readonly hash: string; readonly pepperId: string } | undefined,
  peppers: Peppers,
  { keyId, partnerId }: KeyOwner,
): boolean => isSecret(`${keyId}\0${partnerId}\0${presented}`, stored, peppers);

/** Compares in constant time. An unknown key costs the same as a wrong secret. */
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
