import { z } from "zod";
import { orderHolderRecord, type OrderHolder, type Orders } from "../ports/orders.ts";
import { ORDER_ROW, orderPartition } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Rows } from "./rows.ts";

const orderRecord = z.object({ holders: z.array(orderHolderRecord) });

/** Which sessions hold an order, in the table `Orders`, one partition an order. */
export function ordersTable(rows: Rows): Orders {
  return {
    async find(key) {
      const row = await rows.get(orderPartition(key), ORDER_ROW);
      return row && { ...fromRow(row, orderRecord), etag: row.etag };
    },
    async save(key, holders, read) {
      const partition = orderPartition(key);
      const columns = toColumns({ holders } satisfies { holders: readonly OrderHolder[] });
      if (!read) return rows.submit(partition, [{ kind: "insert", rowKey: ORDER_ROW, columns }]);
      if (holders.length === 0) return rows.remove(partition, ORDER_ROW, read.etag);
      return rows.submit(partition, [{ kind: "replace", rowKey: ORDER_ROW, columns, etag: read.etag }]);
    },
  };
}
