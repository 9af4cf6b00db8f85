import type { RawResponse } from "../common/sender.ts";
import type { Problem, SettlementQuery } from "./types.ts";

/** The most movements of one page. */
export const MOST_LINES = 5_000;

/** The pages of a file, one after the other. */
export async function wholeFile(
  read: (query: SettlementQuery) => Promise<RawResponse<string, Problem>>,
  dataOf: (response: Promise<RawResponse<string, Problem>>) => Promise<string>,
  query: SettlementQuery = {},
): Promise<string> {
  let text = "";
  for (let after = query.after; ;) {
    const page = read({ limit: MOST_LINES, ...query, ...(after !== undefined && { after }) });
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
