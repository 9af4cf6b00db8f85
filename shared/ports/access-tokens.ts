import type { AccessToken } from "../domain/access-token.ts";
import type { IssuedToken } from "../domain/landing-page.ts";
import type { RequestKey } from "./subjects.ts";

export interface StoredToken {
  readonly token: AccessToken;
  readonly etag: string;
}

/** The tokens that were recently issued to one e-mail address. */
export interface StoredIssue {
  readonly issued: readonly IssuedToken[];
  readonly etag: string;
}

/** Vouchers and keys, each in its own partition. They are found by identifier, or by the hash of a code. */
export interface AccessTokens {
  find(tokenId: string): Promise<StoredToken | undefined>;
  findByCode(codeHash: string): Promise<StoredToken | undefined>;
  /** Inserts a token, under the hash of its code. Throws `Conflict` when the token exists. */
  issue(token: AccessToken): Promise<void>;
  /** Throws `Conflict` when the token changed since it was read, so that only one of several payments gets a voucher. */
  save(token: AccessToken, etag: string): Promise<void>;
  issuedTo(addressKey: string): Promise<StoredIssue | undefined>;
  /**
   * Replaces the list, and enters the request among those of the address, in one group. Throws `Conflict` when the list changed since it was
   * read.
   */
  noteIssued(
    addressKey: string,
    noted: { readonly issued: readonly IssuedToken[]; readonly request: RequestKey },
    read: StoredIssue | undefined,
  ): Promise<void>;
  /** Enters a request that got no token among those of the address. */
  noteRequest(addressKey: string, request: RequestKey): Promise<void>;
}
