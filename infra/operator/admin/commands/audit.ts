import { command, type Group } from "../command.ts";
import { clock, connectTables } from "../../common/platform.ts";
import { matching, option } from "../words.ts";

const month = matching(/^\d{4}-(?:0[1-9]|1[0-2])$/, "--month takes a month, such as 2026-11.");

const list = command({
  name: "list",
  does: "lists what operators changed in a month: when, who, by which command, about what, and whether it was done",
  details:
    "Each command that changes something is stored before it acts. One without an outcome broke off. Who decided on an alert or a payment,\nand why, is kept with these: `alert show`, `payment why`.",
  words: [option("--month <YYYY-MM>", "the UTC month; this one where left out", month)],
  columns: ["at", "by", "command", "about", "outcome"],
  examples: ["audit list", "audit list --month 2026-11 --json"],
  async run({ month = clock.now().slice(0, 7) }, { connect }) {
    const { operatorActions } = connectTables(await connect());
    return (await operatorActions.ofMonth(month)).map(({ at, by, command, about, outcome }) => ({
      at,
      by,
      command,
      about,
      outcome: outcome ?? "broke off",
    }));
  },
});

export const audit: Group = {
  name: "audit",
  does: "what operators changed by these commands",
  commands: [list],
};
