/** Lists by key, bounded in both: of too many keys the oldest leave, and of too many items of one key the newest are not kept. */
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
