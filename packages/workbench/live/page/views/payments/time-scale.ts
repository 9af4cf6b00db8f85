import { lengthText } from "../../text.ts";

// A payment works for milliseconds and waits for seconds or hours. The picture draws the work on a single scale, and cuts out the waits.
// All cuts have the same width, and each shows its length.

/** From one time to another, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A period that is drawn to scale. `x` is in pixels. */
export interface Stretch extends Span {
  readonly x: number;
  readonly width: number;
}

/** A wait that is cut out between two stretches. */
export interface Cut {
  readonly ms: number;
  readonly x: number;
  readonly width: number;
}

export interface Tick {
  readonly x: number;
  readonly label: string;
  /**
   * Whether a stretch begins here. If so, the label is the time since the picture's start, otherwise the time since the stretch's start.
   */
  readonly isFirst: boolean;
}

export interface TimeScale {
  readonly width: number;
  readonly stretches: readonly Stretch[];
  readonly cuts: readonly Cut[];
  readonly ticks: readonly Tick[];
  /** The position of a time. */
  x(at: number): number;
}

/** The shortest wait that is cut out. */
const SHORTEST_CUT_MS = 25;
/** A longer span waits for something, so it may be cut. */
const LONG_MS = 1_000;
/** A wait is cut out if it is longer than this share of the time that is still drawn. */
const LARGE_SHARE = 0.2;
const CUT_WIDTH = 48;
/** The space at both ends of a stretch, so that no item is on a cut. */
const MARGIN = 12;
/** The space after the last stretch, for the text of its last item. */
const TAIL = 96;
const LEAST_DRAWN = 240;
const MOST_PIXELS_A_MS = 8;
const TICK_APART = 72;

/** The scale of a picture of these spans. It is `wide` pixels, or wider if its cuts need more room. A moment is a span without length. */
export function timeScale(spans: readonly Span[], wide: number): TimeScale {
  const times = [...new Set(spans.flatMap(({ from, to }) => [from, to]))].toSorted((a, b) => a - b);
  const work = spans.filter(({ from, to }) => to - from < LONG_MS);
  const pieces = piecesOf(times, work);
  const drawn = pieces.reduce((sum, { from, to }) => sum + to - from, 0);
  const room = wide - TAIL - pieces.length * 2 * MARGIN - (pieces.length - 1) * CUT_WIDTH;
  const pixels = drawn === 0 ? 1 : Math.min(MOST_PIXELS_A_MS, Math.max(LEAST_DRAWN, room) / drawn);
  const stretches: Stretch[] = [];
  const cuts: Cut[] = [];
  let x = 0;
  for (const { from, to } of pieces) {
    const before = stretches.at(-1);
    if (before) {
      cuts.push({ ms: from - before.to, x, width: CUT_WIDTH });
      x += CUT_WIDTH;
    }
    const width = (to - from) * pixels + 2 * MARGIN;
    stretches.push({ from, to, x, width });
    x += width;
  }
  return {
    width: Math.max(wide, x + TAIL),
    stretches,
    cuts,
    ticks: stretches.flatMap((stretch) => ticksOf(stretch, pixels, times[0] ?? 0)),
    x: (at) => xOf(at, stretches, pixels),
  };
}

/**
 * The time that is left after the long waits are cut out, the longest first. It stops at a wait that is short, or that is a small share of
 * the time that is left. A wait inside `work` is not cut.
 */
function piecesOf(times: readonly number[], work: readonly Span[]): readonly Span[] {
  const waits = times.slice(1).map((to, i) => ({ from: times[i] ?? to, to }));
  let left = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const cut = new Set<number>();
  for (const { from, to } of waits.toSorted((a, b) => b.to - b.from - (a.to - a.from))) {
    const ms = to - from;
    if (ms < SHORTEST_CUT_MS || ms < left * LARGE_SHARE) break;
    if (work.some((span) => span.from <= from && span.to >= to)) continue;
    left -= ms;
    cut.add(to);
  }
  const starts = times.filter((time, i) => i === 0 || cut.has(time));
  return starts.map((from, i) => {
    const next = starts[i + 1];
    return { from, to: (next === undefined ? times.at(-1) : times.findLast((time) => time < next)) ?? from };
  });
}

function xOf(at: number, stretches: readonly Stretch[], pixels: number): number {
  const after = stretches.findIndex(({ to }) => at <= to);
  const stretch = stretches[after === -1 ? stretches.length - 1 : after];
  if (!stretch) return MARGIN;
  if (at >= stretch.from) return stretch.x + MARGIN + Math.min(at - stretch.from, stretch.to - stretch.from) * pixels;
  const before = stretches[after - 1];
  if (!before) return MARGIN;
  const end = before.x + before.width;
  return end + ((at - before.to) / (stretch.from - before.to)) * (stretch.x - end);
}

function ticksOf({ from, to, x }: Stretch, pixels: number, zero: number): readonly Tick[] {
  const step = stepOf(TICK_APART / pixels);
  const first = { x: x + MARGIN, label: from === zero ? "0" : lengthText(from - zero), isFirst: true };
  const more = Math.floor((to - from) / step);
  return [
    first,
    ...Array.from({ length: more }, (_, i) => ({
      x: x + MARGIN + (i + 1) * step * pixels,
      label: `+${lengthText((i + 1) * step)}`,
      isFirst: false,
    })),
  ];
}

/** The smallest of 1, 2, 5, 10, 20, 50 … that is at least `least`. */
function stepOf(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= least) ?? 10 * power;
}
