import { toTerminalDayObject } from "../../../../shared/contracts/objects/terminal-day.ts";
import { describeDifferences } from "../../../../shared/domain/terminal-day/totals.ts";
import { readDay } from "../../../../shared/use-cases/terminal-days/read-day.ts";
import { connectTables } from "../../common/platform.ts";
import { command } from "../command.ts";
import { day, required } from "../words.ts";
import { callFor, pointOfServiceID, TERMINAL } from "./terminal-words.ts";

export const showDay = command({
  name: "day",
  does: "shows a terminal's business day: the terminal's totals, the books, and what differs",
  words: [pointOfServiceID, required("--day <YYYY-MM-DD>", "the business day", day)],
  examples: [`terminal day ${TERMINAL} --day 2026-11-21`],
  async run({ pointOfServiceID, day }, { connect }) {
    const ports = connectTables(await connect());
    const view = await ports.terminals.find(pointOfServiceID);
    const terminal = view?.terminal ?? (await ports.terminals.findRetired(pointOfServiceID));
    const read = terminal && (await readDay(ports, callFor(terminal), pointOfServiceID, day));
    if (!read?.ok) throw new Error("There is no such terminal.");
    const { pointOfServiceID: id, ...shown } = toTerminalDayObject(read.value);
    const differs = read.value.differences.map((difference) => `${describeDifferences([difference])}.`);
    return {
      pointOfServiceID: id,
      name: terminal?.name,
      merchantName: terminal?.merchantName,
      partnerID: terminal?.partnerId,
      ...shown,
      ...(differs.length > 0 && { differs }),
    };
  },
});
