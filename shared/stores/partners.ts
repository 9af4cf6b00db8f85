import * as z from "zod";
import type { RecordOf } from "../domain/record.ts";
import { sealedSecretRecord } from "../ports/signing-secrets.ts";
import { webhookHostRecord } from "../domain/webhook-host.ts";
import { day, type Instant, uncheckedInstant } from "../domain/time.ts";
import { terminalRecord } from "../domain/terminal.ts";
import { webhookTestsRecord, type WebhookTests } from "../domain/webhook-tests.ts";
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
  WEBHOOK_TESTS_ROW,
} from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Columns, Operation, Rows } from "../ports/rows.ts";

/** A key may do what its scopes name. `reports` permits reads alone. */
export const scopes = ["payments", "refunds", "terminals", "actions", "discounts", "reports"] as const;
export type Scope = (typeof scopes)[number];

export const partnerRecord = z.object({
  partnerId: z.string(),
  name: z.string(),
  /** The address for webhooks of a payment that does not name its own. */
  webhookUrl: z.string().optional(),
  /** The hosts that webhooks may go to. Absent or empty if any host is allowed. */
  webhookHosts: z.array(webhookHostRecord).optional(),
  /** Active signing secrets, the oldest first. Each of them signs, so that a secret can be rotated while both are valid. */
  webhookSecrets: z.array(sealedSecretRecord),
  /** Since this moment the partner gets no new key, and its keys are marked as disabled. */
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
  /** The only terminals that the key reaches. Undefined if it reaches all of the partner's. */
  terminalIds: z.array(z.string()).optional(),
  expiresAt: uncheckedInstant.optional(),
  /** Revoked permanently. */
  revokedAt: uncheckedInstant.optional(),
  /** Its partner is disabled. The mark is also stored here, so that a request is refused without a read of the partner. */
  isDisabled: z.boolean().optional(),
  createdAt: uncheckedInstant,
  updatedAt: uncheckedInstant,
});
export interface ApiKey extends RecordOf<typeof apiKeyRecord> {}

/** A key's hash, and the pepper that made it. */
export type KeyHash = Pick<ApiKey, "hash" | "pepperId">;

/** When a key was last used. It has its own row, because a write to the key's row could undo a revocation. */
export const keyUseRecord = z.object({
  /** The day in UTC. */
  day,
  /** The network of the caller, such as `203.0.113.0/24` or `2001:db8:7::/48`; `unknown` if no gateway named it. */
  network: z.string(),
});
export interface KeyUse extends RecordOf<typeof keyUseRecord> {}

/** A partner's test events as they were read to count another one. */
export interface StoredWebhookTests {
  readonly tests: WebhookTests;
  readonly etag: string;
}

/** A key as it was read to be changed. */
export interface StoredKey {
  readonly key: ApiKey;
  readonly etag: string;
}

const ownedTerminalRecord = terminalRecord.pick({ terminalId: true, retiredAt: true });
const ownedKeyRecord = apiKeyRecord.pick({ keyId: true });
const listedPartnerRecord = partnerRecord.pick({ partnerId: true });

/**
 * Partners and the hashes of their keys, in the table `Partners`. Only the operator's commands write it. The app also writes it to hash a
 * key again, to record its use, or to count test events.
 */
export function partnersTable(rows: Rows) {
  return { ...partnersIn(rows), ...keysIn(rows), ...ownedTerminalsIn(rows) };
}

export type Partners = ReturnType<typeof partnersTable>;

/** The partners, and the list of them. */
function partnersIn(rows: Rows) {
  return {
    /** A cache may return a version that is a minute old. */
    async find(partnerId: string): Promise<Partner | undefined> {
      const row = await rows.get(partnerPartition(partnerId), PARTNER_ROW);
      return row && fromRow(row, partnerRecord);
    },
    /** Reads a partner to change it, never from a cache. */
    async read(partnerId: string): Promise<StoredPartner | undefined> {
      const row = await rows.get(partnerPartition(partnerId), PARTNER_ROW);
      return row && { partner: fromRow(row, partnerRecord), etag: row.etag };
    },
    /** Without an ETag the partner is listed and inserted. Throws `Conflict`. */
    async save(partner: Partner, etag: string | undefined): Promise<void> {
      const { partnerId, name } = partner;
      if (etag === undefined) await enlist(rows, PARTNERS_PARTITION, listedPartnerRow(partnerId), { partnerId });
      const columns = toColumns(partner, { name });
      await rows.submit(partnerPartition(partnerId), [written(PARTNER_ROW, columns, etag)]);
    },
    /** The test events of the partner's latest hour with one. Undefined if there was none. */
    async webhookTests(partnerId: string): Promise<StoredWebhookTests | undefined> {
      const row = await rows.get(partnerPartition(partnerId), WEBHOOK_TESTS_ROW);
      return row && { tests: fromRow(row, webhookTestsRecord), etag: row.etag };
    },
    /** Throws `Conflict` if another call counted since they were read. */
    async saveWebhookTests(partnerId: string, tests: WebhookTests, etag: string | undefined): Promise<void> {
      await rows.submit(partnerPartition(partnerId), [written(WEBHOOK_TESTS_ROW, toColumns(tests), etag)]);
    },
    /** The identifiers of all partners. They include a partner that was listed but, because of a crash, not inserted. */
    async list(): Promise<string[]> {
      const found = await rows.withPrefix(PARTNERS_PARTITION, LISTED_PARTNER_PREFIX);
      return found.map((row) => fromRow(row, listedPartnerRecord).partnerId);
    },
  };
}

