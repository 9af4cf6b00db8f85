import { type AccessToken, accessTokenRecord } from "../domain/access-token.ts";
import { type IssuedToken, issuedTokenRecord } from "../domain/token-limits.ts";
import type { RequestKey } from "../ports/subjects.ts";
import * as z from "zod";
import {
  ACCESS_TOKEN_ROW,
  accessTokenPartition,
  addressPartition,
  addressRequestRow,
  CODE_ROW,
  codePartition,
  COUNT_ROW,
  countPartition,
} from "./token-keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Operation, Rows } from "../ports/rows.ts";

export interface StoredToken {
  readonly token: AccessToken;
  readonly etag: string;
}

/** The tokens that were recently issued to one mailbox or domain. */
export interface StoredIssue {
  readonly issued: readonly IssuedToken[];
  readonly etag: string;
}

const codeRecord = accessTokenRecord.pick({ tokenId: true });
export const countRecord = z.object({ issued: z.array(issuedTokenRecord) });

/**
 * Vouchers and keys in the table `AccessTokens`. The table also has the token of each code, the requests of each address, and the tokens
 * recently issued to each mailbox and domain.
 */
export function accessTokensTable(rows: Rows) {
  const tokenColumns = (token: AccessToken) => toColumns(token, { status: token.status, kind: token.kind });
  async function find(tokenId: string): Promise<StoredToken | undefined> {
    const row = await rows.get(accessTokenPartition(tokenId), ACCESS_TOKEN_ROW);
    return row && { token: fromRow(row, accessTokenRecord), etag: row.etag };
  }
  return {
    find,
    async findByCode(codeHash: string): Promise<StoredToken | undefined> {
      const row = await rows.get(codePartition(codeHash), CODE_ROW);
      return row && find(fromRow(row, codeRecord).tokenId);
    },
    /** Inserts a token, under the hash of its code. Throws `Conflict` if the token exists. */
    async issue(token: AccessToken): Promise<void> {
      // The code's row is written first, so that every token that exists can be found by its code.
      const columns = toColumns({ tokenId: token.tokenId });
      await rows.submit(codePartition(token.codeHash), [{ kind: "overwrite", rowKey: CODE_ROW, columns }]);
      await rows.submit(accessTokenPartition(token.tokenId), [
        { kind: "insert", rowKey: ACCESS_TOKEN_ROW, columns: tokenColumns(token) },
      ]);
    },
    /** Throws `Conflict` if the token changed since it was read, so that only one of several payments gets a voucher. */
    async save(token: AccessToken, etag: string): Promise<void> {
      await rows.submit(accessTokenPartition(token.tokenId), [
        { kind: "replace", rowKey: ACCESS_TOKEN_ROW, columns: tokenColumns(token), etag },
      ]);
    },
    /** The count under this key of a mailbox or domain. Undefined if nothing was issued. */
    async issuedTo(countKey: string): Promise<StoredIssue | undefined> {
      const row = await rows.get(countPartition(countKey), COUNT_ROW);
      return row && { ...fromRow(row, countRecord), etag: row.etag };
    },
    /** Replaces the count. Throws `Conflict` if it changed since it was read. */
    async noteIssued(countKey: string, issued: readonly IssuedToken[], read: StoredIssue | undefined): Promise<void> {
      const [rowKey, columns] = [COUNT_ROW, toColumns({ issued })];
      await rows.submit(countPartition(countKey), [
        read ? { kind: "replace", rowKey, columns, etag: read.etag } : { kind: "insert", rowKey, columns },
      ]);
    },
    /** Adds a request to those of the address. It may be repeated. */
    async noteRequest(addressKey: string, request: RequestKey): Promise<void> {
      await rows.submit(addressPartition(addressKey), [addressRequest(request)]);
    },
  };
}

/** Vouchers and keys, each in its own partition. They are found by identifier, or by the hash of a code. */
export type AccessTokens = ReturnType<typeof accessTokensTable>;

/** The row never changes: each write of it holds the same names. */
const addressRequest = ({ landingPageId, requestId, createdAt }: RequestKey): Operation => ({
  kind: "overwrite",
  rowKey: addressRequestRow({ landingPageId, requestId, createdAt }),
  columns: toColumns({ landingPageId, requestId, createdAt }),
});
