import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { heldList } from "./held-list.ts";
import { useSize } from "./hooks.ts";
import { counted } from "./text.ts";
import { goInstead } from "./use-route.ts";
import { scrolledTo, visibleRows } from "./visible-rows.ts";

interface LongListProps<Item> {
  /** The accessible name of the list, and the noun for one item. */
  readonly label: string;
  readonly noun: string;
  readonly items: readonly Item[];
  /** The identifier of the chosen item. */
  readonly chosen: string | undefined;
  /**
   * The address that chooses an item. If an arrow key moves the focus away from the chosen item, the page goes to the new item's address.
   */
  readonly link: (item: Item) => string;
  readonly row: (item: Item) => JSX.Element;
}

/**
 * A list of links of equal height. Only the visible links are drawn. The height is the variable `--row` of its style. While a person reads
 * the list (it is scrolled, or has the focus or the pointer), nothing moves. A bar above the list counts the new items.
 */
export function LongList<Item extends { readonly id: string }>(props: LongListProps<Item>): JSX.Element {
  const { label, noun, items, chosen, link, row } = props;
  const { box, width, height } = useSize<HTMLDivElement>();
  const [scrolled, setScrolled] = useState(0);
  const { isRead, readers } = useReaders();
  const rowHeight = useRowHeight(box, width);
  const { shown, waiting, showAll } = useHeld(items, isRead || scrolled > rowHeight / 2);
  const { active, listener } = useArrows(props, shown, { box, rowHeight });
  const { first, end } = visibleRows({ count: shown.length, rowHeight, scrolled, height });
  const tabStop = tabStopOf(shown, [active, chosen]);
  return (
    <div class="long-list">
      {waiting > 0 && (
        <button
          type="button"
          class="long-list-new"
          onClick={() => {
            showAll();
            box.current?.scrollTo({ top: 0 });
          }}
        >
          {counted(waiting, `new ${noun}`)}
        </button>
      )}
      <div
        ref={box}
        class="long-list-rows"
        onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollTop)}
        onKeyDown={listener}
        {...readers}
      >
        <ul aria-label={label} style={{ height: `${shown.length * rowHeight}px` }}>
          {shown.map((item, i) =>
            (i >= first && i < end) || item.id === tabStop ? (
              <li
                key={item.id}
                aria-posinset={i + 1}
                aria-setsize={shown.length}
                style={{ transform: `translateY(${i * rowHeight}px)` }}
              >
                <a
                  href={link(item)}
                  data-id={item.id}
                  tabIndex={item.id === tabStop ? 0 : -1}
                  aria-current={item.id === chosen ? "true" : undefined}
                >
                  {row(item)}
                </a>
              </li>
            ) : null,
          )}
        </ul>
      </div>
    </div>
  );
}

/** The one link that the tab key reaches. The arrow keys reach the others. */
const tabStopOf = (shown: readonly { readonly id: string }[], wanted: readonly (string | undefined)[]) =>
  wanted.find((id) => id !== undefined && shown.some((item) => item.id === id)) ?? shown[0]?.id;

/** Whether the pointer or the focus is in the list. Only a mouse counts, because a finger leaves no pointer behind. */
function useReaders() {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const readers = {
    onPointerMove: ({ pointerType }: PointerEvent) => setPointed(pointerType === "mouse"),
    onPointerLeave: () => setPointed(false),
    onFocusIn: () => setFocused(true),
    onFocusOut: () => setFocused(false),
  };
  return { isRead: isPointed || isFocused, readers };
}

function useHeld<Item extends { readonly id: string }>(items: readonly Item[], isHeld: boolean) {
  const held = useRef<ReadonlySet<string>>(undefined);
  const [, draw] = useState(0);
  const hold = () => new Set(items.map(({ id }) => id));
  if (!isHeld || items.length === 0) held.current = undefined;
  else held.current ??= hold();
  const showAll = () => {
    held.current = hold();
    draw((count) => count + 1);
  };
  return { ...heldList(items, held.current), showAll };
}

const ASSUMED_ROW = 48;

interface Box {
  readonly current: HTMLDivElement | null;
}

/** The style sets the row's height: a narrow list has higher rows. */
function useRowHeight(box: Box, width: number): number {
  const [rowHeight, setRowHeight] = useState(ASSUMED_ROW);
  useLayoutEffect(() => {
    if (box.current)
      setRowHeight(Number.parseFloat(getComputedStyle(box.current).getPropertyValue("--row")) || ASSUMED_ROW);
  }, [box, width]);
  return rowHeight;
}

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -1e6,
  End: 1e6,
};

/** The arrow keys move the focus through the rows. If a row is chosen, the choice moves too. */
function useArrows<Item extends { readonly id: string }>(
  { chosen, link }: LongListProps<Item>,
  shown: readonly Item[],
  { box, rowHeight }: { readonly box: Box; readonly rowHeight: number },
) {
  const [active, setActive] = useState<string>();
  const moving = useRef<string>(undefined); // the row that gets the focus after the next rendering
  const focusTabStop = () => box.current?.querySelector<HTMLElement>('a[tabindex="0"]')?.focus({ preventScroll: true });
  useLayoutEffect(() => {
    if (moving.current === undefined || moving.current !== active) return;
    moving.current = undefined;
    focusTabStop();
  }, [active, box]);

  function listener(event: KeyboardEvent): void {
    const step = steps[event.key];
    const focused = moving.current ?? (event.target as HTMLElement).dataset["id"];
    const at = shown.findIndex(({ id }) => id === focused);
    const next = Math.min(shown.length - 1, Math.max(0, at + (step ?? 0)));
    const item = shown[next];
    if (step === undefined || at === -1 || !item || !box.current) return;
    event.preventDefault();
    const { scrollTop, clientHeight } = box.current;
    box.current.scrollTop = scrolledTo(next, { rowHeight, scrolled: scrollTop, height: clientHeight });
    if (item.id === active) focusTabStop();
    else moving.current = item.id;
    setActive(item.id);
    if (chosen !== undefined) goInstead(link(item));
  }
  return { active, listener };
}
