import { createHmac } from "node:crypto";
import { sameMailbox } from "../domain/email-address.ts";
import { readCode, spellCode } from "../domain/token-code.ts";
import type { Codes } from "../ports/codes.ts";

/**
 * Codes derived with a configured key. The hash of each purpose begins with words of its own, so that one purpose's value is of no use for
 * another: the stored key of a code does not reveal the code.
 */
export function keyedCodes(secret: string): Codes {
  const keyed = (purpose: string, text: string) => createHmac("sha256", secret).update(`${purpose}\0${text}`);
  return {
    codeOf: (tokenId) => spellCode(keyed("code of token", tokenId).digest()),
    keyOf(typedCode) {
      const symbols = readCode(typedCode);
      return symbols === undefined ? undefined : keyed("key of code", symbols).digest("hex");
    },
    addressKey: (email) => keyed("key of address", sameMailbox(email)).digest("hex"),
  };
}
