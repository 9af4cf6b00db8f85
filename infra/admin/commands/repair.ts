import type { Announcement } from "../../../shared/ports/announcements.ts";
import { repair as mend } from "../../../shared/use-cases/repair/repair.ts";
import { cloudOf } from "../../operator/cloud.ts";
import { command } from "../command.ts";
import { operatorCall, withPlatform } from "../../operator/platform.ts";
import { flag } from "../words.ts";

export const repair = command({
  name: "repair",
  does: "announces again the effects that were committed and not carried out within ten minutes, after a confirmation",
  words: [
    flag("--all", "every effect that is not carried out, future deadlines included"),
    flag("--dry-run", "only list what would be announced"),
  ],
  examples: ["repair --dry-run", "repair --all --yes"],
  writes: true,
  confirms: true,
  async run({ all, dryRun }, { connect, confirm, note }) {
    const connections = await connect();
    return withPlatform(connections, async (platform) => {
      const found = (await mend(platform, operatorCall(), { all, dryRun: true })).map(shown);
      const where = cloudOf(connections);
      if (dryRun) return { effects: found, summary: `${counted(found)} would be announced again on ${where}` };
      for (const { effect, subject, commandID } of found) note(`${effect}  ${JSON.stringify(subject)}  ${commandID}`);
      if (found.length > 0) await confirm(`Announce ${counted(found)} again on ${where}?`);
      const effects = (await mend(platform, operatorCall(), { all, dryRun: false })).map(shown);
      return { effects, summary: `${counted(effects)} announced again on ${where}` };
    });
  },
});

const shown = ({ effect, subject, commandId }: Announcement) => ({
  effect,
  subject,
  commandID: commandId,
});

const counted = (effects: readonly unknown[]): string =>
  effects.length === 1 ? "1 effect" : `${effects.length} effects`;
