import { z } from "zod";
import type { RecordOf } from "../domain/record.ts";
import { day } from "../domain/time.ts";

/** A UTC day on which one of the platform's keys made a code. */
export const codeKeyDayRecord = z.object({ codeKeyId: z.string(), day });
export interface CodeKeyDay extends RecordOf<typeof codeKeyDayRecord> {}

/** The last UTC day on which a code of the key may be good, where an operator extended a token's validity to it. */
export const codeKeyExtensionRecord = z.object({ codeKeyId: z.string(), until: day });
export interface CodeKeyExtension extends RecordOf<typeof codeKeyExtensionRecord> {}

/** The days on which each code key was used, so that an operator sees without a scan until when a key must stay. */
export interface CodeKeyDays {
  /** Returns once the day is stored. A day that is stored already is no error. */
  note(used: CodeKeyDay): Promise<void>;
  /** Every noted day, of all keys. */
  all(): Promise<CodeKeyDay[]>;
  /** Returns once it is stored. One that is stored already is no error. */
  noteExtension(extended: CodeKeyExtension): Promise<void>;
  /** Every noted extension, of all keys. */
  extensions(): Promise<CodeKeyExtension[]>;
}
