import { LONGEST, type Change, type Snapshot } from "./views/snapshot.ts";

type LongList = keyof typeof LONGEST;
type Whole = Exclude<keyof Change, LongList>;
type ItemOf<List extends LongList> = Snapshot[List][number];

/** The current data of the page. Its lists are bounded, so it does not grow over days. */
export interface LiveState {
  /** In the lists, the newest come first. */
  snapshot(): Omit<Snapshot, "stack">;
  /**
   * Calls `listener` with the changes, at most 20 times a second. If an item changes several times within 50 ms, only the last change is
   * reported. Returns a function that unsubscribes.
   */
  subscribe(listener: (change: Change) => void): () => void;
  /** Adds an item to a long list, or replaces the item with the same `id` in its position. A full list drops its oldest item. */
  put<List extends LongList>(list: List, item: ItemOf<List>): void;
  find<List extends LongList>(list: List, id: string): ItemOf<List> | undefined;
  /** The items of a list, the oldest first. */
  all<List extends LongList>(list: List): readonly ItemOf<List>[];
  /** Replaces a value that is always sent as a whole. */
  set<Name extends Whole>(name: Name, value: Snapshot[Name]): void;
  /** Ends all subscriptions. */
  stop(): void;
}

const EVERY_MS = 50;

export function newState(): LiveState {
  const lists: Record<LongList, Map<string, { readonly id: string }>> = {
    payments: new Map(),
    webhooks: new Map(),
    mails: new Map(),
    calls: new Map(),
  };
  const whole: Pick<Snapshot, Whole> = {
    terminals: [],
    registered: [],
    days: [],
    alerts: [],
    queues: [],
    faults: [],
    receiver: { answer: "200" },
  };
  const listeners = new Set<(change: Change) => void>();
  const changedItems = new Map<LongList, Set<string>>();
  const changedWhole = new Set<Whole>();
  let timer: NodeJS.Timeout | undefined;

  const tellSoon = () => {
    if (listeners.size > 0) timer ??= setTimeout(notify, EVERY_MS);
  };
  const notify = () => {
    timer = undefined;
    const items = [...changedItems].map(([list, ids]) => [
      list,
      [...ids].flatMap((id) => lists[list].get(id) ?? []).toReversed(), // skips items that were dropped meanwhile
    ]);
    const change = Object.fromEntries([...items, ...[...changedWhole].map((name) => [name, whole[name]])]) as Change;
    changedItems.clear();
    changedWhole.clear();
    for (const listener of listeners) listener(change);
  };
  const itemsOf = <List extends LongList>(list: List) => lists[list] as Map<string, ItemOf<List>>; // `put` adds only such items

  return {
    snapshot: () => ({
      ...whole,
      payments: [...itemsOf("payments").values()].toReversed(),
      webhooks: [...itemsOf("webhooks").values()].toReversed(),
      mails: [...itemsOf("mails").values()].toReversed(),
      calls: [...itemsOf("calls").values()].toReversed(),
    }),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    put(list, item) {
      const items = itemsOf(list);
      items.set(item.id, item);
      const [oldest] = items.keys();
      if (items.size > LONGEST[list] && oldest !== undefined) items.delete(oldest);
      if (listeners.size === 0) return;
      const changed = changedItems.get(list) ?? new Set();
      changedItems.set(list, changed.add(item.id));
      tellSoon();
    },
    find: (list, id) => itemsOf(list).get(id),
    all: (list) => [...itemsOf(list).values()],
    set(name, value) {
      whole[name] = value;
      if (listeners.size > 0) changedWhole.add(name);
      tellSoon();
    },
    stop() {
      clearTimeout(timer);
      listeners.clear();
    },
  };
}
