/** What follows from the platform's own key: worked out again whenever it is needed, and never stored in the clear. */
export interface Codes {
  /** The code of a token, as it is printed: `7KQ2-9XHD-M3PC-W8T*`. */
  codeOf(tokenId: string): string;
  /** What a token is found by when somebody types its code; undefined where it was mistyped. */
  keyOf(typedCode: string): string | undefined;
  /** What an e-mail address is recognised by once it is forgotten. */
  addressKey(email: string): string;
}
