import { command, type Group } from "../command.ts";
import { clock, connectTables } from "../../common/platform.ts";
import { matching, option } from "../words.ts";

const month = matching(/^\d{4}-(?:0[1-9]|1[0-2])$/, "--month takes a month, such as 2026-11.");

const list = command({
  name: "list",
  does: "lists the changes that operators made in a month: the time, the operator, the command, its subject and its outcome",
  details:
    "Each command that changes something is recorded before it acts. A command without an outcome broke off. `alert show` and `payment why`\nsay who decided about an alert or a payment, and why.",
  words: [option("--month <YYYY-MM>", "the UTC month; default: the current month", month)],
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
  does: "the changes that operators made with these commands",
  commands: [list],
};
