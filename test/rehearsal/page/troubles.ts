import { lengthText } from "../../../infra/local/live/page/text.ts";
import type { Phase, Rehearsal, Trouble, Waits } from "../record.ts";
import { markup, type Markup } from "./markup.ts";
import { measures, phaseNames, waitsPicture } from "./waits-picture.ts";
import { clockText, grouped, troubleWords } from "./words.ts";

/** Each trouble: what was done, what it could mean for a shop, and how long payments waited before, during and after it. */
export function troublesSection({ troubles, broken }: Rehearsal): Markup | undefined {
  if (troubles.length === 0) return undefined;
  return markup`<section aria-labelledby="troubles">
    <h2 id="troubles">What went wrong, and what it did to waits</h2>
    <p>
      “Half” says how long half of the payments waited at most; “19 of 20” and “99 of 100” likewise. A payment counts as
      “during” where the trouble was there at any moment between its request and its outcome.
    </p>
    <p class="legend" aria-hidden="true">
      <span class="dot"></span> half <span class="dot is-p95"></span> 19 of 20 <span class="dot is-p99"></span> 99 of
      100
    </p>
    <ol class="troubles">
      ${troubles.map((trouble, i) => card(trouble, { number: i + 1, isKept: broken.length === 0 }))}
    </ol>
  </section>`;
}

function card(trouble: Trouble, { number, isKept }: { readonly number: number; readonly isKept: boolean }): Markup {
  const { name, from, to, events } = trouble;
  const { title, done, noticed } = troubleWords[name];
  return markup`<li class="card">
    <h3><span class="number" aria-hidden="true">${number}</span> ${title}</h3>
    <p class="quiet">From ${clockText(from)} to ${clockText(to)}</p>
    <p>${done}</p>
    <p><strong>What a shop may notice:</strong> ${noticed}</p>
    ${waitsPicture(trouble, { width: 340, name: `waits-${number}` })}
    <div class="scroll" role="region" aria-label="${title}: waits" tabindex="0">
      <table class="waits-table">
        <caption class="unseen">
          ${title}: how long payments waited
        </caption>
        <thead>
          <tr>
            <td></td>
            <th scope="col">payments</th>
            <th scope="col">half</th>
            <th scope="col">19 of 20</th>
            <th scope="col">99 of 100</th>
          </tr>
        </thead>
        ${measures.map(
          ([measure, what]) =>
            markup`<tbody>
              <tr>
                <th scope="rowgroup" colspan="5">${what}</th>
              </tr>
              ${phaseNames.map((phase) => row(phase, trouble[phase], trouble[phase][measure]))}
            </tbody>`,
        )}
      </table>
    </div>
    ${repeats(trouble, isKept)} ${eventList(events)}
  </li>`;
}

const row = (name: string, { payments }: Phase, waits: Waits): Markup =>
  markup`<tr>
    <th scope="row">${name}</th>
    <td>${grouped(payments)}</td>
    ${
      waits === null
        ? markup`<td colspan="3">no payment</td>`
        : [waits.p50, waits.p95, waits.p99].map((wait) => markup`<td>${lengthText(wait)}</td>`)
    }
  </tr>`;

function repeats({ during }: Trouble, isKept: boolean): Markup | string {
  if (during.repeats === 0) return "";
  const times = during.repeats === 1 ? "once" : `${grouped(during.repeats)} times`;
  return markup`<p>
    Tills repeated their requests ${times} meanwhile, because they got no response or were put off.
    ${isKept ? "No repetition charged a card again." : ""}
  </p>`;
}

const eventList = (events: Trouble["events"]): Markup | string =>
  events.length === 0
    ? ""
    : markup`<details>
        <summary>In detail: ${events.length === 1 ? "one event" : `${events.length} events`}</summary>
        <ul class="events">
          ${events.map(({ at, what }) => markup`<li><span class="quiet">${clockText(at)}</span> ${what}</li>`)}
        </ul>
      </details>`;
