import type { World } from "../common/retries.ts";
import type { CallOptions } from "../common/sender.ts";
import type { Payment, PaymentList, PaymentListQuery } from "./types.ts";

type ListOf = (query: PaymentListQuery, options: CallOptions) => Promise<PaymentList>;

/** A page may be empty while there is a next one: the platform needs time, or looks for few among many. Then the next call follows after this. */
const EMPTY_PAGE_MS = 250;

/** Every payment of a list, page by page. Throws what a call of one page rejects with, once its retries have ended. */
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
