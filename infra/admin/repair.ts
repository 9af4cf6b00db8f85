import { parseArgs } from "node:util";
import { repair as mend } from "../../shared/use-cases/repair/repair.ts";
import type { Command } from "./command.ts";
import { operatorCall, withPlatform } from "./platform.ts";

export const repair: Command = {
  name: "repair",
  usage: "[--all] [--dry-run]",
  does: "announces again what was committed and not carried out within ten minutes; with --all whatever is not carried out, deadlines to come among it",
  async run(args, connect) {
    const flag = { type: "boolean", default: false } as const;
    const { values } = parseArgs({ args, options: { all: flag, "dry-run": flag } });
    const { all, "dry-run": dryRun } = values;
    await withPlatform(await connect(), async (platform) => {
      const announced = await mend(platform, operatorCall(), { all, dryRun });
      for (const { effect, subject, commandId } of announced)
        console.log(`${effect}  ${JSON.stringify(subject)}  command ${commandId}`);
      const effects = announced.length === 1 ? "1 effect" : `${announced.length} effects`;
      console.log(`${effects} ${dryRun ? "would be announced again" : "announced again"}.`);
    });
  },
};
