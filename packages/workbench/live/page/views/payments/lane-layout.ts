import { lanes, type Lane, type LaneItem } from "../../../views/lanes.ts";
import { timeScale, type TimeScale } from "./time-scale.ts";

// Places the items of the swim-lane picture. Pure: converts times to pixels.

/** An item with its position. A point has no width. */
export interface PlacedItem {
  readonly item: LaneItem;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly isPoint: boolean;
  /** Its text, cut to `MOST_LETTERS`. Undefined if its lane is full. */
  readonly label: { readonly text: string; readonly x: number; readonly isInside: boolean } | undefined;
}

export interface PlacedLane {
  readonly lane: Lane;
  readonly y: number;
  readonly height: number;
}

/** A line from an item to an item that it caused. */
export interface PlacedCause {
  readonly to: string;
  readonly from: string;
  readonly path: string;
}

export interface LanePicture {
  readonly scale: TimeScale;
  readonly height: number;
  readonly lanes: readonly PlacedLane[];
  readonly items: readonly PlacedItem[];
  readonly causes: readonly PlacedCause[];
}

export const BAR_HEIGHT = 18;
const TRACK_HEIGHT = 24;
const LANE_PADDING = 9;
/** The height of the times above the lanes. */
const AXIS_HEIGHT = 26;
/** The height of the cuts' lengths below the lanes. */
const FOOT_HEIGHT = 24;
const LEAST_WIDTH = 3;
const MOST_TRACKS = 8;
const LETTER_WIDTH = 6.1;
const POINT_ROOM = 7;
const MOST_LETTERS = 26;

/** The picture of a payment's items at a moment. Items that have not ended are drawn up to this moment. */
export function lanePicture(items: readonly LaneItem[], now: number, wide: number): LanePicture {
  const spans = items.map(({ from, to }) => ({ from, to: Math.max(from, to ?? now) }));
  const scale = timeScale(spans, wide);
  let y = AXIS_HEIGHT;
  const placedLanes: PlacedLane[] = [];
  const placed: PlacedItem[] = [];
  for (const lane of lanes) {
    const packed = packedLane(
      items.filter((item) => item.lane === lane),
      { scale, now, top: y + LANE_PADDING },
    );
    const height = Math.max(1, packed.tracks) * TRACK_HEIGHT + 2 * LANE_PADDING - (TRACK_HEIGHT - BAR_HEIGHT);
    placedLanes.push({ lane, y, height });
    placed.push(...packed.items);
    y += height;
  }
  return { scale, height: y + FOOT_HEIGHT, lanes: placedLanes, items: placed, causes: causesOf(placed) };
}

interface Frame {
  readonly scale: TimeScale;
  readonly now: number;
  readonly top: number;
}

/** Places each item in the first track with room for it and its text. In a full lane, the text is left out. */
function packedLane(items: readonly LaneItem[], { scale, now, top }: Frame) {
  const ends: number[] = [];
  const placed = items
    .toSorted((a, b) => a.from - b.from || (b.to ?? now) - (a.to ?? now))
    .map((item): PlacedItem => {
      const x = scale.x(item.from);
      const isPoint = item.to === item.from;
      const width = isPoint ? 0 : Math.max(LEAST_WIDTH, scale.x(item.to ?? now) - x);
      const label = labelOf(item.title, x, width);
      const free = freeTrack(ends, isPoint ? x - POINT_ROOM : x);
      const track = free ?? leastFull(ends);
      ends[track] = Math.max(ends[track] ?? 0, free === undefined ? x + width + POINT_ROOM : label.end);
      const y = top + track * TRACK_HEIGHT;
      return { item, x, y, width, isPoint, label: free === undefined ? undefined : label };
    });
  return { items: placed, tracks: ends.length };
}

function freeTrack(ends: readonly number[], from: number): number | undefined {
  const free = ends.findIndex((end) => end <= from);
  if (free !== -1) return free;
  return ends.length < MOST_TRACKS ? ends.length : undefined;
}

const leastFull = (ends: readonly number[]): number => ends.indexOf(Math.min(...ends));

/** The text is inside the bar if it fits, otherwise after the bar. */
function labelOf(title: string, x: number, width: number) {
  const text = title.length > MOST_LETTERS ? `${title.slice(0, MOST_LETTERS - 1)}…` : title;
  const length = text.length * LETTER_WIDTH;
  const isInside = width >= length + 14;
  const at = isInside ? x + 7 : x + (width === 0 ? POINT_ROOM + 3 : width + 6);
  return { text, x: at, isInside, end: isInside ? x + width + 6 : at + length + 8 };
}

function causesOf(placed: readonly PlacedItem[]): readonly PlacedCause[] {
  const byId = new Map(placed.map((one) => [one.item.id, one]));
  return placed.flatMap((to) => {
    const from = to.item.cause === undefined ? undefined : byId.get(to.item.cause);
    return from ? [{ from: from.item.id, to: to.item.id, path: pathOf(from, to) }] : [];
  });
}

/** The path of a line from a cause to its effect. It leaves the cause at the time when the effect begins, or at the cause's end. */
function pathOf(from: PlacedItem, to: PlacedItem): string {
  const startX = Math.min(Math.max(to.x, from.x), from.x + from.width);
  const isDown = to.y >= from.y;
  const startY = from.y + (isDown ? BAR_HEIGHT : 0);
  const endY = to.y + (isDown ? 0 : BAR_HEIGHT);
  if (Math.abs(startX - to.x) < 1) return `M${startX} ${startY}V${endY}`;
  const middle = (startY + endY) / 2;
  return `M${startX} ${startY}C${startX} ${middle} ${to.x} ${middle} ${to.x} ${endY}`;
}
