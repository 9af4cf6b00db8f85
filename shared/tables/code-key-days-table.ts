import { codeKeyDayRecord, type CodeKeyDays } from "../ports/code-key-days.ts";
import { Conflict } from "../ports/failures.ts";
import { CODE_KEY_PREFIX, codeKeyDayRow, CODE_KEYS_PARTITION } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Rows } from "./rows.ts";

/** The days of the code keys, in one partition of the table `AccessTokens`. A process writes each row once: it remembers its latest. */
export function codeKeyDaysTable(rows: Rows): CodeKeyDays {
  let latest = "";
  return {
    async note({ codeKeyId, day }) {
      const rowKey = codeKeyDayRow(codeKeyId, day);
      if (rowKey === latest) return;
      try {
        await rows.submit(CODE_KEYS_PARTITION, [{ kind: "insert", rowKey, columns: toColumns({ codeKeyId, day }) }]);
      } catch (error) {
        if (!(error instanceof Conflict)) throw error; // another process noted it
      }
      latest = rowKey;
    },
    async all() {
      const found = await rows.withPrefix(CODE_KEYS_PARTITION, CODE_KEY_PREFIX);
      return found.map((row) => fromRow(row, codeKeyDayRecord));
    },
  };
}
