import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";
import { tableClient } from "../../shared/adapters/tables/azure-tables.ts";
import { tableNames } from "../../shared/stores/table-names.ts";
import type { Table } from "../../shared/stores/stores.ts";

/** The number of rows of each table. */
export async function countRows({ tables }: StackFile): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of Object.keys(tableNames) as Table[]) {
    const rows = tableClient(tables, table).listEntities({ queryOptions: { select: ["partitionKey"] } });
    counts[table] = 0;
    for await (const _ of rows) counts[table]++;
  }
  return counts;
}

/** The differences between two counts. */
export const differences = (
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): readonly string[] =>
  Object.entries(after).flatMap(([table, count]) =>
    count === before[table] ? [] : [`${table}: ${before[table]} rows before, ${count} after`],
  );
