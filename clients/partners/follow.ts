import type { World } from "../common/retries.ts";
import type { EventPage, WebhookEvent } from "./types.ts";

/** Options of a reader of the feed. */
export interface FollowOptions {
  /** The last value that `save` got. Without it, the reader begins with the oldest event that is kept. */
  readonly after?: string | undefined;
  /** Called and awaited after every event of a page was taken. Store the value, and pass it as `after` at the next start. */
  readonly save?: (next: string) => unknown;
  /** Ends the reader, without an error. */
  readonly signal?: AbortSignal | undefined;
}

/** The query of one page of the feed. */
export interface EventPageQuery {
  /** `next` of the page before. Without it, the page begins with the oldest event that is kept. */
  readonly after?: string;
  /** The most events of the page, 1 to 100. 100 when left out. */
  readonly limit?: number;
  /** Seconds to wait for an event if there is none, up to 20. No waiting when left out. */
  readonly wait?: number;
}

type PageOf = (query: EventPageQuery, options: { readonly signal: AbortSignal }) => Promise<EventPage>;

const WAIT_SECONDS = 20;
/** The least time between two calls without a new event. A platform that is about to end returns an empty page at once. */
const LEAST_MS = 1_000;

/**
 * Yields every event of the feed in order, until the caller stops. An event counts as taken when the caller asks for the next one. If an
 * event of a page was not taken, the whole page comes again at the next start. If the call of a page still fails after its retries, its
 * error is thrown.
 */
export async function* follow(
  pageOf: PageOf,
  { now, sleep }: Pick<World, "now" | "sleep">,
  { after, save, signal = new AbortController().signal }: FollowOptions,
): AsyncGenerator<WebhookEvent, void, void> {
  try {
    for (let at = after; !signal.aborted;) {
      const begunAt = now();
      const { events, next } = await pageOf(queryAfter(at), { signal });
      for (const event of events) {
        yield event;
        if (signal.aborted) return;
      }
      const isNew = next !== at;
      if (isNew) await save?.(next);
      else await sleep(Math.max(0, LEAST_MS - (now() - begunAt)), signal);
      at = next;
    }
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
  }
}

const queryAfter = (after: string | undefined): EventPageQuery =>
  after === undefined ? { wait: WAIT_SECONDS } : { after, wait: WAIT_SECONDS };
