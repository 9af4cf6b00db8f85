import * as z from "zod";
import type { RecordOf } from "../domain/record.ts";
import { day } from "../domain/time.ts";
import { Conflict } from "../ports/failures.ts";
import {
  CODE_EXTENSION_PREFIX,
  CODE_KEY_PREFIX,
  CODE_KEYS_PARTITION,
  codeExtensionRow,
  codeKeyDayRow,
} from "./token-keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Columns, Rows } from "../ports/rows.ts";

/** A UTC day on which one of the platform's keys made a code. */
export const codeKeyDayRecord = z.object({ codeKeyId: z.string(), day });
export interface CodeKeyDay extends RecordOf<typeof codeKeyDayRecord> {}

/** The last UTC day on which a code of the key may be good, if an operator extended a token's validity to it. */
export const codeKeyExtensionRecord = z.object({ codeKeyId: z.string(), until: day });
export interface CodeKeyExtension extends RecordOf<typeof codeKeyExtensionRecord> {}

/**
 * The days of the code keys, in one partition of the table `AccessTokens`. A process remembers its latest row, so that it writes each row
 * once.
 */
export function codeKeyDaysTable(rows: Rows) {
  let latest = "";
  const insert = async (rowKey: string, columns: Columns): Promise<void> => {
    try {
      await rows.submit(CODE_KEYS_PARTITION, [{ kind: "insert", rowKey, columns }]);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error; // it is stored already
    }
  };
  return {
    /** Returns once the day is stored. A day that is stored already is not an error. */
    async note(used: CodeKeyDay): Promise<void> {
      const { codeKeyId, day } = used;

      const rowKey = codeKeyDayRow(codeKeyId, day);
      if (rowKey === latest) return;
      await insert(rowKey, toColumns({ codeKeyId, day }));
      latest = rowKey;
    },
    /** Every noted day, of all keys. */
    async all(): Promise<CodeKeyDay[]> {
      const found = await rows.withPrefix(CODE_KEYS_PARTITION, CODE_KEY_PREFIX);
      return found.map((row) => fromRow(row, codeKeyDayRecord));
    },
    /** Returns once it is stored. An extension that is stored already is not an error. */
    async noteExtension(extended: CodeKeyExtension): Promise<void> {
      const { codeKeyId, until } = extended;
      await insert(codeExtensionRow(codeKeyId, until), toColumns({ codeKeyId, until }));
    },
    /** Every noted extension, of all keys. */
    async extensions(): Promise<CodeKeyExtension[]> {
      const found = await rows.withPrefix(CODE_KEYS_PARTITION, CODE_EXTENSION_PREFIX);
      return found.map((row) => fromRow(row, codeKeyExtensionRecord));
    },
  };
}

/** The days on which each code key was used. They show an operator, without a scan, until when a key must stay. */
export type CodeKeyDays = ReturnType<typeof codeKeyDaysTable>;
