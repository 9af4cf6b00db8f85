import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTables, tablesConnection } from "../../stack/azurite.ts";
import type { PublishedRows } from "../../../local-azure/azurite/published-rows.ts";
import type { Child } from "../../stack/child.ts";
import { freePort } from "../../../local-azure/common/free-ports.ts";
import { watch } from "../../../local-azure/common/publish.ts";
import { newMirror, type Mirror } from "../../live/mirror.ts";
import { Conflict } from "../../../../shared/ports/failures.ts";
import { azureRows } from "../../../../shared/adapters/tables/azure-rows.ts";
import { tableClient } from "../../../../shared/adapters/tables/azure-tables.ts";
import type { Operation, Rows } from "../../../../shared/ports/rows.ts";
import { waitFor } from "../../../../test/support/wait-for.ts";

// Compares the content of the mirror with the tables as the product reads them over HTTP.

let directory: string;
let child: Child;
let stored: Rows;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "mirror-"));
  const port = await freePort();
  child = await startTables(port, join(directory, "azurite.log"));
  const client = tableClient(tablesConnection(port), "terminals");
  await client.createTable();
  stored = azureRows(client);
});
afterAll(async () => {
  await child.stop();
  await rm(directory, { recursive: true, force: true });
});

function watching(): Mirror {
  const mirror = newMirror(() => {});
  watch<PublishedRows>(child.channel, "rows", mirror.take);
  return mirror;
}

/** Resolves when the mirror has all rows of this partition, and fails with the difference. */
async function same({ tables }: Mirror, partition: string): Promise<void> {
  const rows = await stored.withPrefix(partition, "");
  const mirrored = () => tables.terminals.withPrefix(partition, "");
  const until = (seen: object) => isDeepStrictEqual(seen, rows);
  await waitFor("the rows", mirrored, { until, withinMs: 10_000 }).catch(() => {}); // the next line shows the difference
  expect(await mirrored()).toEqual(rows);
  for (const { rowKey } of rows)
    expect(await tables.terminals.get(partition, rowKey)).toEqual(await stored.get(partition, rowKey));
}

const insert = (rowKey: string, columns = {}): Operation => ({ kind: "insert", rowKey, columns });

it("has every row as the product reads it: alone, in groups, changed, undone, removed, and when the mirror starts late", async () => {
  const mirror = watching();
  const columns = {
    text: "å/#?'\u2028",
    none: "",
    whole: 12,
    half: 0.5,
    large: 2 ** 40,
    negative: -1,
    yes: true,
    no: false,
  };
  const [etag = ""] = await stored.submit("p", [insert("a", columns)]);
  await stored.submit("p", [
    insert("b~1", columns),
    insert("b~2"),
    { kind: "overwrite", rowKey: "c", columns: { n: 1 } },
  ]);
  await same(mirror, "p");

  await stored.submit("p", [{ kind: "replace", rowKey: "a", columns: { n: 2 }, etag }]);
  await same(mirror, "p");
  const stale: Operation = { kind: "replace", rowKey: "a", columns: { n: 3 }, etag };
  await expect(stored.submit("p", [insert("d"), stale])).rejects.toThrow(Conflict);
  await stored.submit("p", [{ kind: "discard", rowKey: "b~2" }]);
  await same(mirror, "p");
  expect((await stored.withPrefix("p", "")).map(({ rowKey }) => rowKey)).toEqual(["a", "b~1", "c"]);

  await stored.submit(
    "q",
    Array.from({ length: 100 }, (_, i) => insert(`r~${i}`, columns)),
  );
  await same(mirror, "q");
  const late = watching();
  for (const partition of ["p", "q"]) await same(late, partition);
});
