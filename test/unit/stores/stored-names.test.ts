import { expect, it } from "vitest";
import { queueOf, retryQueueOf } from "../../../shared/ports/queues.ts";
import { tableNames } from "../../../shared/stores/table-names.ts";
import { namesIn } from "../../support/names-in.ts";
import { records } from "./records.ts";
import { rowKeys } from "./row-keys.ts";

/** Each name in rows and messages, by its place: a table, a queue, a key, a record's members and values. */
const stored: Readonly<Record<string, readonly string[]>> = {
  tables: Object.values(tableNames),
  queues: [...Object.values(queueOf), ...Object.values(retryQueueOf)],
  keys: rowKeys(),
  ...Object.fromEntries(Object.entries(records).map(([name, { schema }]) => [name, namesIn(schema)])),
};

it("changes no stored name unnoticed: docs/releases.md says which may change", async () => {
  const lines = Object.entries(stored).flatMap(([of, names]) => [
    of,
    ...[...new Set(names)].toSorted().map((name) => `  ${name}`),
  ]);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("stored-names.txt");
});
