import type { World } from "../common/retries.ts";
import type { CallOptions } from "../common/sender.ts";
import type { Payment, PaymentList, PaymentListQuery } from "./types.ts";

type ListOf = (query: PaymentListQuery, options: CallOptions) => Promise<PaymentList>;

/** The pause after an empty page that has a next one. The platform needs time, or searches for few payments among many. */
const EMPTY_PAGE_MS = 250;

/** Yields every payment of a list, page by page. If the call of a page still fails after its retries, its error is thrown. */
export async function* allPayments(
  list: ListOf,
  { sleep }: Pick<World, "sleep">,
  query: PaymentListQuery = {},
  options: CallOptions = {},
): AsyncGenerator<Payment, void, void> {
  for (let page = await list(query, options); ;) {
    yield* page.payments;
    if (page.next === undefined) return;
    if (page.payments.length === 0) await sleep(EMPTY_PAGE_MS, options.signal ?? new AbortController().signal);
    page = await list({ ...query, after: page.next }, options);
  }
}
