/**
 * Lists by key, with two limits. If there are too many keys, the oldest is removed. If a key has too many items, the newest items are
 * dropped.
 */
export interface BoundedLists<Item> {
  add(key: string, item: Item): void;
  of(key: string): readonly Item[];
}

export function boundedLists<Item>(most: { readonly keys: number; readonly items: number }): BoundedLists<Item> {
  const lists = new Map<string, Item[]>();
  return {
    add(key, item) {
      const list = lists.get(key);
      if (list) {
        if (list.length < most.items) list.push(item);
        return;
      }
      lists.set(key, [item]);
      const [oldest] = lists.keys();
      if (lists.size > most.keys && oldest !== undefined) lists.delete(oldest);
    },
    of: (key) => lists.get(key) ?? [],
  };
}
