import type { AccessToken } from "../domain/access-token.ts";
import type { IssuedToken } from "../domain/landing-page.ts";

export interface StoredToken {
  readonly token: AccessToken;
  readonly etag: string;
}

/** The tokens that were recently issued to one e-mail address. */
export interface StoredIssue {
  readonly issued: readonly IssuedToken[];
  readonly etag: string;
}

/** Vouchers and keys, each in its own partition. They are found by identifier, or by the key of a code. */
export interface AccessTokens {
  find(tokenId: string): Promise<StoredToken | undefined>;
  findByCode(codeKey: string): Promise<StoredToken | undefined>;
  /** Inserts a token, under the key of its code. Throws `Conflict` when the token exists. */
  issue(token: AccessToken, codeKey: string): Promise<void>;
  /** Throws `Conflict` when the token changed since it was read, so that only one of several payments gets a voucher. */
  save(token: AccessToken, etag: string): Promise<void>;
  issuedTo(addressKey: string): Promise<StoredIssue | undefined>;
  /** Replaces the list. Throws `Conflict` when it changed since it was read. */
  noteIssued(addressKey: string, issued: readonly IssuedToken[], read: StoredIssue | undefined): Promise<void>;
}
