import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTables, tablesConnection } from "../../infra/local/azurite.ts";
import { freePort } from "../../infra/local/common/free-ports.ts";
import { createTables } from "../../shared/tables/create-tables.ts";

/** The address of an Azurite with the platform's tables, empty. */
export interface BenchTables {
  readonly port: number;
  readonly connection: string;
}

/** Runs the work on its own Azurite, and ends it also where the work fails. */
export async function onTables<T>(work: (tables: BenchTables) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "bench-tables-"));
  try {
    const port = await freePort();
    const azurite = await startTables(port, join(directory, "tables.log"));
    try {
      const connection = tablesConnection(port);
      await createTables(connection);
      return await work({ port, connection });
    } finally {
      await azurite.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
