import { randomBytes } from "node:crypto";
import type { NewKeys } from "../../../shared/use-cases/operator/onboarding/new-keys.ts";
import { API_KEY_PREFIX, TERMINAL_KEY_PREFIX } from "../../../shared/edge/auth/authenticate.ts";
import { hashKey, type KeyOwner, type Peppers } from "../../../shared/edge/auth/credentials.ts";

/** New keys, hashed with the first pepper. Throws if there is no pepper. */
export function newKeys(peppers: Peppers): NewKeys {
  const [first] = Object.entries(peppers);
  if (!first) throw new Error("There is no pepper to hash a key with.");
  const [pepperId, pepper] = first;
  const keyed = (prefix: string, owner: KeyOwner) => {
    const secret = randomBytes(24).toString("hex");
    const text = `${prefix}_${owner.keyId.replaceAll("-", "")}_${secret}`;
    return { text, hash: hashKey(secret, pepper, owner), pepperId };
  };
  return {
    apiKey(partnerId) {
      const keyId = randomBytes(8).toString("hex");
      return { keyId, ...keyed(API_KEY_PREFIX, { keyId, partnerId }) };
    },
    terminalKey: ({ terminalId, partnerId }) => keyed(TERMINAL_KEY_PREFIX, { keyId: terminalId, partnerId }),
  };
}
