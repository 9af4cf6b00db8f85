import { parseArgs } from "node:util";
import { repair as mend } from "../../shared/use-cases/repair/repair.ts";
import { isConfirmed } from "./ask.ts";
import type { Subcommand } from "./subcommand.ts";
import { cloudOf } from "./connections.ts";
import { operatorCall, withPlatform } from "./platform.ts";

export const repair: Subcommand = {
  name: "repair",
  usage: "[--all] [--dry-run | --yes]",
  does: "announces again the effects that were committed and not carried out within ten minutes, after a confirmation; with --all every effect that is not carried out, future deadlines included",
  async run(args, connect) {
    const flag = { type: "boolean", default: false } as const;
    const { values } = parseArgs({ args, options: { all: flag, "dry-run": flag, yes: flag } });
    const { all, "dry-run": dryRun, yes } = values;
    const connections = await connect();
    await withPlatform(connections, async (platform) => {
      const found = await mend(platform, operatorCall(), { all, dryRun: true });
      for (const { effect, subject, commandId } of found)
        console.log(`${effect}  ${JSON.stringify(subject)}  command ${commandId}`);
      const where = cloudOf(connections);
      if (dryRun) return console.log(`${counted(found.length)} would be announced again on ${where}.`);
      const needsConfirmation = found.length > 0 && !yes;
      if (needsConfirmation && !(await isConfirmed(`Announce ${counted(found.length)} again on ${where}?`)))
        return console.log("Nothing was announced.");
      const announced = await mend(platform, operatorCall(), { all, dryRun: false });
      console.log(`${counted(announced.length)} announced again on ${where}.`);
    });
  },
};

const counted = (effects: number): string => (effects === 1 ? "1 effect" : `${effects} effects`);
