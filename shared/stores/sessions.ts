import * as z from "zod";
import type { RecordOf } from "../domain/record.ts";
import { instant, type Instant } from "../domain/time.ts";
import { keyOperations, type KeyEntry } from "./idempotency-keys.ts";
import { CREATED_PREFIX, createdRow, sessionRow, sessionsPartition } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Columns, Operation, Row, Rows } from "../ports/rows.ts";

/** A payment as its partner's list of payments holds it: the members that order and filter the list. None of them ever changes. */
export const createdPaymentRecord = z.object({
  partnerId: z.string(),
  sessionId: z.string(),
  createdAt: instant,
  /** The command of the request. A request that is repeated at the same moment has an entry of its own. */
  requestedBy: z.string(),
  merchantId: z.string(),
  terminalId: z.string(),
  /** The partner's order reference, as it was received. */
  orderId: z.string().optional(),
});
export interface CreatedPayment extends RecordOf<typeof createdPaymentRecord> {}

/** An entry, with its place in the list. */
export interface ListedPayment extends CreatedPayment {
  /** Positions sort as text in the order of the list. A position begins with the entry's `createdAt`. */
  readonly position: string;
}

/** A part of a partner's list. */
export interface CreatedRange {
  readonly partnerId: string;
  /** The position after which it begins. A moment comes before every entry of that moment. */
  readonly after: string;
  /** The moment before which it ends. */
  readonly before: Instant;
}

/** The terminal of a session. */
export const sessionRecord = z.object({
  terminalId: z.string(),
  /** When the payment was requested there. A purge leaves a younger entry, whose commit may still come. */
  createdAt: instant,
});
export interface Session extends RecordOf<typeof sessionRecord> {}
export interface StoredSession extends Session {
  readonly etag: string;
}

/** The columns of a session's row. */
export const sessionColumns = (session: Session): Columns => toColumns(session);

/** The sessions and the lists of the partners' payments in the table `Sessions`, one partition for each partner. */
export const sessionsTable = (rows: Rows) => ({
  /** The terminal at which the session was requested last. Its payment may never exist. */
  async find({ partnerId, sessionId }: SessionName): Promise<StoredSession | undefined> {
    const row = await rows.get(sessionsPartition(partnerId), sessionRow(sessionId));
    return row && { ...fromRow(row, sessionRecord), etag: row.etag };
  },
  /**
   * Enters a new payment before its commit: the terminal of its session, and its place in the partner's list. Throws `Conflict` if the
   * session changed since it was read, or the key was bound since it was read.
   *
   * @param read the session as it was read; undefined for a new one
   * @param key the `Idempotency-Key` that the request binds
   */
  async enter(created: CreatedPayment, read: StoredSession | undefined, key?: KeyEntry): Promise<void> {
    const { partnerId, sessionId, terminalId, createdAt } = created;
    const session = { rowKey: sessionRow(sessionId), columns: sessionColumns({ terminalId, createdAt }) };
    const written: Operation = read ? { kind: "replace", ...session, etag: read.etag } : { kind: "insert", ...session };
    const bound = key ? keyOperations(key) : [];
    await rows.submit(sessionsPartition(partnerId), [written, listing(created), ...bound]);
  },
  /** Writes the payment's place in the list again. */
  async enterAgain(created: CreatedPayment): Promise<void> {
    await rows.submit(sessionsPartition(created.partnerId), [listing(created)]);
  },
  /** Removes the session's entry. Throws `Conflict` if it changed since it was read. */
  async remove({ partnerId, sessionId }: SessionName, read: StoredSession): Promise<void> {
    await rows.remove(sessionsPartition(partnerId), sessionRow(sessionId), read.etag);
  },
  /**
   * Removes a payment's place in the list. Returns the number of removed rows: 1, or 0 if there was none. Throws `Conflict` if it is
   * written meanwhile.
   */
  async withdraw(created: CreatedPayment): Promise<number> {
    const [partition, rowKey] = [sessionsPartition(created.partnerId), createdRow(created)];
    const row = await rows.get(partition, rowKey);
    if (row) await rows.remove(partition, rowKey, row.etag);
    return row ? 1 : 0;
  },
  /** The first `atMost` entries of the range of a partner's list, 1 to 1000. Returns fewer only if the range has no more. */
  async list({ partnerId, after, before }: CreatedRange, atMost: number): Promise<ListedPayment[]> {
    const position = { prefix: CREATED_PREFIX, rowKey: CREATED_PREFIX + after, before: CREATED_PREFIX + before };
    return (await rows.after(sessionsPartition(partnerId), position, atMost)).map(toListed);
  },
});

/**
 * Each session's terminal, and every partner's payments in the order in which they were created: by `createdAt`, then by session. Both are
 * written before the payment's commit, so the payment may never exist. The reader therefore looks at the payment itself.
 */
export type Sessions = ReturnType<typeof sessionsTable>;

type SessionName = Pick<CreatedPayment, "partnerId" | "sessionId">;

const listing = (created: CreatedPayment): Operation => ({
  kind: "overwrite",
  rowKey: createdRow(created),
  columns: toColumns(created),
});

const toListed = (row: Row): ListedPayment => ({
  ...fromRow(row, createdPaymentRecord),
  position: row.rowKey.slice(CREATED_PREFIX.length),
});
