import type { RawResponse } from "../common/sender.ts";
import type { Booking, Problem, Settlement, SettlementQuery } from "./types.ts";

/** The most movements of one page. */
const MOST_OF_PAGE = 5_000;

/** Yields every movement of a settlement, page by page. If the call of a page still fails after its retries, its error is thrown. */
export async function* allLines(
  read: (query: SettlementQuery) => Promise<Settlement>,
  query: SettlementQuery = {},
): AsyncGenerator<Booking, void, void> {
  for (let after = query.after; ;) {
    const { bookings, next } = await read({ limit: MOST_OF_PAGE, ...query, ...(after !== undefined && { after }) });
    yield* bookings;
    if (next === undefined) return;
    after = next;
  }
}

/** The pages of a file, one after the other. */
export async function wholeFile(
  read: (query: SettlementQuery) => Promise<RawResponse<string, Problem>>,
  dataOf: (response: Promise<RawResponse<string, Problem>>) => Promise<string>,
  query: SettlementQuery = {},
): Promise<string> {
  let text = "";
  for (let after = query.after; ;) {
    const page = read({ limit: MOST_OF_PAGE, ...query, ...(after !== undefined && { after }) });
    text += await dataOf(page);
    const next = nextIn((await page).response.headers.get("link"));
    if (next === undefined) return text;
    after = next;
  }
}

/** The `after` of the next page, in a header such as `<?after=…>; rel="next"`. */
function nextIn(link: string | null): string | undefined {
  const [, query] = /<[^?>]*\?([^>]*)>;\s*rel="?next"?/.exec(link ?? "") ?? [];
  return query === undefined ? undefined : (new URLSearchParams(query).get("after") ?? undefined);
}
