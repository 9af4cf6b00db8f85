import * as z from "zod";
import type { RecordOf } from "../domain/record.ts";
import { instant, type Instant, monthOf, monthsBetween } from "../domain/time.ts";
import { CREATED_PREFIX, createdPartition, createdRow } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Row, Rows } from "../ports/rows.ts";

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

/**
 * The lists of the partners' payments in the table `Listings`. The payments of one partner and month are one partition, so that a page is
 * read by its range of keys.
 */
export const createdPaymentsTable = (rows: Rows) => ({
  /** Writes the entry, also if it exists. */
  async enter(entry: CreatedPayment): Promise<void> {
    const columns = toColumns(entry);
    await rows.submit(partitionOf(entry), [{ kind: "overwrite", rowKey: createdRow(entry), columns }]);
  },
  /** Removes the entry. Returns the number of removed rows: 1, or 0 if there was none. Throws `Conflict` if it is written meanwhile. */
  async withdraw(entry: CreatedPayment): Promise<number> {
    const [partition, rowKey] = [partitionOf(entry), createdRow(entry)];
    const row = await rows.get(partition, rowKey);
    if (row) await rows.remove(partition, rowKey, row.etag);
    return row ? 1 : 0;
  },
  /**
   * The first `atMost` entries of the range, 1 to 1000. Returns fewer only if the range has no more. Makes a call for each month that it
   * reads.
   */
  async list(range: CreatedRange, atMost: number): Promise<ListedPayment[]> {
    const { partnerId, after, before } = range;
    const position = { prefix: CREATED_PREFIX, rowKey: CREATED_PREFIX + after, before: CREATED_PREFIX + before };
    const found: Row[] = [];
    for (const month of monthsBetween(after, before)) {
      found.push(...(await rows.after(createdPartition(partnerId, month), position, atMost - found.length)));
      if (found.length === atMost) break;
    }
    return found.map(toListed);
  },
});

/**
 * Every partner's payments in the order in which they were created: by `createdAt`, then by session. An entry is written before its
 * payment's commit, so its payment may never exist. The reader therefore looks at the payment itself.
 */
export type CreatedPayments = ReturnType<typeof createdPaymentsTable>;

const partitionOf = ({ partnerId, createdAt }: CreatedPayment): string =>
  createdPartition(partnerId, monthOf(createdAt));

const toListed = (row: Row): ListedPayment => ({
  ...fromRow(row, createdPaymentRecord),
  position: row.rowKey.slice(CREATED_PREFIX.length),
});
