import { codeKeyDayRecord, codeKeyExtensionRecord, type CodeKeyDays } from "../ports/code-key-days.ts";
import { Conflict } from "../ports/failures.ts";
import {
  CODE_EXTENSION_PREFIX,
  CODE_KEY_PREFIX,
  CODE_KEYS_PARTITION,
  codeExtensionRow,
  codeKeyDayRow,
} from "./token-keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Columns, Rows } from "./rows.ts";

/** The days of the code keys, in one partition of the table `AccessTokens`. A process writes each row once: it remembers its latest. */
export function codeKeyDaysTable(rows: Rows): CodeKeyDays {
  let latest = "";
  const insert = async (rowKey: string, columns: Columns): Promise<void> => {
    try {
      await rows.submit(CODE_KEYS_PARTITION, [{ kind: "insert", rowKey, columns }]);
    } catch (error) {
      if (!(error instanceof Conflict)) throw error; // it is stored already
    }
  };
  return {
    async note({ codeKeyId, day }) {
      const rowKey = codeKeyDayRow(codeKeyId, day);
      if (rowKey === latest) return;
      await insert(rowKey, toColumns({ codeKeyId, day }));
      latest = rowKey;
    },
    async all() {
      const found = await rows.withPrefix(CODE_KEYS_PARTITION, CODE_KEY_PREFIX);
      return found.map((row) => fromRow(row, codeKeyDayRecord));
    },
    async noteExtension({ codeKeyId, until }) {
      await insert(codeExtensionRow(codeKeyId, until), toColumns({ codeKeyId, until }));
    },
    async extensions() {
      const found = await rows.withPrefix(CODE_KEYS_PARTITION, CODE_EXTENSION_PREFIX);
      return found.map((row) => fromRow(row, codeKeyExtensionRecord));
    },
  };
}
