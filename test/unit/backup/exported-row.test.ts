import { expect, it } from "vitest";
import { fromLine, toLine } from "../../../infra/operator/backup/exported-row.ts";
import { newestVersion } from "../../../shared/ports/stored-forms.ts";
import { toColumns } from "../../../shared/stores/record.ts";

it.each([newestVersion - 1, newestVersion, newestVersion + 1])(
  "a row of version %i keeps its version in an export, whichever release imports it",
  (v) => {
    const row = { partitionKey: "p", rowKey: "r", columns: { ...toColumns({ due: "today" }, { status: "open" }), v } };
    const line = toLine(row);
    expect(JSON.parse(line)).toMatchObject({ columns: { status: "open", v }, record: { due: "today" } });
    expect(fromLine(line)).toEqual(row);
  },
);
