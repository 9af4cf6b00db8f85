import { randomBytes } from "node:crypto";
import type { NewKeys } from "../../../shared/use-cases/operator/onboarding/new-keys.ts";
import { API_KEY_PREFIX, TERMINAL_KEY_PREFIX } from "../../../shared/edge/auth/authenticate.ts";
import { hashKey, parseKey, type KeyOwner, type Peppers } from "../../../shared/edge/auth/credentials.ts";

/** New keys, hashed with the first pepper. Throws if there is no pepper, or if a given text has not the form of such a key. */
export function newKeys(peppers: Peppers): NewKeys {
  const [first] = Object.entries(peppers);
  if (!first) throw new Error("There is no pepper to hash a key with.");
  const [pepperId, pepper] = first;
  const keyed = (text: string, secret: string, owner: KeyOwner) => ({
    text,
    hash: hashKey(secret, pepper, owner),
    pepperId,
  });
  return {
    apiKey(partnerId, text = newText(API_KEY_PREFIX, randomHex(8))) {
      const { keyId, secret } = partsOf(text, API_KEY_PREFIX);
      return { keyId, ...keyed(text, secret, { keyId, partnerId }) };
    },
    terminalKey({ terminalId, partnerId }, text = newText(TERMINAL_KEY_PREFIX, terminalId.replaceAll("-", ""))) {
      const { secret } = partsOf(text, TERMINAL_KEY_PREFIX);
      return keyed(text, secret, { keyId: terminalId, partnerId });
    },
  };
}

const randomHex = (bytes: number): string => randomBytes(bytes).toString("hex");

const newText = (prefix: string, keyId: string): string => `${prefix}_${keyId}_${randomHex(24)}`;

function partsOf(text: string, prefix: string) {
  const parts = parseKey(text, prefix);
  if (!parts) throw new Error(`This is not a key that begins with ${prefix}_.`);
  return parts;
}
