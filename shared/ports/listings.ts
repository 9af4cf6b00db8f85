import { z } from "zod";
import type { RecordOf } from "../domain/record.ts";
import { instant, type Day, type Instant } from "../domain/time.ts";
import { subjectRecord, type Subject } from "./subjects.ts";

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
 * Lists of subjects, so that no reader has to scan whole tables: the subjects of each day, kept as long as they are, and the open subjects. An entry
 * is written before its subject's commit, so an entry may name a subject that never comes to be.
 */
export interface Listings {
  /**
   * Enters the subject. Returns the ETag of its entry as open, or undefined where it is not entered as open. An entry as open that exists
   * is written again, so that a removal with the old ETag fails.
   */
  enter(subject: Subject, entering: Entering): Promise<string | undefined>;
  findOpen(subject: Subject): Promise<OpenEntry | undefined>;
  /** Removes an entry as open. Throws `Conflict` when the subject was entered again since the entry was read. */
  leaveOpen(entry: Pick<OpenEntry, "subject" | "etag">): Promise<void>;
  /** Every open subject, or the open subjects of one kind. */
  listOpen(kind?: Subject["kind"]): Promise<OpenEntry[]>;
  /** The subjects of one kind of which something was committed on that day. */
  ofDay(day: Day, kind: Subject["kind"]): Promise<Subject[]>;
}
