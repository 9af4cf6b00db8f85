import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startTables } from "../../packages/workbench/stack/azurite.ts";
import { freePort } from "../../packages/local-azure/common/free-ports.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The port of the Azurite for tests of tables. */
    readonly azurite: number;
  }
}

/** Starts one Azurite for all test files of a project, because a start takes longer than most of their tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "azurite-"));
  const port = await freePort();
  const azurite = await startTables(port, join(directory, "azurite.log"));
  project.provide("azurite", port);
  return async () => {
    await azurite.stop();
    await rm(directory, { recursive: true, force: true });
  };
}