/** The keys of each partner, and when each was last used. */
function keysIn(rows: Rows) {
  return {
    /** A cache may return a version that is a minute old. */
    async findKey(keyId: string): Promise<ApiKey | undefined> {
      const row = await rows.get(apiKeyPartition(keyId), API_KEY_ROW);
      return row && fromRow(row, apiKeyRecord);
    },
    /** Reads a key to change it, never from a cache. */
    async readKey(keyId: string): Promise<StoredKey | undefined> {
      const row = await rows.get(apiKeyPartition(keyId), API_KEY_ROW);
      return row && { key: fromRow(row, apiKeyRecord), etag: row.etag };
    },
    /** Without an ETag the key is listed under its partner and inserted. Throws `Conflict`. */
    async saveKey(key: ApiKey, etag: string | undefined): Promise<void> {
      const { keyId, partnerId } = key;
      if (etag === undefined) await enlist(rows, partnerPartition(partnerId), ownedKeyRow(keyId), { keyId });
      const columns = toColumns(key, { partnerId });
      await rows.submit(apiKeyPartition(keyId), [written(API_KEY_ROW, columns, etag)]);
    },
    /** The identifiers of the partner's keys. They include a key that was listed but, because of a crash, not inserted. */
    async keyIds(partnerId: string): Promise<string[]> {
      const found = await rows.withPrefix(partnerPartition(partnerId), OWNED_KEY_PREFIX);
      return found.map((row) => fromRow(row, ownedKeyRecord).keyId);
    },
    /**
     * Replaces only the hash of a key. Does nothing if the key is gone or has another hash. Throws `Conflict` if it changed at the same
     * moment.
     */
    async rehashKey(keyId: string, was: KeyHash, next: KeyHash): Promise<void> {
      const row = await rows.get(apiKeyPartition(keyId), API_KEY_ROW);
      const key = row && fromRow(row, apiKeyRecord);
      if (!row || key?.hash !== was.hash) return;
      const columns = toColumns({ ...key, ...next }, { partnerId: key.partnerId });
      await rows.submit(apiKeyPartition(keyId), [{ kind: "replace", rowKey: API_KEY_ROW, columns, etag: row.etag }]);
    },
    /** Stores that the key was used, unless that day is stored. Throws `Conflict` if another process was first. */
    async noteUse(keyId: string, use: KeyUse): Promise<void> {
      const row = await rows.get(apiKeyPartition(keyId), KEY_USE_ROW);
      if (row && fromRow(row, keyUseRecord).day >= use.day) return;
      await rows.submit(apiKeyPartition(keyId), [written(KEY_USE_ROW, toColumns(use), row?.etag)]);
    },
    /** When the key was last used. Undefined if it never was. */
    async findUse(keyId: string): Promise<KeyUse | undefined> {
      const row = await rows.get(apiKeyPartition(keyId), KEY_USE_ROW);
      return row && fromRow(row, keyUseRecord);
    },
  };
}

/** The names of each partner's terminals. */
function ownedTerminalsIn(rows: Rows) {
  return {
    /** The identifiers of the partner's terminals. */
    async terminalIds(partnerId: string): Promise<string[]> {
      const found = await ownedTerminals(rows, partnerId);
      return found.filter(({ retiredAt }) => retiredAt === undefined).map(({ terminalId }) => terminalId);
    },
    /** At most `most` terminals that the partner has or had, in the order of their identifiers: those after the named one, or the first. */
    async terminalsAfter(partnerId: string, after: string | undefined, most: number) {
      const rowKey = after === undefined ? OWNED_TERMINAL_PREFIX : ownedTerminalRow(after);
      const found = await rows.after(partnerPartition(partnerId), { prefix: OWNED_TERMINAL_PREFIX, rowKey }, most);
      return found
        .map((row) => fromRow(row, ownedTerminalRecord))
        .map(({ terminalId, retiredAt }) => ({ terminalId, isRetired: retiredAt !== undefined }));
    },
    /** The identifiers of all terminals that the partner has or had. The retired ones keep their payments. */
    async allTerminalIds(partnerId: string): Promise<string[]> {
      return (await ownedTerminals(rows, partnerId)).map(({ terminalId }) => terminalId);
    },
    addTerminal(partnerId: string, terminalId: string): Promise<void> {
      return enlist(rows, partnerPartition(partnerId), ownedTerminalRow(terminalId), { terminalId });
    },
    retireTerminal(partnerId: string, terminalId: string, retiredAt: Instant): Promise<void> {
      return enlist(rows, partnerPartition(partnerId), ownedTerminalRow(terminalId), { terminalId, retiredAt });
    },
  };
}

const ownedTerminals = async (rows: Rows, partnerId: string) =>
  (await rows.withPrefix(partnerPartition(partnerId), OWNED_TERMINAL_PREFIX)).map((row) =>
    fromRow(row, ownedTerminalRecord),
  );

/** Overwrites an existing row. Such a row holds only what its key names. */
async function enlist(rows: Rows, partition: string, rowKey: string, named: object): Promise<void> {
  await rows.submit(partition, [{ kind: "overwrite", rowKey, columns: toColumns(named) }]);
}

const written = (rowKey: string, columns: Columns, etag: string | undefined): Operation =>
  etag === undefined ? { kind: "insert", rowKey, columns } : { kind: "replace", rowKey, columns, etag };
