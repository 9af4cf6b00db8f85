import { terminalRecord } from "../domain/terminal.ts";
import { apiKeyRecord, keyUseRecord, partnerRecord, type Partners } from "../ports/partners.ts";
import {
  API_KEY_ROW,
  apiKeyPartition,
  KEY_USE_ROW,
  LISTED_PARTNER_PREFIX,
  listedPartnerRow,
  OWNED_KEY_PREFIX,
  OWNED_TERMINAL_PREFIX,
  ownedKeyRow,
  ownedTerminalRow,
  PARTNER_ROW,
  partnerPartition,
  PARTNERS_PARTITION,
} from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Columns, Operation, Rows } from "./rows.ts";

const ownedTerminalRecord = terminalRecord.pick({ terminalId: true });
const ownedKeyRecord = apiKeyRecord.pick({ keyId: true });
const listedPartnerRecord = partnerRecord.pick({ partnerId: true });

/**
 * Partners and the hashes of their keys, in the table `Partners`. Only the operator's commands write it, and the app where it hashes a key
 * again or notes its use.
 */
export function partnersTable(rows: Rows): Partners {
  /** Written over one that exists: such a row holds nothing but what its key names. */
  const enlist = async (partition: string, rowKey: string, named: object): Promise<void> => {
    await rows.submit(partition, [{ kind: "overwrite", rowKey, columns: toColumns(named) }]);
  };
  return {
    async find(partnerId) {
      const row = await rows.get(partnerPartition(partnerId), PARTNER_ROW);
      return row && fromRow(row, partnerRecord);
    },
    async findKey(keyId) {
      const row = await rows.get(apiKeyPartition(keyId), API_KEY_ROW);
      return row && fromRow(row, apiKeyRecord);
    },
    async read(partnerId) {
      const row = await rows.get(partnerPartition(partnerId), PARTNER_ROW);
      return row && { partner: fromRow(row, partnerRecord), etag: row.etag };
    },
    async readKey(keyId) {
      const row = await rows.get(apiKeyPartition(keyId), API_KEY_ROW);
      return row && { key: fromRow(row, apiKeyRecord), etag: row.etag };
    },
    async save(partner, etag) {
      const { partnerId, name } = partner;
      if (etag === undefined) await enlist(PARTNERS_PARTITION, listedPartnerRow(partnerId), { partnerId });
      const columns = toColumns(partner, { name });
      await rows.submit(partnerPartition(partnerId), [written(PARTNER_ROW, columns, etag)]);
    },
    async saveKey(key, etag) {
      const { keyId, partnerId } = key;
      if (etag === undefined) await enlist(partnerPartition(partnerId), ownedKeyRow(keyId), { keyId });
      const columns = toColumns(key, { partnerId });
      await rows.submit(apiKeyPartition(keyId), [written(API_KEY_ROW, columns, etag)]);
    },
    async list() {
      const found = await rows.withPrefix(PARTNERS_PARTITION, LISTED_PARTNER_PREFIX);
      return found.map((row) => fromRow(row, listedPartnerRecord).partnerId);
    },
    async keyIds(partnerId) {
      const found = await rows.withPrefix(partnerPartition(partnerId), OWNED_KEY_PREFIX);
      return found.map((row) => fromRow(row, ownedKeyRecord).keyId);
    },
    async terminalIds(partnerId) {
      const found = await rows.withPrefix(partnerPartition(partnerId), OWNED_TERMINAL_PREFIX);
      return found.map((row) => fromRow(row, ownedTerminalRecord).terminalId);
    },
    async rehashKey(keyId, was, next) {
      const row = await rows.get(apiKeyPartition(keyId), API_KEY_ROW);
      const key = row && fromRow(row, apiKeyRecord);
      if (!row || key?.hash !== was.hash) return;
      const columns = toColumns({ ...key, ...next }, { partnerId: key.partnerId });
      await rows.submit(apiKeyPartition(keyId), [{ kind: "replace", rowKey: API_KEY_ROW, columns, etag: row.etag }]);
    },
    async noteUse(keyId, use) {
      const row = await rows.get(apiKeyPartition(keyId), KEY_USE_ROW);
      if (row && fromRow(row, keyUseRecord).day >= use.day) return;
      await rows.submit(apiKeyPartition(keyId), [written(KEY_USE_ROW, toColumns(use), row?.etag)]);
    },
    async findUse(keyId) {
      const row = await rows.get(apiKeyPartition(keyId), KEY_USE_ROW);
      return row && fromRow(row, keyUseRecord);
    },
    addTerminal: (partnerId, terminalId) =>
      enlist(partnerPartition(partnerId), ownedTerminalRow(terminalId), { terminalId }),
    async removeTerminal(partnerId, terminalId) {
      const row = await rows.get(partnerPartition(partnerId), ownedTerminalRow(terminalId));
      if (row) await rows.remove(row.partitionKey, row.rowKey, row.etag);
    },
  };
}

const written = (rowKey: string, columns: Columns, etag: string | undefined): Operation =>
  etag === undefined ? { kind: "insert", rowKey, columns } : { kind: "replace", rowKey, columns, etag };
