/** A new key. Its text is shown once and never stored. Its hash and its pepper's identifier are stored, to verify the key later. */
export interface NewKey {
  readonly text: string;
  readonly hash: string;
  readonly pepperId: string;
}

/** Generates random keys, hashed with the pepper for new keys. A `text` that was generated before makes the same key again. */
export interface NewKeys {
  /** An `apikey`, with the identifier that finds its record. */
  apiKey(partnerId: string, text?: string): NewKey & { readonly keyId: string };
  terminalKey(terminal: { readonly terminalId: string; readonly partnerId: string }, text?: string): NewKey;
}
