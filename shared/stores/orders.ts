import { type Holders, orderHolderRecord } from "../domain/payment/requests/duplicate.ts";
import type { OrderKey } from "../domain/payment/record/order.ts";
import * as z from "zod";
import { orderPartition, orderRow } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Rows } from "../ports/rows.ts";

export interface StoredOrder {
  /** The sessions that were requested for the order. Each is checked against its payment's state, and never trusted. */
  readonly holders: Holders;
  readonly etag: string;
}

const orderRecord = z.object({ holders: z.array(orderHolderRecord) });

/** The sessions of each order, in the table `Orders`: one partition for a reference, one row for an amount. */
export function ordersTable(rows: Rows) {
  return {
    async find(key: OrderKey): Promise<StoredOrder | undefined> {
      const row = await rows.get(orderPartition(key), orderRow(key));
      return row && { ...fromRow(row, orderRecord), etag: row.etag };
    },
    /**
     * Replaces the list. An empty list is kept, so that a slow write that read no list fails. Throws `Conflict` if the list changed since
     * it was read.
     */
    async save(key: OrderKey, holders: Holders, read: StoredOrder | undefined): Promise<void> {
      const [partition, rowKey] = [orderPartition(key), orderRow(key)];
      const columns = toColumns({ holders } satisfies { holders: Holders });
      if (!read) await rows.submit(partition, [{ kind: "insert", rowKey, columns }]);
      else await rows.submit(partition, [{ kind: "replace", rowKey, columns, etag: read.etag }]);
    },
  };
}

export type Orders = ReturnType<typeof ordersTable>;
