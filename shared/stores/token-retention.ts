import { tokenRequestRecord } from "../domain/landing-page.ts";
import { Conflict } from "../ports/failures.ts";
import type { Retention } from "./retention.ts";
import { commandsPrefix } from "./subject-rows.ts";
import {
  ACCESS_TOKEN_ROW,
  accessTokenPartition,
  ADDRESS_REQUEST_PREFIX,
  addressPartition,
  addressRequestRow,
  CODE_ROW,
  codePartition,
  COUNT_ROW,
  countPartition,
  landingPagePartition,
  sameRequestRow,
  tokenRequestRow,
} from "./token-keys.ts";
import { countRecord } from "./access-tokens.ts";
import { fromRow } from "./record.ts";
import { ownRow, removeRows, removeSubject } from "./remove-rows.ts";
import type { Rows } from "../ports/rows.ts";

const requestKeyRecord = tokenRequestRecord.pick({ landingPageId: true, requestId: true, createdAt: true });
const sameRecord = tokenRequestRecord.pick({ requestId: true });

type TokenRetention = Pick<
  Retention,
  "removeTokenRequest" | "removeSame" | "removeToken" | "requestsOf" | "forgetRequest" | "forgetAddress" | "forgetCount"
>;

/** Removes token requests, tokens and addresses from their tables permanently. */
export function tokenRetention(tables: Readonly<Record<"landingPages" | "accessTokens", Rows>>): TokenRetention {
  const { landingPages, accessTokens } = tables;
  return {
    async removeTokenRequest(key, etag) {
      const partition = landingPagePartition(key.landingPageId);
      const rowKey = tokenRequestRow(key);
      const prefixes = [rowKey, commandsPrefix({ kind: "tokenRequest", ...key })];
      const found = (await Promise.all(prefixes.map((prefix) => landingPages.withPrefix(partition, prefix)))).flat();
      const own = ownRow(found, rowKey, etag);
      const others = found.filter((row) => row !== own);
      return own ? removeSubject(landingPages, partition, own, others) : removeRows(landingPages, partition, others);
    },
    async removeSame({ landingPageId, requestId, button }, keys) {
      const partition = landingPagePartition(landingPageId);
      const found = await Promise.all(keys.map((key) => landingPages.get(partition, sameRequestRow(button, key))));
      const own = found
        .filter((row) => row !== undefined)
        .filter((row) => fromRow(row, sameRecord).requestId === requestId);
      return removeRows(landingPages, partition, own);
    },
    async removeToken({ tokenId, codeHash }, etag) {
      // The row of the code goes first. Without its token, nothing would lead to it.
      const codes = await removeIfThere(accessTokens, codePartition(codeHash), CODE_ROW);
      await accessTokens.remove(accessTokenPartition(tokenId), ACCESS_TOKEN_ROW, etag);
      return codes + 1;
    },
    async requestsOf(addressKey) {
      const found = await accessTokens.withPrefix(addressPartition(addressKey), ADDRESS_REQUEST_PREFIX);
      return found.map((row) => fromRow(row, requestKeyRecord));
    },
    async forgetRequest(addressKey, request) {
      return removeIfThere(accessTokens, addressPartition(addressKey), addressRequestRow(request));
    },
    async forgetAddress(addressKey) {
      const partition = addressPartition(addressKey);
      return removeRows(accessTokens, partition, await accessTokens.withPrefix(partition, ""));
    },
    async forgetCount(countKey, before) {
      const partition = countPartition(countKey);
      const row = await accessTokens.get(partition, COUNT_ROW);
      const isNeeded = row && fromRow(row, countRecord).issued.some(({ at }) => before !== undefined && at >= before);
      return row && !isNeeded ? removeRows(accessTokens, partition, [row]) : 0;
    },
  };
}

async function removeIfThere(rows: Rows, partition: string, rowKey: string): Promise<number> {
  try {
    await rows.submit(partition, [{ kind: "discard", rowKey }]);
    return 1;
  } catch (error) {
    if (error instanceof Conflict) return 0; // an earlier run removed it
    throw error;
  }
}
