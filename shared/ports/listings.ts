import { z } from "zod";
import type { RecordOf } from "../domain/record.ts";
import { instant, type Day, type Instant } from "../domain/time.ts";
import { subjectRecord, type Subject } from "./subjects.ts";

/** A subject as the list of open ones has it. */
export const openEntryRecord = z.object({
  subject: subjectRecord,
  /** When it was entered last, by the clock of who entered it. */
  enteredAt: instant,
});
export interface OpenEntry extends RecordOf<typeof openEntryRecord> {
  readonly etag: string;
}

/** A subject under a day. */
export const dayEntryRecord = openEntryRecord.pick({ subject: true });

/** How a subject is listed before something of it is committed. */
export interface Entering {
  readonly day: Day;
  /** As open, too: what is committed leaves something to be done. */
  readonly isOpen: boolean;
  readonly at: Instant;
}

/**
 * What there is, listed so that nobody has to look through everything: the subjects of each day, for good, and those that are open. An
 * entry is written before its subject's commit, and may therefore be of a subject that never came to be.
 */
export interface Listings {
  /**
   * Enters the subject, and gives the ETag of its entry as open, where it is one. An entry as open that is there is written anew, so that
   * who would remove it as it was fails.
   */
  enter(subject: Subject, entering: Entering): Promise<string | undefined>;
  findOpen(subject: Subject): Promise<OpenEntry | undefined>;
  /** Removes an entry as open. Throws `Conflict` when it was entered again since it was read. */
  leaveOpen(entry: Pick<OpenEntry, "subject" | "etag">): Promise<void>;
  /** Every open subject, or those of one kind. */
  listOpen(kind?: Subject["kind"]): Promise<OpenEntry[]>;
  /** The subjects of one kind that something was committed of on that day. */
  ofDay(day: Day, kind: Subject["kind"]): Promise<Subject[]>;
}
