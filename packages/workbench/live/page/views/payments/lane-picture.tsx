import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Lane, LaneItem } from "../../../views/lanes.ts";
import { useSize } from "../../hooks.ts";
import { linkTo } from "../../routes.ts";
import { lengthText } from "../../text.ts";
import { BAR_HEIGHT, lanePicture, type LanePicture, type PlacedItem } from "./lane-layout.ts";

/** The names of the lanes, for people who do not know the platform's parts. */
export const laneWords: Readonly<Record<Lane, string>> = {
  partner: "Partner",
  gateway: "Gateway",
  function: "Function",
  queue: "Queue",
  worker: "Worker",
  terminal: "Terminal",
  webhook: "Webhook",
};

const NAMES_WIDTH = 88;

/** The swim-lane picture. It is one tab stop, and the arrow keys move from item to item. Screen readers read its items below it. */
export function Lanes({ items, now }: { items: readonly LaneItem[]; now: number }): JSX.Element {
  const { box, width } = useSize<HTMLDivElement>();
  const [chosen, choose] = useState<string>();
  const picture = useMemo(
    () => (width === 0 ? undefined : lanePicture(items, now, Math.max(320, width - NAMES_WIDTH))),
    [items, now, width],
  );
  const ordered = useMemo(() => items.toSorted((a, b) => a.from - b.from), [items]);
  const item = items.find(({ id }) => id === chosen);
  return (
    <div class="lanes">
      <div
        ref={box}
        class="lanes-scroll"
        role="group"
        tabIndex={0}
        aria-label="Picture of what happened, over time. The left and right arrow keys move to the next event."
        onKeyDown={(event) => {
          const next = neighbour(ordered, chosen, event.key);
          if (next === undefined) return;
          event.preventDefault();
          choose(next);
          showItem(event.currentTarget, picture, next);
        }}
      >
        {picture && (
          <div
            class="lanes-sheet"
            style={{ height: `${picture.height}px`, width: `${NAMES_WIDTH + picture.scale.width}px` }}
          >
            <LaneNames picture={picture} />
            <Drawing picture={picture} chosen={chosen} onChoose={choose} />
          </div>
        )}
      </div>
      <ItemFacts item={item} items={items} now={now} />
    </div>
  );
}

function neighbour(ordered: readonly LaneItem[], chosen: string | undefined, key: string): string | undefined {
  const at = ordered.findIndex(({ id }) => id === chosen);
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowLeft: at === -1 ? ordered.length - 1 : at - 1,
    Home: 0,
    End: ordered.length - 1,
  };
  const step = steps[key];
  return step === undefined ? undefined : ordered[step]?.id;
}

function showItem(box: HTMLElement, picture: LanePicture | undefined, id: string): void {
  const placed = picture?.items.find(({ item }) => item.id === id);
  if (!placed) return;
  const seen = box.clientWidth - NAMES_WIDTH;
  if (placed.x < box.scrollLeft || placed.x + placed.width > box.scrollLeft + seen)
    box.scrollLeft = placed.x - seen / 3;
}

const LaneNames = ({ picture }: { picture: LanePicture }): JSX.Element => (
  <div class="lane-names" aria-hidden="true">
    {picture.lanes.map(({ lane, y, height }) => (
      <span key={lane} style={{ top: `${y}px`, height: `${height}px` }}>
        {laneWords[lane]}
      </span>
    ))}
  </div>
);

interface DrawingProps {
  readonly picture: LanePicture;
  readonly chosen: string | undefined;
  readonly onChoose: (id: string | undefined) => void;
}

function Drawing({ picture, chosen, onChoose }: DrawingProps): JSX.Element {
  const { scale, height, lanes, items, causes } = picture;
  const foot = lanes.at(-1);
  const bottom = foot ? foot.y + foot.height : height;
  const near = new Set(
    causes.filter(({ from, to }) => from === chosen || to === chosen).flatMap(({ from, to }) => [from, to]),
  );
  return (
    <svg class={chosen === undefined ? "" : "has-chosen"} width={scale.width} height={height} aria-hidden="true">
      {lanes.map(({ lane, y }) => (
        <line key={lane} class="lane-line" x1="0" x2={scale.width} y1={y} y2={y} />
      ))}
      {scale.ticks.map(({ x, label, isFirst }) => (
        <g key={x} class={isFirst ? "tick is-first" : "tick"}>
          <line x1={x} x2={x} y1="20" y2={bottom} />
          <text x={x} y="14">
            {label}
          </text>
        </g>
      ))}
      {scale.cuts.map(({ x, width, ms }) => (
        <g key={x} class="cut">
          <rect x={x} width={width} y="20" height={bottom - 20} />
          <text x={x + width / 2} y={bottom + 16}>
            {lengthText(ms)}
          </text>
        </g>
      ))}
      {causes.map(({ from, to, path }) => (
        <path key={to} class={from === chosen || to === chosen ? "cause is-near" : "cause"} d={path} />
      ))}
      {items.map((placed) => (
        <Item key={placed.item.id} placed={placed} tone={toneIn(placed, chosen, near)} onChoose={onChoose} />
      ))}
      {scale.cuts.map(({ x, width }) => (
        <path key={x} class="cut-mark" d={zigzag(x + width / 2, 20, bottom)} />
      ))}
      {items.map((placed) => (
        <Label key={placed.item.id} placed={placed} />
      ))}
    </svg>
  );
}

