import type { AccessToken } from "../domain/access-token.ts";
import type { IssuedToken } from "../domain/token-limits.ts";
import type { RequestKey } from "./subjects.ts";

export interface StoredToken {
  readonly token: AccessToken;
  readonly etag: string;
}

/** The tokens that were recently issued to one mailbox or domain. */
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
  /** The count under this key of a mailbox or domain; undefined where nothing was issued. */
  issuedTo(countKey: string): Promise<StoredIssue | undefined>;
  /** Replaces the count. Throws `Conflict` when it changed since it was read. */
  noteIssued(countKey: string, issued: readonly IssuedToken[], read: StoredIssue | undefined): Promise<void>;
  /** Enters a request among those of the address. It may be repeated. */
  noteRequest(addressKey: string, request: RequestKey): Promise<void>;
}
