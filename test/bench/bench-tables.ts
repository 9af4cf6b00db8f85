import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTables, tablesConnection } from "../../packages/workbench/stack/azurite.ts";
import { freePort } from "../../packages/local-azure/common/free-ports.ts";
import { createTables } from "../../infra/operator/common/create-tables.ts";

/** Runs the work on its own Azurite with the platform's tables, empty. Ends it even if the work fails. */
export async function onTables<T>(work: (connection: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "bench-tables-"));
  try {
    const port = await freePort();
    const azurite = await startTables(port, join(directory, "tables.log"));
    try {
      const connection = tablesConnection(port);
      await createTables(connection);
      return await work(connection);
    } finally {
      await azurite.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
