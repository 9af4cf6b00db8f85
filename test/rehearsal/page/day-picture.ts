import { lengthText } from "../../../infra/local/live/page/text.ts";
import type { Rehearsal, Trouble } from "../record.ts";
import { markup, type Markup } from "./markup.ts";
import { momentsTo, stepsTo } from "./scale.ts";
import { clockText, troubleWords } from "./words.ts";

/** The form of a picture: for a wide page or a phone. Texts have the same size in both. */
export interface Form {
  /** In CSS pixels, as wide as the place where the picture stands. */
  readonly width: number;
  /** Begins the identifiers of the picture's title and description. */
  readonly name: string;
}

const LEFT = 46;
const RIGHT = 10;
const TOP = 26;
const HEADING = 30;
const PAYMENTS = 132;
const WAITS = 84;
const GAP = 14;
const CALLS = 22;
const AXIS = 26;
const PIXELS_PER_MOMENT = 64;

/** Where the panels begin, from above. */
const paymentsAt = TOP + HEADING;
const waitsAt = paymentsAt + PAYMENTS + GAP + HEADING;
const callsAt = waitsAt + WAITS + GAP + HEADING;

/** The payments of the day over time, the longest waits below them, and the calls for a person, with the troubles behind them all. */
export function dayPicture(record: Rehearsal, { width, name }: Form): Markup {
  const { over, troubles, alerts } = record;
  const length = over.parts.length * over.seconds;
  const x = (seconds: number) => round(LEFT + (Math.min(seconds, length) / length) * (width - LEFT - RIGHT));
  const hasCalls = alerts.length > 0;
  const bottom = hasCalls ? callsAt + CALLS : waitsAt + WAITS;
  const counts = panel(
    { x, width, top: paymentsAt, height: PAYMENTS, kind: "payments" },
    over,
    (part) => part.payments,
    String,
  );
  const waits = panel(
    { x, width, top: waitsAt, height: WAITS, kind: "wait" },
    over,
    (part) => part.longestWait,
    inSeconds,
  );
  return markup`<svg class="picture" viewBox="0 0 ${width} ${bottom + AXIS}" role="img" aria-labelledby="${name}-title ${name}-desc">
<title id="${name}-title">Payments and waits over the day</title>
<desc id="${name}-desc">${describe(record)}</desc>
${troubles.map((trouble, i) => shade(trouble, { from: x(trouble.from), to: x(trouble.to), bottom, number: i + 1 }))}
<text class="heading" x="0" y="${TOP + 14}">Payments confirmed, ${over.seconds === 1 ? "each second" : `each ${over.seconds} seconds`}</text>
${counts}
<text class="heading" x="0" y="${waitsAt - 16}">Longest wait for a confirmation</text>
${waits}
${hasCalls ? calls(record, x) : ""}
${momentsTo(length, Math.floor((width - LEFT) / PIXELS_PER_MOMENT)).map(
  (
    moment,
  ) => markup`<text class="axis" x="${x(moment)}" y="${bottom + 18}" text-anchor="middle">${clockText(moment)}</text>
`,
)}</svg>`;
}

interface Shade {
  readonly from: number;
  readonly to: number;
  readonly bottom: number;
  readonly number: number;
}

/** The shaded time of a trouble, with its number above. */
function shade({ name, from: begins, to: ends }: Trouble, { from, to, bottom, number }: Shade): Markup {
  const middle = round((from + to) / 2);
  const width = round(Math.max(2, to - from));
  return markup`<g class="trouble"><title>${troubleWords[name].title}, ${clockText(begins)} to ${clockText(ends)}</title>
<rect x="${from}" y="${TOP}" width="${width}" height="${bottom - TOP}"/>
<circle cx="${middle}" cy="13" r="10"/><text x="${middle}" y="17" text-anchor="middle">${number}</text></g>
`;
}

type Over = Rehearsal["over"];

interface Place {
  readonly x: (seconds: number) => number;
  readonly width: number;
  readonly top: number;
  readonly height: number;
  readonly kind: "payments" | "wait";
}

/** Bars on lines that say how high they are. */
function panel(
  { x, width, top, height, kind }: Place,
  { seconds, parts }: Over,
  valueOf: (part: Over["parts"][number]) => number,
  say: (value: number) => string,
): Markup {
  const lines = stepsTo(Math.max(...parts.map(valueOf), 0), kind === "payments" ? 4 : 3);
  const highest = lines.at(-1) ?? 1;
  const y = (value: number) => round(top + height - (value / highest) * height);
  const bar = Math.max(1, x(seconds) - x(0) - 1);
  return markup`<g class="${kind}">${lines.map(
    (value) => markup`<line class="grid" x1="${LEFT}" x2="${width - RIGHT}" y1="${y(value)}" y2="${y(value)}"/>
<text class="axis" x="${LEFT - 6}" y="${y(value) + 4}" text-anchor="end">${say(value)}</text>
`,
  )}${parts.map((part, i) => {
    const value = valueOf(part);
    if (value === 0) return "";
    return markup`<rect x="${x(i * seconds)}" y="${y(value)}" width="${round(bar)}" height="${round(top + height - y(value))}"/>`;
  })}</g>`;
}

/** A mark for each moment at which a person was called. */
function calls({ alerts }: Rehearsal, x: Place["x"]): Markup {
  return markup`<text class="heading" x="0" y="${callsAt - 12}">A person was called</text>
<g class="call">${alerts.map(({ at }) => markup`<path d="M${x(at)} ${callsAt + 2}l4.5 8h-9z"/>`)}</g>`;
}

/** A wait on an axis: always in seconds, so that its lines are compared at a glance. */
const inSeconds = (ms: number): string => (ms === 0 ? "0" : `${Number((ms / 1_000).toPrecision(3))} s`);

const round = (value: number): number => Number(value.toFixed(1));

/** What the picture shows, for readers who do not see it. */
function describe({ over, troubles, alerts }: Rehearsal): string {
  const most = Math.max(...over.parts.map(({ payments }) => payments), 0);
  const longest = Math.max(...over.parts.map(({ longestWait }) => longestWait), 0);
  const named = troubles.map(
    ({ name, from, to }, i) => `${i + 1}: ${troubleWords[name].title}, from ${clockText(from)} to ${clockText(to)}.`,
  );
  return [
    `Bars of the payments that were confirmed, at most ${most} in ${over.seconds} seconds, and of the longest wait, at most ${lengthText(longest)}.`,
    ...named,
    `A person was called ${alerts.length} times. The table below the picture has the figures.`,
  ].join(" ");
}
