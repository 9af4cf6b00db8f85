/** How many items are handled at the same time: so many calls to the tables are under way at most, unless an item makes several. */
export const AT_ONCE = 16;

/**
 * Acts on each item, sixteen at the same time. Results are in the order of the items. Where one of sixteen is enough, the items after these
 * are left out. The first error ends it; the other fifteen go on, and their results are lost.
 */
export async function eachOf<Item, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
  isEnough: (result: Result) => boolean = () => false,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let i = 0; i < items.length; i += AT_ONCE) {
    const some = await Promise.all(items.slice(i, i + AT_ONCE).map(act));
    results.push(...some);
    if (some.some(isEnough)) break;
  }
  return results;
}
