import { createHash } from "node:crypto";
import * as z from "zod";
import { canonicalName } from "../domain/payment/requests/refund-request.ts";
import type { RecordOf } from "../domain/record.ts";
import { dayOf, instant, type Day } from "../domain/time.ts";
import type { Operation, Row, Rows } from "../ports/rows.ts";
import { subjectRecord } from "../ports/subjects.ts";
import { IDEMPOTENCY_DAY_PREFIX, idempotencyDayRow, idempotencyRow, sessionsPartition } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";

/** The operations that bind a key. Refunds and discounts keep theirs in their payment. */
const keyedOperations = ["request", "capture", "cancel", "response"] as const;
export type KeyedOperation = (typeof keyedOperations)[number];

/** The key of a command's request, as the command keeps it. */
export const usedKeyRecord = z.object({ hash: z.string(), operation: z.enum(keyedOperations) });
export interface UsedKey extends RecordOf<typeof usedKeyRecord> {}

/**
 * The request that holds a key. Its row is written before its commit, so it proves nothing by itself: the command says whether the request
 * was accepted.
 */
export const keyHolderRecord = z.object({
  operation: z.enum(keyedOperations),
  /** The payment, with its terminal, or the action request. */
  subject: subjectRecord,
  /** The members of the request that neither the operation nor the subject tells, as text. Absent if it has none. */
  content: z.string().optional(),
  /** The terminal of the subject. */
  terminalId: z.string(),
  commandId: z.string(),
  at: instant,
  /**
   * It comes from an export. Its commit may be lost, or that of a later request under the key. So neither a missing nor an aborted command
   * proves that nothing happened.
   */
  isRestored: z.literal(true).optional(),
});
export interface KeyHolder extends RecordOf<typeof keyHolderRecord> {}
export interface StoredKeyHolder extends KeyHolder {
  readonly etag: string;
}

/** An `Idempotency-Key` as it is stored. The key itself is the partner's text. UUIDs are compared in lower case. */
export const hashOfKey = (key: string): string => createHash("sha256").update(canonicalName(key)).digest("hex");

/** A key's new holder. The rows are for one group of its partner's partition of the table `Sessions`. */
export interface KeyEntry {
  readonly hash: string;
  readonly holder: KeyHolder;
  /** The holder as it was read. Undefined for a new key. */
  readonly read: StoredKeyHolder | undefined;
}

/** A key that was bound on a day. The key may have been bound again since. */
export interface BoundKey {
  readonly partnerId: string;
  readonly hash: string;
  readonly row: Pick<Row, "rowKey" | "etag">;
}
const boundKeyRecord = z.object({ hash: z.string() });

/** The rows that bind a key. The group fails if the key was bound since it was read. */
export function keyOperations({ hash, holder, read }: KeyEntry): Operation[] {
  const own = { rowKey: idempotencyRow(hash), columns: toColumns(holder) };
  const day = { rowKey: idempotencyDayRow(dayOf(holder.at), hash), columns: toColumns({ hash }) };
  return [
    read ? { kind: "replace", ...own, etag: read.etag } : { kind: "insert", ...own },
    { kind: "overwrite", ...day },
  ];
}

/** The keys of partners in the table `Sessions`, each in the partition of its partner. Every method throws `Unavailable`. */
export const idempotencyKeysTable = (rows: Rows) => ({
  async find(partnerId: string, hash: string): Promise<StoredKeyHolder | undefined> {
    const row = await rows.get(sessionsPartition(partnerId), idempotencyRow(hash));
    return row && { ...fromRow(row, keyHolderRecord), etag: row.etag };
  },
  /** Binds a key. Throws `Conflict` if it was bound since it was read. */
  async bind(partnerId: string, entry: KeyEntry): Promise<void> {
    await rows.submit(sessionsPartition(partnerId), keyOperations(entry));
  },
  /** The first keys that were bound before this day, the oldest first, 1 to 1000. Returns fewer only if there are no more. */
  async boundBefore(
    partnerId: string,
    { day, after, atMost }: { readonly day: Day; readonly after: BoundKey | undefined; readonly atMost: number },
  ): Promise<BoundKey[]> {
    const prefix = IDEMPOTENCY_DAY_PREFIX;
    const position = { prefix, rowKey: after?.row.rowKey ?? prefix, before: prefix + day };
    const found = await rows.after(sessionsPartition(partnerId), position, atMost);
    return found.map((row) => ({ partnerId, ...fromRow(row, boundKeyRecord), row }));
  },
  /**
   * Removes a key, unless it was bound again on that day or later. Returns the number of removed rows. Throws `Conflict` if it is bound
   * meanwhile.
   */
  async remove({ partnerId, hash, row }: BoundKey, day: Day): Promise<number> {
    const partition = sessionsPartition(partnerId);
    const own = await rows.get(partition, idempotencyRow(hash));
    const isOld = own !== undefined && dayOf(fromRow(own, keyHolderRecord).at) < day;
    await rows.submit(partition, [
      ...(isOld ? [{ kind: "remove", rowKey: own.rowKey, etag: own.etag } as const] : []),
      { kind: "remove", rowKey: row.rowKey, etag: row.etag },
    ]);
    return isOld ? 2 : 1;
  },
});

/** Which request holds each `Idempotency-Key` of a partner. */
export type IdempotencyKeys = ReturnType<typeof idempotencyKeysTable>;
