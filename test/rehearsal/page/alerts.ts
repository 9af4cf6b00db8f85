import { plainWords } from "../../../infra/local/live/page/text.ts";
import { alertKinds } from "../../../shared/domain/alert-kinds.ts";
import type { Rehearsal } from "../record.ts";
import { markup, type Markup } from "./markup.ts";
import { clockText, grouped } from "./words.ts";

/** Who was called, and what for: the alerts by their kind, with what each of them named. */
export function alertsSection({ alerts }: Rehearsal): Markup {
  const kinds = [...Map.groupBy(alerts, ({ kind }) => kind)];
  return markup`<section aria-labelledby="alerts">
    <h2 id="alerts">When a person was called</h2>
    ${
      kinds.length === 0
        ? markup`<p>Never. Nothing happened that the platform could not settle by itself.</p>`
        : markup`<p>
              What the platform does not know, it does not guess: it calls an operator. In this rehearsal the operator
              had the acquirer’s records, and closed a call once books and cards agreed.
            </p>
            <ul class="calls">
              ${kinds.map(([kind, all]) => ofKind(kind, all))}
            </ul>`
    }
  </section>`;
}

type Alert = Rehearsal["alerts"][number];

function ofKind(kind: Alert["kind"], all: readonly Alert[]): Markup {
  const open = all.filter(({ status }) => status === "open").length;
  const times = all.length === 1 ? "once" : `${grouped(all.length)} times`;
  return markup`<li class="card">
    <h3>
      ${capital(plainWords(kind))}
      <span class="quiet">${times}, ${open === 0 ? "all closed" : `${grouped(open)} open`}</span>
    </h3>
    <p>${alertKinds[kind].means}</p>
    <details>
      <summary>What ${all.length === 1 ? "it" : "they"} named</summary>
      <ul class="events">
        ${all.map(
          ({ at, subject, about, status }) =>
            markup`<li>
              <span class="quiet">${clockText(at)}</span>
              <code>${subject}</code>${about === undefined || about === subject ? "" : markup`, <code>${about}</code>`}
              <span class="quiet">${status}</span>
            </li>`,
        )}
      </ul>
    </details>
  </li>`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
