import { dayEntryRecord, openEntryRecord, type Listings, type OpenEntry } from "../ports/listings.ts";
import {
  dayListPartition,
  listingPrefix,
  listingRow,
  listingShardOf,
  listingShards,
  openListPartition,
} from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Row, Rows } from "./rows.ts";

/** Lists of subjects in the table `Listings`, each spread over a fixed number of partitions. */
export function listingsTable(rows: Rows): Listings {
  const write = (partition: string, rowKey: string, record: unknown) =>
    rows.submit(partition, [{ kind: "overwrite", rowKey, columns: toColumns(record) }]);
  const readAll = async (partitionOf: (shard: number) => string, prefix: string) =>
    (await Promise.all(listingShards.map((shard) => rows.withPrefix(partitionOf(shard), prefix)))).flat();
  return {
    async enter(subject, { day, isOpen, at }) {
      const [rowKey, shard] = [listingRow(subject), listingShardOf(subject)];
      await Promise.all([
        write(dayListPartition(day, shard), rowKey, { subject }),
        isOpen && write(openListPartition(shard), rowKey, { subject, enteredAt: at }),
      ]);
    },
    async findOpen(subject) {
      const row = await rows.get(openListPartition(listingShardOf(subject)), listingRow(subject));
      return row && toEntry(row);
    },
    async leaveOpen({ subject, etag }) {
      await rows.remove(openListPartition(listingShardOf(subject)), listingRow(subject), etag);
    },
    async open(kind) {
      return (await readAll(openListPartition, kind === undefined ? "" : listingPrefix(kind))).map(toEntry);
    },
    async ofDay(day, kind) {
      const found = await readAll((shard) => dayListPartition(day, shard), listingPrefix(kind));
      return found.map((row) => fromRow(row, dayEntryRecord).subject);
    },
  };
}

const toEntry = (row: Row): OpenEntry => ({ ...fromRow(row, openEntryRecord), etag: row.etag });
