import { expect, it } from "vitest";
import { fromLine, toLine } from "../../../infra/operator/backup/exported-row.ts";
import { newestVersion } from "../../../shared/ports/stored-forms.ts";
import { toColumns } from "../../../shared/stores/record.ts";
import { nasty } from "./a-restorable.ts";

it.each([newestVersion - 1, newestVersion, newestVersion + 1])(
  "a row of version %i keeps its version in an export, whichever release imports it",
  (v) => {
    const row = { partitionKey: "p", rowKey: "r", columns: { ...toColumns({ due: "today" }, { status: "open" }), v } };
    const line = toLine(row);
    expect(JSON.parse(line)).toMatchObject({ columns: { status: "open", v }, record: { due: "today" } });
    expect(fromLine(line)).toEqual(row);
  },
);

it.each([
  ["a record", toColumns({ text: nasty }, { note: nasty })],
  ["columns without a record", { note: nasty }],
  ["a record that is damaged", { data0: `{"text":"${nasty}`, v: newestVersion }],
  [
    "a record with raw characters, as an earlier release wrote it",
    { data0: '{"text":"\u0085\u2028"}', v: newestVersion },
  ],
])("no reader finds a line end in the line of %s, and the row reads back", (_, columns) => {
  const row = { partitionKey: "p", rowKey: "r", columns };
  const line = toLine(row);
  expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
  expect(fromLine(line)).toEqual(row);
});
