import { isTimed } from "../../../../shared/domain/effects.ts";
import type { Announcement } from "../../../../shared/ports/announcements.ts";
import { repair as mend } from "../../../../shared/use-cases/operator/repair/repair.ts";
import { cloudOf } from "../../common/cloud.ts";
import { command, progressIn } from "../command.ts";
import { operatorCall, withPlatform } from "../../common/platform.ts";
import { flag } from "../words.ts";

export const repair = command({
  name: "repair",
  does: "announces effects again that were committed but not carried out within ten minutes, after a confirmation",
  words: [
    flag("--all", "every effect that is not carried out, including future deadlines"),
    flag(
      "--tables-are-current",
      "confirms that the tables did not go back in time, or that `import` wrote them; needed to announce deadlines",
    ),
    flag("--dry-run", "only list what would be announced"),
  ],
  details:
    "A deadline concludes from an inbox which messages its terminal never got. After an unplanned failover of the storage account, the inboxes\nhave gone back in time. A terminal may have fetched a message that its inbox lacks, and captured the payment. No command can detect this, so\nyou must say whether the tables went back. If they did, export them and import them into an empty account before the app starts: docs/backup.md.",
  examples: ["repair --dry-run", "repair", "repair --all --tables-are-current"],
  writes: true,
  confirms: true,
  async run({ all, dryRun, tablesAreCurrent }, { connect, confirm, note }) {
    const connections = await connect();
    return withPlatform(connections, async (platform) => {
      const call = { ...operatorCall(), onProgress: progressIn({ note }) };
      const { announced, restoring } = await mend(platform, call, { all, dryRun: true });
      const found = announced.map(shown);
      const where = cloudOf(connections);
      const waiting = restoring === 0 ? "" : `; ${restoring} restored payments wait for their terminals' answers`;
      if (dryRun)
        return {
          effects: found,
          restoring,
          summary: `${counted(found)} would be announced again on ${where}${waiting}`,
        };
      for (const { effect, subject, commandID } of found) note(`${effect}  ${JSON.stringify(subject)}  ${commandID}`);
      const deadlines = found.filter(({ effect }) => isTimed(effect));
      if (deadlines.length > 0 && !tablesAreCurrent) throw new Error(refusal(deadlines));
      if (found.length > 0) await confirm(`Announce ${counted(found)} again on ${where}?`);
      const repaired = await mend(platform, call, { all, dryRun: false });
      const effects = repaired.announced.map(shown);
      return { effects, restoring, summary: `${counted(effects)} announced again on ${where}${waiting}` };
    });
  },
});

const refusal = (deadlines: readonly unknown[]): string =>
  `Nothing was announced. ${counted(deadlines)} would conclude from inboxes which messages terminals never got. This is wrong if the tables went back in time, for example by a failover. If they did, \`export\` them and \`import\` the export into an empty account. If they did not, or if \`import\` wrote them, add --tables-are-current.`;

const shown = ({ effect, subject, commandId }: Announcement) => ({
  effect,
  subject,
  commandID: commandId,
});

const counted = (effects: readonly unknown[]): string =>
  effects.length === 1 ? "1 effect" : `${effects.length} effects`;
