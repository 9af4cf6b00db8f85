import { dayEntryRecord, openEntryRecord, type Listings, type OpenEntry } from "../ports/listings.ts";
import {
  dayListPrefix,
  dayListRow,
  listingShardOf,
  listingShards,
  listPartition,
  openListPrefix,
  openListRow,
} from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Row, Rows } from "./rows.ts";

/**
 * Lists of subjects in the table `Listings`, spread over a fixed number of partitions. All entries of a subject are in one partition, and
 * are written in one group.
 */
export function listingsTable(rows: Rows): Listings {
  const readAll = async (prefix: string) =>
    (await Promise.all(listingShards.map((shard) => rows.withPrefix(listPartition(shard), prefix)))).flat();
  return {
    async enter(subject, { day, isOpen, at }) {
      const columns = toColumns({ subject, enteredAt: at });
      const [, etag] = await rows.submit(listPartition(listingShardOf(subject)), [
        { kind: "overwrite", rowKey: dayListRow(day, subject), columns },
        ...(isOpen ? [{ kind: "overwrite", rowKey: openListRow(subject), columns } as const] : []),
      ]);
      return etag;
    },
    async findOpen(subject) {
      const row = await rows.get(listPartition(listingShardOf(subject)), openListRow(subject));
      return row && toEntry(row);
    },
    async leaveOpen({ subject, etag }) {
      await rows.remove(listPartition(listingShardOf(subject)), openListRow(subject), etag);
    },
    async listOpen(kind) {
      return (await readAll(openListPrefix(kind))).map(toEntry);
    },
    async ofDay(day, kind) {
      return (await readAll(dayListPrefix(day, kind))).map((row) => fromRow(row, dayEntryRecord).subject);
    },
  };
}

const toEntry = (row: Row): OpenEntry => ({ ...fromRow(row, openEntryRecord), etag: row.etag });
