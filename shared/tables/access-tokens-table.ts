import { z } from "zod";
import { accessTokenRecord, type AccessToken } from "../domain/access-token.ts";
import { issuedTokenRecord } from "../domain/token-limits.ts";
import type { AccessTokens } from "../ports/access-tokens.ts";
import type { RequestKey } from "../ports/subjects.ts";
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
import type { Operation, Rows } from "./rows.ts";

const codeRecord = accessTokenRecord.pick({ tokenId: true });
export const countRecord = z.object({ issued: z.array(issuedTokenRecord) });

/**
 * Vouchers and keys in the table `AccessTokens`. Beside them are the token of each code, the requests of each address, and the tokens recently
 * issued to each mailbox and domain.
 */
export function accessTokensTable(rows: Rows): AccessTokens {
  const tokenColumns = (token: AccessToken) => toColumns(token, { status: token.status, kind: token.kind });
  const find: AccessTokens["find"] = async (tokenId) => {
    const row = await rows.get(accessTokenPartition(tokenId), ACCESS_TOKEN_ROW);
    return row && { token: fromRow(row, accessTokenRecord), etag: row.etag };
  };
  return {
    find,
    async findByCode(codeHash) {
      const row = await rows.get(codePartition(codeHash), CODE_ROW);
      return row && find(fromRow(row, codeRecord).tokenId);
    },
    async issue(token) {
      // The code's row is written first, so that every token that exists can be found by its code.
      const columns = toColumns({ tokenId: token.tokenId });
      await rows.submit(codePartition(token.codeHash), [{ kind: "overwrite", rowKey: CODE_ROW, columns }]);
      await rows.submit(accessTokenPartition(token.tokenId), [
        { kind: "insert", rowKey: ACCESS_TOKEN_ROW, columns: tokenColumns(token) },
      ]);
    },
    async save(token, etag) {
      await rows.submit(accessTokenPartition(token.tokenId), [
        { kind: "replace", rowKey: ACCESS_TOKEN_ROW, columns: tokenColumns(token), etag },
      ]);
    },
    async issuedTo(countKey) {
      const row = await rows.get(countPartition(countKey), COUNT_ROW);
      return row && { ...fromRow(row, countRecord), etag: row.etag };
    },
    async noteIssued(countKey, issued, read) {
      const [rowKey, columns] = [COUNT_ROW, toColumns({ issued })];
      await rows.submit(countPartition(countKey), [
        read ? { kind: "replace", rowKey, columns, etag: read.etag } : { kind: "insert", rowKey, columns },
      ]);
    },
    async noteRequest(addressKey, request) {
      await rows.submit(addressPartition(addressKey), [addressRequest(request)]);
    },
  };
}

/** The row never changes: each write of it holds the same names. */
const addressRequest = ({ landingPageId, requestId, createdAt }: RequestKey): Operation => ({
  kind: "overwrite",
  rowKey: addressRequestRow({ landingPageId, requestId, createdAt }),
  columns: toColumns({ landingPageId, requestId, createdAt }),
});
