import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { repair } from "../../../shared/use-cases/operator/repair/repair.ts";
import { operatorCall, withPlatform } from "../../../infra/operator/common/platform.ts";
import { tablesConnection } from "./azurite.ts";
import type { Dependencies } from "./ports.ts";
import { serviceBusConnection } from "./processes.ts";
import type { DemoTerminal } from "../../../infra/operator/common/seed.ts";
import { diskMemory } from "../../terminal/simulated/disk-memory.ts";
import { volatileMemory, type MemoryStore } from "../../terminal/simulated/memory.ts";

/** The files of a folder of kept data, and its folder for the terminals' memories. */
export const keptFiles = (folder: string) => ({
  tables: join(folder, "tables.jsonl"),
  mails: join(folder, "mails.jsonl"),
  terminals: join(folder, "terminals"),
});

/** Creates the folder of kept data if there is none. With `fresh`, its data are removed first. */
export async function openKept(folder: string, { fresh }: { readonly fresh: boolean }): Promise<void> {
  if (fresh)
    await Promise.all(Object.values(keptFiles(folder)).map((file) => rm(file, { force: true, recursive: true })));
  await mkdir(folder, { recursive: true });
}

/** Whether a stack has kept data in the folder. */
export const hasKept = (folder: string): boolean => existsSync(keptFiles(folder).tables);

/** The memory of a simulated terminal. It is in the folder of kept data. Without a folder it is lost with this process. */
export const terminalMemory = (folder: string | undefined, { pointOfServiceID }: DemoTerminal): MemoryStore =>
  folder === undefined ? volatileMemory() : diskMemory(join(keptFiles(folder).terminals, pointOfServiceID));

/**
 * Announces every effect of the kept data that is not carried out, including future deadlines, because the queues begin empty. Resolves
 * with the number of effects. Rejects with `Unavailable`.
 */
export async function announceKept({ tables, serviceBus }: Dependencies): Promise<number> {
  const connections = { tables: tablesConnection(tables), serviceBus: serviceBusConnection(serviceBus) };
  const { announced } = await withPlatform(connections, (platform) =>
    repair(platform, operatorCall(), { all: true, dryRun: false }),
  );
  return announced.length;
}
