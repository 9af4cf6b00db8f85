/** A new key: its text, which is shown once and never stored, and what is stored to compare it with. */
export interface NewKey {
  readonly text: string;
  readonly hash: string;
  readonly pepperId: string;
}

/** Makes keys by chance, hashed with the pepper for new keys. */
export interface NewKeys {
  /** An `apikey`, with the identifier that finds its record. */
  apiKey(partnerId: string): NewKey & { readonly keyId: string };
  terminalKey(terminal: { readonly terminalId: string; readonly partnerId: string }): NewKey;
}