const toneIn = ({ item }: PlacedItem, chosen: string | undefined, near: ReadonlySet<string>): string => {
  if (item.id === chosen) return " is-chosen";
  return near.has(item.id) ? " is-near" : "";
};

interface ItemProps {
  readonly placed: PlacedItem;
  readonly tone: string;
  readonly onChoose: (id: string) => void;
}

function Item({ placed: { item, x, y, width, isPoint }, tone, onChoose }: ItemProps): JSX.Element {
  const names = ["item", `of-${item.lane}`, item.hasFailed && "has-failed", item.to === undefined && "is-running"];
  return (
    <g
      class={names.filter(Boolean).join(" ") + tone}
      onPointerEnter={() => onChoose(item.id)}
      onClick={() => onChoose(item.id)}
    >
      {isPoint ? (
        <circle cx={x} cy={y + BAR_HEIGHT / 2} r="5.5" />
      ) : (
        <rect x={x} y={y} width={width} height={BAR_HEIGHT} rx={Math.min(4, width / 2)} />
      )}
    </g>
  );
}

/** The text is drawn above the cuts, which cross only the bars. */
function Label({ placed: { item, y, label } }: { placed: PlacedItem }): JSX.Element | null {
  if (!label) return null;
  const names = ["item-label", label.isInside && "is-inside", item.hasFailed && "has-failed"];
  return (
    <text class={names.filter(Boolean).join(" ")} x={label.x} y={y + BAR_HEIGHT / 2}>
      {label.text}
    </text>
  );
}

/** Marks a cut, also across a bar that lasts longer than the cut. */
function zigzag(x: number, top: number, bottom: number): string {
  const steps = Math.floor((bottom - top) / 8);
  return `M${x} ${top}${Array.from({ length: steps }, (_, i) => `l${i % 2 === 0 ? 4 : -4} 8`).join("")}`;
}

/** The call behind an item in the lane of the partner, the terminal or the gateway. */
const callOf = ({ id }: LaneItem): string | undefined => /^(?:caller|gateway) (.+)$/.exec(id)?.[1];

/** The details of the chosen item. Its height stays the same if no item is chosen, so that the content below does not move. */
function ItemFacts({ item, items, now }: { item: LaneItem | undefined; items: readonly LaneItem[]; now: number }) {
  return (
    <p class="lane-facts" aria-live="polite">
      {item ? (
        <Facts item={item} items={items} now={now} />
      ) : (
        <span class="quiet">Point at an item to see its details.</span>
      )}
    </p>
  );
}

function Facts({ item, items, now }: { item: LaneItem; items: readonly LaneItem[]; now: number }): JSX.Element {
  const start = Math.min(...items.map(({ from }) => from));
  const cause = items.find(({ id }) => id === item.cause);
  return (
    <>
      <b>{item.title}</b> <span class="quiet">{laneWords[item.lane]}, at</span> {lengthText(item.from - start)}
      {item.to !== item.from && (
        <>
          <span class="quiet">, {item.to === undefined ? "for" : "took"}</span>{" "}
          {lengthText((item.to ?? now) - item.from)}
          {item.to === undefined && <span class="quiet"> until now</span>}
        </>
      )}
      {item.detail !== undefined && <span class={item.hasFailed ? "is-bad" : ""}>{` · ${item.detail}`}</span>}
      {callOf(item) !== undefined && (
        <>
          {" · "}
          <a href={linkTo("requests", callOf(item))}>Its request</a>
        </>
      )}
      {cause && <span class="quiet">{` · because of ${cause.title} (${laneWords[cause.lane].toLowerCase()})`}</span>}
    </>
  );
}
