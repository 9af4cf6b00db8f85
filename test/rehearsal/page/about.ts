import { counted } from "../../../infra/local/live/page/text.ts";
import type { Rehearsal } from "../record.ts";
import { markup, type Markup } from "./markup.ts";
import { grouped } from "./words.ts";

/** What ran, and how to run it again. */
export function aboutSection({ wanted, app, startedAt, figures }: Rehearsal): Markup {
  const { minutes, terminals, seed, trouble } = wanted;
  const command = `npm run rehearse -- --minutes ${minutes} --terminals ${terminals} --seed ${seed} --trouble ${trouble.join(",")}`;
  const facts: readonly (readonly [string, string | Markup])[] = [
    ["Began", `${startedAt.slice(0, 16).replace("T", " ")} UTC`],
    ["Version", app.version],
    ...(app.beside === undefined ? [] : [["Beside it", app.beside] as const]),
    ["Runs on", `Node ${app.node.replace("v", "")}, two servers`],
    ["Card terminals", grouped(terminals)],
    ["Planned", counted(minutes, "minute")],
    ["Seed", markup`<code>${seed}</code>`],
    ["Again", markup`<code>${command}</code>`],
    ...Object.entries(figures).map(
      ([name, count]) => [name.charAt(0).toUpperCase() + name.slice(1), grouped(count)] as const,
    ),
  ];
  return markup`<section aria-labelledby="about">
    <h2 id="about">About this run</h2>
    <p>
      The platform ran as it is deployed, on one machine. The money was play money, the cards and terminals were played
      by programs, and the time that the platform gives terminals and shops was shortened to seconds. The same seed
      plans the same day; which payment meets what differs from run to run.
    </p>
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          markup`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}
