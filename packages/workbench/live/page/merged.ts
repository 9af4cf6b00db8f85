import { LONGEST, type Change, type Snapshot } from "../views/snapshot.ts";

type LongList = keyof typeof LONGEST;
const isLong = (name: string): name is LongList => name in LONGEST;

/** The state after a change. Items of long lists replace the items with the same `id`, and new items go to the front. */
export function merged(before: Snapshot, change: Change): Snapshot {
  const next: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(change))
    next[name] = isLong(name)
      ? mergedList<{ readonly id: string }>(name, before[name], value as Snapshot[LongList])
      : value;
  return next as unknown as Snapshot;
}

function mergedList<Item extends { readonly id: string }>(
  name: LongList,
  before: readonly Item[],
  changed: readonly Item[],
): readonly Item[] {
  const byId = new Map(changed.map((item) => [item.id, item]));
  const kept = before.map((item) => {
    const replaced = byId.get(item.id);
    byId.delete(item.id);
    return replaced ?? item;
  });
  return [...byId.values(), ...kept].slice(0, LONGEST[name]);
}
