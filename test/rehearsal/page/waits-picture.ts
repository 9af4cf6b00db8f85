import type { Phase, Trouble, Waits } from "../record.ts";
import type { Form } from "./day-picture.ts";
import { markup, type Markup } from "./markup.ts";
import { troubleWords } from "./words.ts";

const LEFT = 52;
const RIGHT = 22;
const ROW = 20;
const HEADING = 24;
const GAP = 10;
const AXIS = 22;

/** The ends of the scale in milliseconds: each line is ten times the one before. */
const [LEAST, MOST] = [10, 100_000];
const lines = [
  [10, "10 ms"],
  [100, "0.1 s"],
  [1_000, "1 s"],
  [10_000, "10 s"],
  [100_000, "100 s"],
] as const;

export const phaseNames = ["before", "during", "after"] as const;

export const measures = [
  ["untilAcknowledged", "Until the till had its confirmation"],
  ["untilOutcome", "Until the shop knew the outcome"],
] as const satisfies readonly (readonly [keyof Phase, string])[];

/** How long payments waited before, during and after a trouble: three dots for the half, 95 % and 99 % that waited no longer. */
export function waitsPicture(trouble: Trouble, { width, name }: Form): Markup {
  const x = (ms: number) =>
    round(LEFT + ((Math.log10(clamped(ms)) - Math.log10(LEAST)) / Math.log10(MOST / LEAST)) * (width - LEFT - RIGHT));
  const block = HEADING + phaseNames.length * ROW + GAP;
  const bottom = measures.length * block - GAP + 4;
  return markup`<svg class="picture waits" viewBox="0 0 ${width} ${bottom + AXIS}" role="img" aria-labelledby="${name}-title ${name}-desc">
<title id="${name}-title">${troubleWords[trouble.name].title}: how long payments waited</title>
<desc id="${name}-desc">Dots on a scale from 10 ms to 100 s, in which each line is ten times the one before. The table below has the figures.</desc>
${lines.map(
  ([ms, text]) => markup`<line class="grid" x1="${x(ms)}" x2="${x(ms)}" y1="${HEADING - 4}" y2="${bottom}"/>
<text class="axis" x="${x(ms)}" y="${bottom + 16}" text-anchor="middle">${text}</text>
`,
)}${measures.map(([measure, title], i) => {
    const top = i * block;
    return markup`<text class="heading" x="0" y="${top + 14}">${title}</text>
${phaseNames.map((phase, row) => {
  const y = top + HEADING + row * ROW + 8;
  return markup`<text class="axis" x="0" y="${y + 4}">${phase}</text>${dots(trouble[phase][measure], { x, y, phase })}
`;
})}`;
  })}</svg>`;
}

interface Row {
  readonly x: (ms: number) => number;
  readonly y: number;
  readonly phase: (typeof phaseNames)[number];
}

function dots(waits: Waits, { x, y, phase }: Row): Markup | string {
  if (waits === null) return markup`<text class="axis" x="${LEFT + 8}" y="${y + 4}">no payment</text>`;
  const { p50, p95, p99 } = waits;
  const dot = (name: string, at: number, radius: number) =>
    markup`<circle class="${name}" cx="${x(at)}" cy="${y}" r="${radius}"/>`;
  return markup`<g class="is-${phase}"><line x1="${x(p50)}" x2="${x(p99)}" y1="${y}" y2="${y}"/>${[
    dot("p99", p99, 3.5),
    dot("p95", p95, 4),
    dot("p50", p50, 5),
  ]}</g>`;
}

const clamped = (ms: number): number => Math.min(MOST, Math.max(LEAST, ms));
const round = (value: number): number => Number(value.toFixed(1));
