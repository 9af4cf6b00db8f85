import { randomBytes } from "node:crypto";
import type { NewKeys } from "../ports/new-keys.ts";
import { API_KEY_PREFIX, TERMINAL_KEY_PREFIX } from "./authenticate.ts";
import { hashSecret, type Peppers } from "./credentials.ts";

/** New keys, hashed with the first of the peppers. Throws where there is none. */
export function newKeys(peppers: Peppers): NewKeys {
  const [first] = Object.entries(peppers);
  if (!first) throw new Error("There is no pepper to hash a key with.");
  const [pepperId, pepper] = first;
  const keyed = (prefix: string, keyId: string) => {
    const secret = randomBytes(24).toString("hex");
    return { text: `${prefix}_${keyId}_${secret}`, hash: hashSecret(secret, pepper), pepperId };
  };
  return {
    apiKey() {
      const keyId = randomBytes(8).toString("hex");
      return { keyId, ...keyed(API_KEY_PREFIX, keyId) };
    },
    terminalKey: (terminalId) => keyed(TERMINAL_KEY_PREFIX, terminalId.replaceAll("-", "")),
  };
}
