import type { World } from "../common/retries.ts";
import type { CallOptions } from "../common/sender.ts";

/** A list that is read page by page. `next` of a page goes into `after` of the next call. */
interface Listing<Page, Item> {
  readonly read: (following: { readonly after?: string }) => Promise<Page>;
  readonly itemsOf: (page: Page) => readonly Item[];
}

/** The pause after an empty page that has a next one. The platform needs time, or searches for few items among many. */
const EMPTY_PAGE_MS = 250;

/** Yields every item of a list, page by page. If the call of a page still fails after its retries, its error is thrown. */
export async function* allPages<Page extends { readonly next?: string | undefined }, Item>(
  { read, itemsOf }: Listing<Page, Item>,
  { sleep }: Pick<World, "sleep">,
  { signal }: CallOptions = {},
): AsyncGenerator<Item, void, void> {
  for (let page = await read({}); ;) {
    const items = itemsOf(page);
    yield* items;
    if (page.next === undefined) return;
    if (items.length === 0) await sleep(EMPTY_PAGE_MS, signal ?? new AbortController().signal);
    page = await read({ after: page.next });
  }
}
