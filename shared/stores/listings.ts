import * as z from "zod";
import type { RecordOf } from "../domain/record.ts";
import { instant, type Day, type Instant } from "../domain/time.ts";
import { subjectRecord, type Subject } from "../ports/subjects.ts";
import {
  dayListPrefix,
  dayListRow,
  listingShardOf,
  listingShards,
  listPartition,
  openListPrefix,
  openListRow,
  paymentsOfDayPrefix,
} from "./subject-rows.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Row, Rows } from "../ports/rows.ts";

/** A subject as the list of open subjects holds it. */
export const openEntryRecord = z.object({
  subject: subjectRecord,
  /** When it was last entered, by the clock of the process that entered it. */
  enteredAt: instant,
});
export interface OpenEntry extends RecordOf<typeof openEntryRecord> {
  readonly etag: string;
}

/** A subject under a day. */
export const dayEntryRecord = openEntryRecord.pick({ subject: true });

/** How a subject is listed before a change of it is committed. */
export interface Entering {
  readonly day: Day;
  /** Also enters it as open: the commit will have effects to carry out. */
  readonly isOpen: boolean;
  readonly at: Instant;
}

/**
 * Lists of subjects in the table `Listings`, spread over a fixed number of partitions. All entries of a subject are in one partition, and
 * are written in one group.
 */
export function listingsTable(rows: Rows) {
  const readAll = async (prefix: string) =>
    (await Promise.all(listingShards.map((shard) => rows.withPrefix(listPartition(shard), prefix)))).flat();
  return {
    /**
     * Enters the subject. Returns the ETag of its entry as open, or undefined if it is not entered as open. If it has an entry as open,
     * that entry is written again, so that a removal with the old ETag fails.
     */
    async enter(subject: Subject, { day, isOpen, at }: Entering): Promise<string | undefined> {
      const columns = toColumns({ subject, enteredAt: at });
      const [, etag] = await rows.submit(listPartition(listingShardOf(subject)), [
        { kind: "overwrite", rowKey: dayListRow(day, subject), columns },
        ...(isOpen ? [{ kind: "overwrite", rowKey: openListRow(subject), columns } as const] : []),
      ]);
      return etag;
    },
    async findOpen(subject: Subject): Promise<OpenEntry | undefined> {
      const row = await rows.get(listPartition(listingShardOf(subject)), openListRow(subject));
      return row && toEntry(row);
    },
    /** Removes an entry as open. Throws `Conflict` if the subject was entered again since the entry was read. */
    async leaveOpen({ subject, etag }: Pick<OpenEntry, "subject" | "etag">): Promise<void> {
      await rows.remove(listPartition(listingShardOf(subject)), openListRow(subject), etag);
    },
    /** Every open subject, or the open subjects of one kind. */
    async listOpen(kind?: Subject["kind"]): Promise<OpenEntry[]> {
      return (await readAll(openListPrefix(kind))).map(toEntry);
    },
    /** The subjects of one kind that had a commit on that day. */
    async ofDay(day: Day, kind: Subject["kind"]): Promise<Subject[]> {
      return (await readAll(dayListPrefix(day, kind))).map(subjectIn);
    },
    /** The payments of one partner that had a commit on that day. Reads no entry of another partner. */
    async paymentsOfDay(day: Day, partnerId: string): Promise<Extract<Subject, { readonly kind: "payment" }>[]> {
      const subjects = (await readAll(paymentsOfDayPrefix(day, partnerId))).map(subjectIn);
      return subjects.filter((subject) => subject.kind === "payment");
    },
  };
}

/**
 * Lists of subjects, so that no reader has to scan whole tables. There are the open subjects, and the subjects of each day, which are kept
 * as long as the subjects themselves. An entry is written before its subject's commit, so its subject may never exist.
 */
export type Listings = ReturnType<typeof listingsTable>;

const subjectIn = (row: Row): Subject => fromRow(row, dayEntryRecord).subject;

const toEntry = (row: Row): OpenEntry => ({ ...fromRow(row, openEntryRecord), etag: row.etag });
