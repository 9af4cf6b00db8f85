import type { AccessToken } from "../domain/access-token.ts";
import type { IssuedToken } from "../domain/landing-page.ts";

export interface StoredToken {
  readonly token: AccessToken;
  readonly etag: string;
}

/** What an address was sent lately. */
export interface StoredIssue {
  readonly issued: readonly IssuedToken[];
  readonly etag: string;
}

/** Vouchers and keys, each in a partition of its own; found by identifier, or by the key of a typed code. */
export interface AccessTokens {
  find(tokenId: string): Promise<StoredToken | undefined>;
  findByCode(codeKey: string): Promise<StoredToken | undefined>;
  /** A new token, under the key of its code. Throws `Conflict` when it was issued already. */
  issue(token: AccessToken, codeKey: string): Promise<void>;
  /** Throws `Conflict` when the token changed since it was read: of many that want a voucher, one gets it. */
  save(token: AccessToken, etag: string): Promise<void>;
  issuedTo(addressKey: string): Promise<StoredIssue | undefined>;
  /** Replaces the list as it was read. Throws `Conflict`. */
  noteIssued(addressKey: string, issued: readonly IssuedToken[], read: StoredIssue | undefined): Promise<void>;
}
