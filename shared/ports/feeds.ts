import { z } from "zod";
import type { RecordOf } from "../domain/record.ts";
import { instant } from "../domain/time.ts";
import { subjectRecord, type PartnerSubject } from "./subjects.ts";

/**
 * Where a partner's feed begins and ends. Every group of events replaces it on its ETag, so the numbers have the order in which the groups
 * were committed, without a gap.
 */
export const feedHeadRecord = z.object({
  /** The number of the oldest event that is kept; `last + 1` where none is. */
  first: z.int(),
  /** The number of the newest event. The first event of a feed has 1. */
  last: z.int(),
  /** Numbers that no event has, from `after + 1` to `to`: a restored feed leaves out those that it may have given since its export. */
  gaps: z.array(z.object({ after: z.int(), to: z.int() })),
});
export interface FeedHead extends RecordOf<typeof feedHeadRecord> {}
export interface StoredHead extends FeedHead {
  readonly etag: string;
}

/** How far the events of one subject are in the feed. It is stored while one of them is. */
export const feedMarkRecord = z.object({
  /** The sequence of the subject's newest event in the feed. No event of it up to this sequence is entered again. */
  sequence: z.int(),
  /** The number of that event. */
  number: z.int(),
});
export interface FeedMark extends RecordOf<typeof feedMarkRecord> {}
export interface StoredMark extends FeedMark {
  readonly etag: string;
}

export const feedEventRecord = z.object({
  number: z.int(),
  /** The body of its webhook, byte for byte. */
  body: z.string(),
  subject: subjectRecord,
  /** Its age is counted from here. */
  enteredAt: instant,
});
export interface FeedEvent extends RecordOf<typeof feedEventRecord> {}

/** The next events of one subject, in their order, with its mark as it was read. */
export interface SubjectEvents {
  readonly subject: PartnerSubject;
  readonly mark: StoredMark | undefined;
  readonly bodies: readonly string[];
  /** The sequence of the last of them. */
  readonly sequence: number;
}

/** The most events and marks of one group, and the most characters of its bodies: less than what Table Storage takes. */
export const feedGroup = { rows: 98, characters: 1_000_000 } as const;

/** The events of each partner in one order, as they were or will be sent as webhooks. Methods throw `Unavailable`. */
export interface Feeds {
  /** Undefined for a partner without events. */
  head(partnerId: string): Promise<StoredHead | undefined>;
  mark(subject: PartnerSubject): Promise<StoredMark | undefined>;
  /**
   * Adds events at the end of the feed, and moves the marks, all or none of it. Throws `Conflict` where the head or a mark changed since it
   * was read. At most as many as `feedGroup` says.
   */
  enter(
    partnerId: string,
    head: StoredHead | undefined,
    entered: { readonly subjects: readonly SubjectEvents[]; readonly at: string },
  ): Promise<void>;
  /** The events with a number above this one, in their order. There may be a gap before or between them. */
  after(partnerId: string, number: number, atMost: number): Promise<FeedEvent[]>;
}
