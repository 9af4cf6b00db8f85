import { createHmac, type Hmac } from "node:crypto";
import { sameMailbox } from "../../domain/email-address.ts";
import { readCode, spellCode } from "../../domain/token-code.ts";
import type { Codes } from "../../ports/codes.ts";

/** The secrets of the code keys by their identifiers. The first makes new codes. The others recognize the codes that they made before. */
export type CodeKeys = Readonly<Record<string, string>>;

/**
 * Derives codes with the configured keys. The hash of each purpose begins with its own words, so a value of one purpose is useless for
 * another. For example, the stored hash of a code does not reveal the code. Throws if there is no key.
 */
export function keyedCodes(keys: CodeKeys): Codes {
  const [first, ...others] = Object.entries(keys).map(([keyId, secret]) => ({ keyId, secret }));
  if (!first) throw new Error("no code key is configured");
  const all = [first, ...others] as const;
  const codeUnder = (secret: string, tokenId: string) => spellCode(keyed(secret, "code of token", tokenId).digest());
  const hashUnder = (secret: string, symbols: string) => keyed(secret, "key of code", symbols).digest("hex");
  const underEach = (purpose: string, name: string): readonly [string, ...string[]] => {
    const under = ({ secret }: { readonly secret: string }) => keyed(secret, purpose, name).digest("hex");
    return [under(first), ...others.map(under)];
  };
  return {
    newCodeOf(tokenId) {
      const symbols = readCode(codeUnder(first.secret, tokenId));
      if (symbols === undefined) throw new Error("the code of a new token cannot be read");
      return { codeKeyId: first.keyId, codeHash: hashUnder(first.secret, symbols) };
    },
    codeOf(tokenId, codeKeyId) {
      const key = all.find(({ keyId }) => keyId === codeKeyId);
      if (!key) throw new Error(`the settings lack the code key ${codeKeyId}`);
      return codeUnder(key.secret, tokenId);
    },
    hashesOf(typedCode) {
      const symbols = readCode(typedCode);
      return symbols === undefined ? undefined : all.map(({ secret }) => hashUnder(secret, symbols));
    },
    addressKeys: (email) => underEach("key of address", sameMailbox(email)),
    countKeys: (name) => underEach("key of count", name),
  };
}

const keyed = (secret: string, purpose: string, text: string): Hmac =>
  createHmac("sha256", secret).update(`${purpose}\0${text}`);
