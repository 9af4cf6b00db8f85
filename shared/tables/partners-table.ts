import { terminalRecord } from "../domain/terminal.ts";
import { apiKeyRecord, partnerRecord, type Partners } from "../ports/partners.ts";
import {
  API_KEY_ROW,
  apiKeyPartition,
  OWNED_TERMINAL_PREFIX,
  ownedTerminalRow,
  PARTNER_ROW,
  partnerPartition,
} from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Rows } from "./rows.ts";

const ownedTerminalRecord = terminalRecord.pick({ terminalId: true });

/**
 * Partners and the hashes of their keys, in the table `Partners`. Only the operator's commands write it, and the app where it hashes a key
 * again.
 */
export function partnersTable(rows: Rows): Partners {
  return {
    async find(partnerId) {
      const row = await rows.get(partnerPartition(partnerId), PARTNER_ROW);
      return row && fromRow(row, partnerRecord);
    },
    async findKey(keyId) {
      const row = await rows.get(apiKeyPartition(keyId), API_KEY_ROW);
      return row && fromRow(row, apiKeyRecord);
    },
    async save(partner) {
      const columns = toColumns(partner, { name: partner.name });
      await rows.submit(partnerPartition(partner.partnerId), [{ kind: "overwrite", rowKey: PARTNER_ROW, columns }]);
    },
    async terminalIds(partnerId) {
      const found = await rows.withPrefix(partnerPartition(partnerId), OWNED_TERMINAL_PREFIX);
      return found.map((row) => fromRow(row, ownedTerminalRecord).terminalId);
    },
    async addTerminal(partnerId, terminalId) {
      const columns = toColumns({ terminalId });
      const rowKey = ownedTerminalRow(terminalId);
      await rows.submit(partnerPartition(partnerId), [{ kind: "overwrite", rowKey, columns }]);
    },
    async rehashKey(keyId, was, next) {
      const row = await rows.get(apiKeyPartition(keyId), API_KEY_ROW);
      const key = row && fromRow(row, apiKeyRecord);
      if (!row || key?.hash !== was.hash) return;
      const columns = toColumns({ ...key, ...next }, { partnerId: key.partnerId });
      await rows.submit(apiKeyPartition(keyId), [{ kind: "replace", rowKey: API_KEY_ROW, columns, etag: row.etag }]);
    },
    async saveKey(key) {
      const columns = toColumns(key, { partnerId: key.partnerId });
      await rows.submit(apiKeyPartition(key.keyId), [{ kind: "overwrite", rowKey: API_KEY_ROW, columns }]);
    },
  };
}
