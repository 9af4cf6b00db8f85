import { counted } from "../../../infra/local/live/page/text.ts";
import type { Rehearsal } from "../record.ts";
import { markup, type Markup } from "./markup.ts";
import { table } from "./table.ts";
import { bareAmount } from "./words.ts";

type Closing = Rehearsal["closings"]["days"][number];

/** What each terminal counted on each business day against the platform's books. Left out where no terminal closed a day. */
export function closingsSection({ closings, wanted }: Rehearsal): Markup | undefined {
  const { currency, days } = closings;
  if (days.length === 0) return undefined;
  const differing = days.filter(({ status }) => status === "differs");
  const equal = days.length - differing.length;
  const terminals = [...new Set(days.map(({ terminal }) => terminal))];
  const rows = (shown: readonly Closing[]) =>
    shown.map(({ terminal, day, byTerminal, inBooks }) => [
      `no. ${terminals.indexOf(terminal) + 1}, ${day}`,
      bareAmount(byTerminal, currency),
      bareAmount(inBooks, currency),
      bareAmount(byTerminal - inBooks, currency),
    ]);
  const head = ["terminal and day", "its count", "the books", "difference"];
  return markup`<section aria-labelledby="closings">
    <h2 id="closings">The terminals’ days</h2>
    <p>
      Half-way through, a new business day began. Each of the ${counted(wanted.terminals, "terminal")} closed both days
      and said what it had counted by itself. The platform closes a day only where that is what the books say:
      ${counted(equal, "day")} ${equal === 1 ? "was" : "were"} closed.
    </p>
    ${
      differing.length === 0
        ? ""
        : markup`<p>
              ${counted(differing.length, "day")} ${differing.length === 1 ? "was" : "were"} not, because the terminal
              counts otherwise: it counted wrongly on purpose, or lost its memory. A person was called for each.
            </p>
            ${table(`Days on which terminal and books differ, in ${currency}`, head, rows(differing))}`
    }
    <details>
      <summary>All days</summary>
      ${table(`What terminals and books counted, in ${currency}`, head, rows(days))}
    </details>
  </section>`;
}
