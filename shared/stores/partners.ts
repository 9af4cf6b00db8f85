import { z } from "zod";
import type { RecordOf } from "../domain/record.ts";
import { sealedSecretRecord } from "../ports/signing-secrets.ts";
import { webhookHostRecord } from "../domain/webhook-host.ts";
import { day, uncheckedInstant } from "../domain/time.ts";
import { terminalRecord } from "../domain/terminal.ts";
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
import type { Columns, Operation, Rows } from "../ports/rows.ts";

export const scopes = ["payments", "refunds", "terminals", "actions", "discounts"] as const;
export type Scope = (typeof scopes)[number];

export const partnerRecord = z.object({
  partnerId: z.string(),
  name: z.string(),
  /** The address for webhooks of a payment that names none itself. */
  webhookUrl: z.string().optional(),
  /** The hosts that webhooks may go to; absent or empty for any. */
  webhookHosts: z.array(webhookHostRecord).optional(),
  /** Active signing secrets, the oldest first. Each of them signs, so that a secret can be rotated while both are valid. */
  webhookSecrets: z.array(sealedSecretRecord),
  /** Since when the partner gets no new key, and its keys are marked as disabled. */
  disabledAt: uncheckedInstant.optional(),
  createdAt: uncheckedInstant,
  updatedAt: uncheckedInstant,
});
export interface Partner extends RecordOf<typeof partnerRecord> {}

/** A partner as it was read to be changed. */
export interface StoredPartner {
  readonly partner: Partner;
  readonly etag: string;
}

/** An `apikey` as it is stored: a peppered hash of the key, never the key. */
export const apiKeyRecord = z.object({
  keyId: z.string(),
  partnerId: z.string(),
  hash: z.string(),
  pepperId: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** The only terminals that the key reaches; undefined for all of the partner's. */
  terminalIds: z.array(z.string()).optional(),
  expiresAt: uncheckedInstant.optional(),
  /** Revoked for good. */
  revokedAt: uncheckedInstant.optional(),
  /** Its partner is disabled. The mark stands here too, so that a request is refused without a read of the partner. */
  isDisabled: z.boolean().optional(),
  createdAt: uncheckedInstant,
  updatedAt: uncheckedInstant,
});
export interface ApiKey extends RecordOf<typeof apiKeyRecord> {}

/** A key's hash, and the pepper that made it. */
export type KeyHash = Pick<ApiKey, "hash" | "pepperId">;

/** When a key was last used. It stands in a row of its own: a write to the key's row could undo a revocation. */
export const keyUseRecord = z.object({
  /** The day in UTC. */
  day,
  /** The network of the caller, such as `203.0.113.0/24` or `2001:db8:7::/48`; `unknown` if no gateway named it. */
  network: z.string(),
});
export interface KeyUse extends RecordOf<typeof keyUseRecord> {}

/** A key as it was read to be changed. */
export interface StoredKey {
  readonly key: ApiKey;
  readonly etag: string;
}

export interface Partners {
  /** A cache may return it as it was a minute ago. */
  find(partnerId: string): Promise<Partner | undefined>;
  /** A cache may return it as it was a minute ago. */
  findKey(keyId: string): Promise<ApiKey | undefined>;
  /**
   * Replaces the hash of a key, and nothing else of it. Does nothing where the key is gone or has another hash. Throws `Conflict` where it
   * changed at the same moment.
   */
  rehashKey(keyId: string, was: KeyHash, next: KeyHash): Promise<void>;
  /** Stores that the key was used, unless that day is stored. Throws `Conflict` if another process was first. */
  noteUse(keyId: string, use: KeyUse): Promise<void>;
  /** When the key was last used; undefined if it never was. */
  findUse(keyId: string): Promise<KeyUse | undefined>;
  /** Reads a partner to change it, never from a cache. */
  read(partnerId: string): Promise<StoredPartner | undefined>;
  /** Reads a key to change it, never from a cache. */
  readKey(keyId: string): Promise<StoredKey | undefined>;
  /** Without an ETag the partner is listed and inserted. Throws `Conflict`. */
  save(partner: Partner, etag: string | undefined): Promise<void>;
  /** Without an ETag the key is listed under its partner and inserted. Throws `Conflict`. */
  saveKey(key: ApiKey, etag: string | undefined): Promise<void>;
  /** The identifiers of all partners. One that was listed, and not inserted because of a crash, is among them. */
  list(): Promise<string[]>;
  /** The identifiers of the partner's keys. One that was listed, and not inserted because of a crash, is among them. */
  keyIds(partnerId: string): Promise<string[]>;
  /** The identifiers of the partner's terminals. */
  terminalIds(partnerId: string): Promise<string[]>;
  addTerminal(partnerId: string, terminalId: string): Promise<void>;
  /** One that is gone already is no error. */
  removeTerminal(partnerId: string, terminalId: string): Promise<void>;
}

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
