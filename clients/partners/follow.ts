import type { World } from "../common/retries.ts";
import type { EventPage, WebhookEvent } from "./types.ts";

/** Where a reader of the feed begins, and how it ends. */
export interface FollowOptions {
  /** What `save` was last called with; without it the reader begins with the oldest event that is kept. */
  readonly after?: string | undefined;
  /** Is awaited once each event of a page was taken: what it stores goes into `after` of the next start. */
  readonly save?: (next: string) => unknown;
  /** Ends the reader, without an error. */
  readonly signal?: AbortSignal | undefined;
}

/** What one call reads of the feed. */
export interface EventPageQuery {
  /** `next` of the page before; without it the page begins with the oldest event that is kept. */
  readonly after?: string;
  /** The most events of the page, 1 to 100; 100 when left out. */
  readonly limit?: number;
  /** Seconds to wait for an event where there is none, up to 20; no waiting when left out. */
  readonly wait?: number;
}

type PageOf = (query: EventPageQuery, options: { readonly signal: AbortSignal }) => Promise<EventPage>;

const WAIT_SECONDS = 20;
/** A page that brought nothing may come at once, from a platform that is about to end: then the next call follows after this. */
const LEAST_MS = 1_000;

/**
 * Every event of the feed, in its order, for as long as the caller takes them. An event is taken once the caller asks for the next one: a
 * page of which one was not taken comes again at the next start. Throws what a call of one page rejects with, once its retries have ended.
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
