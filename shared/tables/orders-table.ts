import { z } from "zod";
import { orderHolderRecord, type Holders } from "../domain/payment/requests/duplicate.ts";
import type { Orders } from "../ports/orders.ts";
import { orderPartition, orderRow } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Rows } from "./rows.ts";

const orderRecord = z.object({ holders: z.array(orderHolderRecord) });

/** The sessions of each order, in the table `Orders`: one partition for a reference, one row for an amount. */
export function ordersTable(rows: Rows): Orders {
  return {
    async find(key) {
      const row = await rows.get(orderPartition(key), orderRow(key));
      return row && { ...fromRow(row, orderRecord), etag: row.etag };
    },
    async save(key, holders, read) {
      const [partition, rowKey] = [orderPartition(key), orderRow(key)];
      const columns = toColumns({ holders } satisfies { holders: Holders });
      if (!read) await rows.submit(partition, [{ kind: "insert", rowKey, columns }]);
      else await rows.submit(partition, [{ kind: "replace", rowKey, columns, etag: read.etag }]);
    },
  };
}
