import { monthOf, monthsBetween } from "../domain/time.ts";
import {
  createdPaymentRecord,
  type CreatedPayment,
  type CreatedPayments,
  type ListedPayment,
} from "../ports/created-payments.ts";
import { CREATED_PREFIX, createdPartition, createdRow } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Row, Rows } from "./rows.ts";

/**
 * The lists of the partners' payments in the table `Listings`. The payments of one partner and month are one partition, so that a page is read
 * by its range of keys.
 */
export const createdPaymentsTable = (rows: Rows): CreatedPayments => ({
  async enter(entry) {
    const columns = toColumns(entry);
    await rows.submit(partitionOf(entry), [{ kind: "overwrite", rowKey: createdRow(entry), columns }]);
  },
  async withdraw(entry) {
    const [partition, rowKey] = [partitionOf(entry), createdRow(entry)];
    const row = await rows.get(partition, rowKey);
    if (row) await rows.remove(partition, rowKey, row.etag);
    return row ? 1 : 0;
  },
  async list({ partnerId, after, before }, atMost) {
    const position = { prefix: CREATED_PREFIX, rowKey: CREATED_PREFIX + after, before: CREATED_PREFIX + before };
    const found: Row[] = [];
    for (const month of monthsBetween(after, before)) {
      found.push(...(await rows.after(createdPartition(partnerId, month), position, atMost - found.length)));
      if (found.length === atMost) break;
    }
    return found.map(toListed);
  },
});

const partitionOf = ({ partnerId, createdAt }: CreatedPayment): string =>
  createdPartition(partnerId, monthOf(createdAt));

const toListed = (row: Row): ListedPayment => ({
  ...fromRow(row, createdPaymentRecord),
  position: row.rowKey.slice(CREATED_PREFIX.length),
});
