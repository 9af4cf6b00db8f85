import type { Rehearsal } from "../record.ts";
import { aboutSection } from "./about.ts";
import { alertsSection } from "./alerts.ts";
import { closingsSection } from "./closings.ts";
import { dayPicture } from "./day-picture.ts";
import { markup, type Markup } from "./markup.ts";
import { moneySection } from "./money.ts";
import { lookOf } from "./look.ts";
import { table } from "./table.ts";
import { troublesSection } from "./troubles.ts";
import { paymentsIn, summaryOf, verdictOf } from "./verdict.ts";
import { clockText, grouped, promises } from "./words.ts";
import { counted, lengthText, moneyText } from "../../../infra/local/live/page/text.ts";

/** Violations that are written out; all are in the data. */
const MOST_BROKEN = 40;

/** The sections of the page, in their order; one that has nothing to show is left out. */
const sections: readonly ((record: Rehearsal) => Markup | undefined)[] = [
  daySection,
  troublesSection,
  moneySection,
  closingsSection,
  alertsSection,
  checkedSection,
  aboutSection,
];

/**
 * The page of a rehearsal: one HTML document that loads nothing and runs no script. Texts of the record are escaped. The verdict comes first,
 * and a broken promise right below it.
 */
export function rehearsalPage(record: Rehearsal): string {
  const { headline } = verdictOf(record);
  const shown = sections.flatMap((section) => section(record) ?? []);
  const page = markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="color-scheme" content="light dark" />
        <title>Rehearsal: ${headline}</title>
        <style>
          ${lookOf()}
        </style>
      </head>
      <body>
        <main>${verdictSection(record)} ${shown}</main>
      </body>
    </html> `;
  return page.text;
}

const signs = {
  kept: "M7 16.5l6 6L25 9.5",
  broken: "M9 9l14 14M23 9L9 23",
  unproven: "M16 7v11M16 23.5v.5",
} as const;

function verdictSection(record: Rehearsal): Markup {
  const { kind, headline } = verdictOf(record);
  const { broken } = record;
  const date = new Date(record.startedAt);
  const day = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(date);
  return markup`<header class="verdict is-${kind}">
      <p class="kicker">Rehearsal of ${day}</p>
      <div class="line">
        <svg class="sign" viewBox="0 0 32 32" aria-hidden="true"><path d="${signs[kind]}" /></svg>
        <h1>${headline}</h1>
      </div>
      ${
        broken.length === 0
          ? ""
          : markup`<ul class="broken">
                ${broken.slice(0, MOST_BROKEN).map((sentence) => markup`<li>${sentence}</li>`)}
              </ul>
              ${
                broken.length > MOST_BROKEN
                  ? markup`<p>And ${broken.length - MOST_BROKEN} more, which the data of this run have.</p>`
                  : ""
              }`
      }
      ${summaryOf(record).map((sentence) => markup`<p>${sentence}</p>`)}
    </header>
    ${figures(record)}`;
}

/** The numbers that a reader looks for first. */
function figures(record: Rehearsal): Markup {
  const { money, alerts, webhooks } = record;
  const open = alerts.filter(({ status }) => status === "open").length;
  const all: readonly (readonly [string, string, string])[] = [
    [grouped(paymentsIn(record)), "payments confirmed", `by ${counted(record.wanted.terminals, "card terminal")}`],
    ...(money === undefined
      ? []
      : [
          [
            moneyText(Math.abs(money.books.kept - money.cards.kept), money.currency),
            "between books and cards",
            `of ${moneyText(money.books.captured, money.currency)} taken`,
          ] as const,
        ]),
    [grouped(webhooks), "notices to shops", "signed, and checked by the shop"],
    [
      grouped(alerts.length),
      alerts.length === 1 ? "call for a person" : "calls for a person",
      open === 0 ? "none is open" : `${grouped(open)} still open`,
    ],
  ];
  return markup`<dl class="figures">
    ${all.map(
      ([value, what, more]) =>
        markup`<div>
          <dt>${what}</dt>
          <dd>${value}</dd>
          <dd class="quiet">${more}</dd>
        </div>`,
    )}
  </dl>`;
}

function daySection(record: Rehearsal): Markup {
  const { over } = record;
  const rows = over.parts.map(({ payments, longestWait }, i) => [
    clockText(i * over.seconds),
    payments,
    payments === 0 ? "–" : lengthText(longestWait),
  ]);
  return markup`<section aria-labelledby="day">
    <h2 id="day">The day in one picture</h2>
    <p>
      Time goes from left to right, in minutes and seconds. The shaded parts are what went wrong; their numbers are
      those of the list below.
    </p>
    <div class="wide-only">${dayPicture(record, { width: 860, name: "day-wide" })}</div>
    <div class="narrow-only">${dayPicture(record, { width: 340, name: "day-narrow" })}</div>
    <details>
      <summary>The figures of this picture</summary>
      ${table("Payments confirmed, and the longest wait for a confirmation", ["from", "payments", "longest wait"], rows)}
    </details>
  </section>`;
}

function checkedSection({ broken, unproven }: Rehearsal): Markup {
  const isKept = broken.length === 0 && unproven === undefined;
  return markup`<section aria-labelledby="checked">
    <h2 id="checked">What was checked</h2>
    <p>
      The card terminals, the acquirer, the shops and the platform each kept a log of their own. When the day was over,
      all of them were compared${isKept ? ", and each of these held" : ""}:
    </p>
    <ul class="${isKept ? "promises is-kept" : "promises"}">
      ${promises.map((promise) => markup`<li>${promise}</li>`)}
    </ul>
  </section>`;
}
