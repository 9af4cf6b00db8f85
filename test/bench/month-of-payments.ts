import { after, dayOf } from "../../shared/domain/time.ts";
import { azureTables } from "../../shared/tables/azure-tables.ts";
import { makeMonth } from "../support/a-month.ts";
import { onTables } from "./bench-tables.ts";
import { defineBench, whole, wholes } from "./bench.ts";
import { listsOfMonth } from "./lists-of-month.ts";
import { round } from "./statistics.ts";

const HOUR = 3600;

/** The operator's commands on a month of payments. */
export const monthOfPayments = defineBench({
  means: "table calls and milliseconds of the operator's lists and of repair, as payments grow to a month's",
  options: {
    payments: wholes([900, 9_000], "payments in the tables, each number in tables of its own"),
    day: whole(300, "payments of a day"),
    open: whole(90, "payments that are open, every third of them overdue"),
    terminals: whole(20, "terminals of the fleet"),
    rounds: whole(5, "how often each command runs; the time is the median"),
  },
  async run({ payments: sizes, day: perDay, open, terminals, rounds }, tell) {
    const results: (Awaited<ReturnType<typeof listsOfMonth>>[number] & { readonly payments: number })[] = [];
    for (const payments of sizes)
      await onTables(async ({ connection }) => {
        const tables = azureTables(connection);
        const until = endOfDay(new Date().toISOString(), perDay);
        const began = performance.now();
        await makeMonth(tables, { payments, perDay, open, terminals, until });
        tell(`${payments} payments are written in ${round((performance.now() - began) / 1000, 1)} s`);
        const now = new Date().toISOString();
        const looked = { tables, now, on: after(until, -HOUR), rounds };
        for (const one of await listsOfMonth(looked)) results.push({ payments, ...one });
      });
    return {
      tables: [
        {
          title: `The operator's commands, with ${perDay} payments a day and ${open} open ones`,
          columns: ["command", "payments in the tables", "it shows", "table calls", "ms"],
          rows: results.map(({ command, payments, found, tableCalls, ms }) => [
            command,
            payments,
            found,
            tableCalls,
            Math.round(ms),
          ]),
        },
      ],
      remarks: ["The announcements of repair go to no queue."],
      figures: { perDay, open, terminals, rounds, results },
    };
  },
});

/** The last payments are written an hour before this moment, all of one UTC day. */
const endOfDay = (now: string, perDay: number): string =>
  dayOf(after(now, -HOUR)) === dayOf(after(now, -HOUR - perDay * 2)) ? now : after(now, -HOUR);
