import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { takenPorts, takenSentences, type TakenPort } from "../../local-azure/common/free-ports.ts";
import type { StackFile } from "../stack/stack-file.ts";
import { publicPorts } from "../stack/ports.ts";
import { projectFolder, stateFolder } from "../../../infra/tools/packed.ts";
import { runsAt } from "../../../infra/tools/running-stacks.ts";
import { typed } from "../../../infra/tools/typed-command.ts";

/** Throws if a public port is taken. */
export async function assertPorts(): Promise<void> {
  const taken = await takenPorts([
    [publicPorts.gateway, "the gateway"],
    [publicPorts.reference, "the reference"],
    [publicPorts.faults, "the switch for faults"],
    [publicPorts.live, "the live page"],
    [publicPorts.landingPage, "the landing page"],
  ]);
  if (taken.length > 0) throw new Error(takenMessage(taken, await runningHere()));
}

/** A platform that runs on the public ports. */
interface Running {
  readonly folder: string;
  readonly page: string;
}

/**
 * Says where the platform already runs, or else names every taken port. Then it says what to type. `here` is this folder's platform, if it
 * runs.
 */
export function takenMessage(taken: readonly TakenPort[], here: Running | undefined): string {
  const running = here ?? runningElsewhere(taken);
  if (!running)
    return `${takenSentences(taken)}\nEnd that, or use free ports and new keys: ${typed("start", "--ports 0")}`;
  return (
    `The platform already runs: ${running.page} (from the folder ${running.folder}).\n` +
    `For another one beside it, with its own keys: ${typed("start", "--ports 0")}`
  );
}

const usualPage = `http://127.0.0.1:${publicPorts.live}/`;

async function runningHere(): Promise<Running | undefined> {
  const path = join(stateFolder, "stack.json");
  if (!(await runsAt(path))) return undefined;
  const { live } = JSON.parse(await readFile(path, "utf8")) as Pick<StackFile, "live">;
  return { folder: projectFolder, page: live ?? usualPage };
}

/** The platform of another folder, or one that is still starting. Only Linux shows it. */
function runningElsewhere(taken: readonly TakenPort[]): Running | undefined {
  const owner = taken.find(({ owner }) => owner && /\bworkbench[\\/]start\.ts\b/.test(owner.command))?.owner;
  return owner && { folder: owner.folder, page: usualPage };
}
