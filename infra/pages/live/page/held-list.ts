/** A list as it is shown: all of it, or without what came while a person read it. */
export interface HeldList<Item> {
  readonly shown: readonly Item[];
  /** How many items wait to be shown. */
  readonly waiting: number;
}

/**
 * The list while it is held: of the items that were shown before, those that still are there, as they are now, in their order. `held` is
 * undefined while the list is not held.
 */
export function heldList<Item extends { readonly id: string }>(
  items: readonly Item[],
  held: ReadonlySet<string> | undefined,
): HeldList<Item> {
  if (!held) return { shown: items, waiting: 0 };
  const shown = items.filter(({ id }) => held.has(id));
  return { shown, waiting: items.length - shown.length };
}
