/** The code of a token as its record names it. */
export interface TokenCode {
  /** The platform's key that made the code. */
  readonly codeKeyId: string;
  /** The keyed hash under which the token is found by its code. */
  readonly codeHash: string;
}

/**
 * Values derived with the platform's own keys. They are computed again whenever they are needed, and never stored in the clear. The first
 * key makes all new values. The values of another key stay known while the platform has that key.
 */
export interface Codes {
  /** The code of a new token, by the first key. */
  newCodeOf(tokenId: string): TokenCode;
  /** The code of a token by the key that made it, as it is printed: `7KQ2-9XHD-M3PC-W8T*`. Throws if the platform lacks the key. */
  codeOf(tokenId: string, codeKeyId: string): string;
  /**
   * The hashes under which a token may be found by its code, in any accepted spelling. There is one for each key, the first key's first,
   * because a code does not say which key made it. Undefined if the code is malformed or its check symbol is wrong.
   */
  hashesOf(typedCode: string): readonly string[] | undefined;
  /** The keyed hashes by which an e-mail address is recognised after it was erased: one for each key, the first key's first. */
  addressKeys(email: string): readonly [string, ...string[]];
  /** The keyed hashes under which tokens are counted for this name: one for each key, the first key's first. */
  countKeys(name: string): readonly [string, ...string[]];
}
