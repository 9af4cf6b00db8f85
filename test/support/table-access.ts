import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";
import { azureRows } from "../../shared/adapters/tables/azure-rows.ts";
import type { Rows } from "../../shared/ports/rows.ts";
import { tableClient } from "../../shared/adapters/tables/azure-tables.ts";
import type { Table } from "../../shared/stores/stores.ts";

/** A table of a running stack, for operator actions that no API offers. */
export const rowsOf = ({ tables }: StackFile, name: Table) => azureRows(tableClient(tables, name));

/** Makes a row unreadable. The returned function restores it. */
export async function spoil(rows: Rows, partitionKey: string, rowKey: string): Promise<() => Promise<void>> {
  const row = await rows.get(partitionKey, rowKey);
  if (!row) throw new Error(`there is no row ${rowKey}`);
  const { columns } = row;
  const write = async (data0: string): Promise<void> => {
    await rows.submit(partitionKey, [{ kind: "overwrite", rowKey, columns: { ...columns, data0 } }]);
  };
  await write('{"of":"another making"}');
  return () => write(String(columns["data0"]));
}
