/** The shown part of a list: all of it, or only the items that existed when a person began to read it. */
export interface HeldList<Item> {
  readonly shown: readonly Item[];
  /** The number of items that wait to be shown. */
  readonly waiting: number;
}

/**
 * The list while it is held. It shows the held items that still exist, with their current content and order. `held` is undefined while the
 * list is not held.
 */
export function heldList<Item extends { readonly id: string }>(
  items: readonly Item[],
  held: ReadonlySet<string> | undefined,
): HeldList<Item> {
  if (!held) return { shown: items, waiting: 0 };
  const shown = items.filter(({ id }) => held.has(id));
  return { shown, waiting: items.length - shown.length };
}
