/** Values derived with the platform's own key. They are computed again whenever they are needed, and never stored in the clear. */
export interface Codes {
  /** The code of a token, as it is printed: `7KQ2-9XHD-M3PC-W8T*`. */
  codeOf(tokenId: string): string;
  /**
   * The key under which a token is found by its code, in any accepted spelling; undefined when the code is malformed or its check symbol is
   * wrong.
   */
  keyOf(typedCode: string): string | undefined;
  /** The keyed hash by which an e-mail address is recognised after it was erased. */
  addressKey(email: string): string;
}
