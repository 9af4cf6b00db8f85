import * as z from "zod";
import type { RecordOf } from "../record.ts";
import { after, day, instant, later, type Day, type Instant } from "../time.ts";
import type { Timings } from "../timings.ts";
import { differenceRecord, totalsRecord } from "./totals.ts";

/**
 * `open`: money was booked, and the terminal has not closed the day. `comparing`: its totals have come, and differ from the books or were
 * not compared yet. `closed`: they are equal. `differs`: they were not equal within the grace time. `missing`: no totals came by the
 * deadline.
 */
export const dayStates = ["open", "comparing", "closed", "differs", "missing"] as const;
export type DayState = (typeof dayStates)[number];

/** A terminal's closing of its business day: its totals under an identifier of its own. */
export const closingRecord = z.object({
  closingId: z.string(),
  /** The identifier as it was received. */
  idAsReceived: z.string(),
  totals: totalsRecord,
  /** The last charge that the terminal captured on that day. */
  lastChargeId: z.string().optional(),
  at: instant,
});
export interface DayClosing extends RecordOf<typeof closingRecord> {}

/** The business day of one terminal. */
export const terminalDayRecord = z.object({
  partnerId: z.string(),
  terminalId: z.string(),
  day,
  /** The terminal's identifier as it was registered. */
  terminalAsReceived: z.string(),
  status: z.enum(dayStates),
  /** The latest closing. Undefined before the first one. */
  closing: closingRecord.optional(),
  /** A difference is not final before this moment. Undefined before the first closing. */
  graceEndsAt: instant.optional(),
  /** The totals of the books as they were compared last. */
  booked: totalsRecord.optional(),
  /** How terminal and books differed in the last comparison. */
  differences: z.array(differenceRecord),
  comparedAt: instant.optional(),
  /** An operator was alerted to a difference. False again once a comparison finds terminal and books equal. */
  isAlerted: z.boolean(),
  sequence: z.int(),
  createdAt: instant,
  updatedAt: instant,
});
export interface TerminalDay extends RecordOf<typeof terminalDayRecord> {}

/** The name of a terminal's day in the identifiers of its events. */
export const nameOfDay = ({ terminalId, day: of }: Pick<TerminalDay, "terminalId" | "day">): string =>
  `${terminalId}_${of}`;

/** Whether nothing of the day is under way. Then only totals or a booking move it on. */
export const dayIsSettled = ({ status }: Pick<TerminalDay, "status">): boolean =>
  status !== "open" && status !== "comparing";

const DAY_SECONDS = 86_400;

/** When the totals of a day count as missing. This is long enough after its end in UTC for the day to end in every time zone. */
export const totalsDue = (of: Day, now: Instant, { dayTotalsSeconds, dayGraceSeconds }: Timings): Instant =>
  later(after(`${of}T00:00:00.000Z`, DAY_SECONDS + dayTotalsSeconds), after(now, dayGraceSeconds));
