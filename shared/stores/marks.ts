import * as z from "zod";
import { dayOf, type Day, type Instant } from "../domain/time.ts";
import { Conflict } from "../ports/failures.ts";
import type { Operation, Row, Rows } from "../ports/rows.ts";
import { subjectRecord, type Subject } from "../ports/subjects.ts";
import { actionPartition, partnerDayPartition, terminalPartition } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import {
  changedPrefix,
  changedRow,
  locate,
  OPEN_PREFIX,
  openCommandRow,
  openRow,
  type SubjectTables,
} from "./subject-rows.ts";
import { landingPagePartition } from "./token-keys.ts";

/** The content of a mark: the subject that it marks. */
export const markRecord = z.object({ subject: subjectRecord });

/** A partition that holds subjects and their marks. */
export type Place =
  | { readonly kind: "terminal"; readonly partnerId: string; readonly terminalId: string }
  | { readonly kind: "actionRequests"; readonly partnerId: string }
  | { readonly kind: "landingPage"; readonly landingPageId: string }
  | { readonly kind: "partnerDay"; readonly partnerId: string; readonly day: Day };

/** A subject with a mark of one day, as the mark was read. */
export interface DayMark<Kind extends Subject["kind"] = Subject["kind"]> {
  readonly subject: Extract<Subject, { readonly kind: Kind }>;
  readonly row: Pick<Row, "rowKey" | "etag">;
}

/** Finds subjects by their marks. Each method throws `Unavailable`. */
export const marksTable = (tables: SubjectTables) => ({
  /** The open subjects of the place, each once. */
  async open(place: Place): Promise<Subject[]> {
    const [rows, partition] = partitionOf(tables, place);
    const subjects = (await rows.withPrefix(partition, OPEN_PREFIX)).map(subjectIn);
    return [...new Map(subjects.map((subject) => [openRow(subject), subject])).values()];
  },
  /** The subjects of this kind that changed on that UTC day. */
  async changedOn<Kind extends Subject["kind"]>(place: Place, kind: Kind, day: Day): Promise<SubjectOf<Kind>[]> {
    const [rows, partition] = partitionOf(tables, place);
    return (await rows.withPrefix(partition, changedPrefix(kind, day))).map((row) => subjectIn(row) as SubjectOf<Kind>);
  },
  /** The first marks of the days before this one, the oldest day first, 1 to 1000. Returns fewer only if there are no more. */
  async changedBefore<Kind extends Subject["kind"]>(
    place: Place,
    kind: Kind,
    { day, after, atMost }: { readonly day: Day; readonly after: DayMark | undefined; readonly atMost: number },
  ): Promise<DayMark<Kind>[]> {
    const [rows, partition] = partitionOf(tables, place);
    const prefix = changedPrefix(kind);
    const position = { prefix, rowKey: after?.row.rowKey ?? prefix, before: changedPrefix(kind, day) };
    const found = await rows.after(partition, position, atMost);
    return found.map((row) => ({ subject: subjectIn(row) as SubjectOf<Kind>, row }));
  },
  /** Removes the mark. With a day, marks the subject under that day instead. Throws `Conflict` if the mark was written again. */
  async leave({ subject, row: { rowKey, etag } }: DayMark, day?: Day): Promise<void> {
    const [rows, partition] = locate(tables, subject);
    const moved = day === undefined ? [] : [changedMark(subject, day)];
    await rows.submit(partition, [...moved, { kind: "remove", rowKey, etag }]);
  },
});

/**
 * Marks, by which subjects are found without reading all of them. Each is a row in the partition of its subject, and is written in the
 * group of the change that it shows:
 *
 * - `open`: the subject has not ended, or a command of it is not carried out.
 * - `changed`: the subject changed on this UTC day, or a request of it can have no payment since that day.
 */
export type Marks = ReturnType<typeof marksTable>;

type SubjectOf<Kind extends Subject["kind"]> = Extract<Subject, { readonly kind: Kind }>;

function partitionOf(tables: SubjectTables, place: Place): readonly [Rows, string] {
  switch (place.kind) {
    case "terminal":
      return [tables.terminals, terminalPartition(place.terminalId)];
    case "actionRequests":
      return [tables.actionRequests, actionPartition(place.partnerId)];
    case "landingPage":
      return [tables.landingPages, landingPagePartition(place.landingPageId)];
    case "partnerDay":
      return [tables.days, partnerDayPartition(place.partnerId, place.day)];
  }
}

const subjectIn = (row: Row): Subject => fromRow(row, markRecord).subject;

/** The part of a subject's state that its marks show. */
export interface Marked {
  readonly hasEnded: boolean;
  readonly updatedAt: Instant;
}

/** The marks of a change, for its group. `before` is undefined for a new subject. */
export function marksOf(subject: Subject, before: Marked | undefined, after: Marked): Operation[] {
  const [day, rowKey] = [dayOf(after.updatedAt), openRow(subject)];
  const wasOpen = before !== undefined && !before.hasEnded;
  const marks: Operation[] = [];
  if (!before || dayOf(before.updatedAt) !== day) marks.push(changedMark(subject, day));
  if (!wasOpen && !after.hasEnded) marks.push({ kind: "overwrite", rowKey, columns: markColumns(subject) });
  if (wasOpen && after.hasEnded) marks.push({ kind: "discard", rowKey });
  return marks;
}

/** Marks the subject as changed on this UTC day. */
export const changedMark = (subject: Subject, day: Day): Operation => ({
  kind: "overwrite",
  rowKey: changedRow(subject, day),
  columns: markColumns(subject),
});

/** Marks the subject as open for a command that is not carried out. */
export const commandMark = (subject: Subject, commandId: string): Operation => ({
  kind: "insert",
  rowKey: openCommandRow(subject, commandId),
  columns: markColumns(subject),
});

export const markColumns = (subject: Subject) => toColumns({ subject });

/**
 * Submits a group that may remove marks. A mark that is missing must not stop a change, so its removal is left out then. Throws `Conflict`
 * for every other reason.
 */
export async function submitMarked(rows: Rows, partition: string, operations: readonly Operation[]): Promise<void> {
  try {
    await rows.submit(partition, operations);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const left = await Promise.all(
      operations.map(async (operation) => ((await isMissingMark(rows, partition, operation)) ? [] : [operation])),
    );
    if (left.flat().length === operations.length) throw error;
    await rows.submit(partition, left.flat());
  }
}

const isMissingMark = async (rows: Rows, partition: string, { kind, rowKey }: Operation): Promise<boolean> =>
  kind === "discard" && rowKey.startsWith(OPEN_PREFIX) && !(await rows.get(partition, rowKey));
