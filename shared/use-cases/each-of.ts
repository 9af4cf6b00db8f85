/** The number of items handled at the same time. It also limits the table calls under way, unless an item makes several. */
export const AT_ONCE = 16;

/**
 * Acts on each item, sixteen at a time. Results are in the order of the items. If one result of a batch is enough, later batches are left
 * out. The first error ends the run. The other items of its batch go on, and their results are lost.
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
