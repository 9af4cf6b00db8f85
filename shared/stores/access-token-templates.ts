import { type AccessTokenTemplate, accessTokenTemplateRecord } from "../domain/access-token-template.ts";
import {
  type Issuance,
  type IssuanceShard,
  issuanceRecord,
  issuanceShardRecord,
  newShards,
} from "../domain/issuance.ts";
import { type MailTrouble, mailTroubleRecord } from "../domain/mail-trouble.ts";
import { type TemplateLook, templateLookRecord } from "../domain/template-look.ts";
import { dayOf } from "../domain/time.ts";
import { Conflict } from "../ports/failures.ts";
import {
  ISSUANCE_ROW,
  ISSUANCE_SHARD_PREFIX,
  issuancePartition,
  issuanceShardRow,
  mailTroubleRow,
  TEMPLATE_PREFIX,
  templateLookRow,
  templateRow,
  TEMPLATES_PARTITION,
} from "./token-keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Operation, Row, Rows } from "../ports/rows.ts";

export interface StoredLook {
  readonly look: TemplateLook;
  readonly etag: string;
}

export interface StoredIssuance {
  readonly issuance: Issuance;
  readonly etag: string;
}

export interface StoredShard {
  readonly shard: IssuanceShard;
  readonly etag: string;
}

export interface StoredTrouble {
  readonly trouble: MailTrouble;
  readonly etag: string;
}

/**
 * Templates in the table `AccessTokenTemplates`. Only the operator's commands write them. Workers only record the results of their mails,
 * and take places within their limits.
 */
export function accessTokenTemplatesTable(rows: Rows) {
  return { ...templatesIn(rows), ...issuancesIn(rows), ...mailsIn(rows) };
}

export type AccessTokenTemplates = ReturnType<typeof accessTokenTemplatesTable>;

/** The templates themselves. */
function templatesIn(rows: Rows) {
  return {
    async find(templateId: string): Promise<AccessTokenTemplate | undefined> {
      const row = await rows.get(TEMPLATES_PARTITION, templateRow(templateId));
      return row && fromRow(row, accessTokenTemplateRecord);
    },
    /** Every template, for the operator. */
    async list(): Promise<AccessTokenTemplate[]> {
      return (await rows.withPrefix(TEMPLATES_PARTITION, TEMPLATE_PREFIX)).map((row) =>
        fromRow(row, accessTokenTemplateRecord),
      );
    },
    /** Adds a template, whose tokens' value never changes. Throws `Conflict` if a template with this identifier exists. */
    async add(template: AccessTokenTemplate, issuance: Issuance): Promise<void> {
      const { templateId, name, kind, createdAt } = template;
      const shards = newShards(issuance, dayOf(createdAt));
      // The limits come first. They are there already if an earlier try was cut off.
      await ignoreConflict(
        rows.submit(issuancePartition(templateId), [
          { kind: "insert", rowKey: ISSUANCE_ROW, columns: issuanceColumns(issuance) },
          ...shards.map((shard): Operation => ({ kind: "insert", ...shardRow(shard) })),
        ]),
      );
      const columns = toColumns(template, { name, kind });
      await rows.submit(TEMPLATES_PARTITION, [{ kind: "insert", rowKey: templateRow(templateId), columns }]);
    },
  };
}

/** A template's limits, and the shards from which its places are taken. */
function issuancesIn(rows: Rows) {
  return {
    /** The template's limits and users. Undefined for an unknown template. They are never cached. */
    async findIssuance(templateId: string): Promise<StoredIssuance | undefined> {
      const row = await rows.get(issuancePartition(templateId), ISSUANCE_ROW);
      return row && { issuance: fromRow(row, issuanceRecord), etag: row.etag };
    },
    /**
     * Replaces the limits, and all shards if the limits change, in one group. Throws `Conflict` if any of them changed since it was read.
     */
    async saveIssuance(issuance: Issuance, read: StoredIssuance, shards: readonly StoredShard[] = []): Promise<void> {
      await rows.submit(issuancePartition(issuance.templateId), [
        { kind: "replace", rowKey: ISSUANCE_ROW, columns: issuanceColumns(issuance), etag: read.etag },
        ...shards.map(({ shard, etag }): Operation => ({ kind: "replace", ...shardRow(shard), etag })),
      ]);
    },
    /** Throws if the template has no such shard. */
    async findShard(templateId: string, shard: number): Promise<StoredShard> {
      const row = await rows.get(issuancePartition(templateId), issuanceShardRow(shard));
      if (!row) throw new Error(`template ${templateId} has no shard ${shard}`);
      return storedShard(row);
    },
    /** The shards in their order. */
    async shards(templateId: string): Promise<StoredShard[]> {
      return (await rows.withPrefix(issuancePartition(templateId), ISSUANCE_SHARD_PREFIX)).map(storedShard);
    },
    /** Throws `Conflict` if it changed since it was read. */
    async saveShard(templateId: string, shard: StoredShard): Promise<void> {
      await rows.submit(issuancePartition(templateId), [
        { kind: "replace", ...shardRow(shard.shard), etag: shard.etag },
      ]);
    },
  };
}

/** The look of a template's mails, and the record of its failed mails. */
function mailsIn(rows: Rows) {
  const save = async (rowKey: string, record: object, read: { readonly etag: string } | undefined): Promise<void> => {
    const columns = toColumns(record);
    await rows.submit(TEMPLATES_PARTITION, [
      read ? { kind: "replace", rowKey, columns, etag: read.etag } : { kind: "insert", rowKey, columns },
    ]);
  };
  return {
    /** The record of its failed mails. Undefined if none ever failed. */
    async findTrouble(templateId: string): Promise<StoredTrouble | undefined> {
      const row = await rows.get(TEMPLATES_PARTITION, mailTroubleRow(templateId));
      return row && { trouble: fromRow(row, mailTroubleRecord), etag: row.etag };
    },
    /** Throws `Conflict` if it changed since it was read. */
    saveTrouble(trouble: MailTrouble, read: StoredTrouble | undefined): Promise<void> {
      return save(mailTroubleRow(trouble.templateId), trouble, read);
    },
    /** The look of its mails. Undefined if it has the platform's own look and texts. */
    async findLook(templateId: string): Promise<StoredLook | undefined> {
      const row = await rows.get(TEMPLATES_PARTITION, templateLookRow(templateId));
      return row && { look: fromRow(row, templateLookRecord), etag: row.etag };
    },
    /** Throws `Conflict` if it changed since it was read. */
    saveLook(look: TemplateLook, read: StoredLook | undefined): Promise<void> {
      return save(templateLookRow(look.templateId), look, read);
    },
  };
}

const issuanceColumns = (issuance: Issuance) => toColumns(issuance, { status: issuance.status });
const shardRow = (shard: IssuanceShard) => ({ rowKey: issuanceShardRow(shard.shard), columns: toColumns(shard) });
const storedShard = (row: Row) => ({ shard: fromRow(row, issuanceShardRecord), etag: row.etag });

async function ignoreConflict(insert: Promise<unknown>): Promise<void> {
  try {
    await insert;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
  }
}
