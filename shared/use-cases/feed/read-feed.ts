import { after, msBetween } from "../../domain/time.ts";
import { ok, refuse, type Result } from "../../domain/result.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { PartnerCall } from "../caller.ts";
import type { FeedEvent, FeedHead, Feeds } from "../../stores/feeds.ts";
import type { Polls } from "../bells/newest-polls.ts";
import type { Needs } from "../needs.ts";

export interface ReadFeedDeps extends Needs<"clock" | "feeds"> {
  readonly polls: Polls;
}

export interface FeedRequest {
  /** The number of the last event that was read; undefined to begin with the oldest event that is kept. */
  readonly number: number | undefined;
  readonly atMost: number;
  /** How long the call waits if there is no event. */
  readonly waitSeconds: number;
}

export interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** The `number` with which the next page is read. */
  readonly next: number;
}

/**
 * How often a waiting reader looks. No bell rings for it, because a partner has few readers, and gets each event as a webhook or a
 * response.
 */
const LOOK_EVERY_MS = 500;
/**
 * The most calls of a partner that wait in a process, since each one uses up one of the calls that an instance takes. One more ends the
 * oldest, which gets an empty page.
 */
const MOST_WAITING = 8;

/**
 * The events after a number, in the order of the feed. A reader that continues with `next` gets each event of the feed once. Refuses a
 * number that the feed never gave, or whose next event is no longer kept.
 */
export async function readFeed(
  deps: ReadFeedDeps,
  { caller: { partnerId } }: Pick<PartnerCall, "caller">,
  { number, atMost, waitSeconds }: FeedRequest,
): Promise<Result<FeedPage, Refusal<"cursor_expired">>> {
  const { feeds, polls, clock } = deps;
  const until = after(clock.now(), waitSeconds);
  const poll = polls.begin(`feed ${partnerId}`, MOST_WAITING);
  try {
    for (let from = number ?? 0, isAtEnd = false; ;) {
      const events = await eventsAfter(feeds, partnerId, from, atMost);
      const last = events.at(-1);
      if (last) return ok({ events, next: last.number });
      if (!isAtEnd) {
        const next = numberToGoOn(await feeds.head(partnerId), from, number === undefined);
        if (next === undefined) return refuse({ code: "cursor_expired" });
        isAtEnd = next === from;
        from = next;
        if (!isAtEnd) continue;
      }
      const left = Math.min(msBetween(clock.now(), until), waitSeconds * 1_000);
      if (left <= 0 || poll.isOver()) return ok({ events, next: from });
      await poll.pause(Math.min(left, LOOK_EVERY_MS), clock);
    }
  } finally {
    poll.end();
  }
}

/**
 * The events that follow the number without a gap. A page ends before a gap, because Table Storage does not promise that one query sees
 * groups in commit order. A later page has the missed events.
 */
async function eventsAfter(feeds: Feeds, partnerId: string, number: number, atMost: number): Promise<FeedEvent[]> {
  const found = await feeds.after(partnerId, number, atMost);
  return found.filter((event, i) => event.number === number + 1 + i);
}

/**
 * The number to continue with if no event follows this one: the same at the end of the feed, a greater one before a gap. Undefined if the
 * reader has missed events that are no longer kept, or if the feed never gave this number. A reader that begins has missed no events.
 */
function numberToGoOn(head: FeedHead | undefined, number: number, begins: boolean): number | undefined {
  const { first, last, gaps } = head ?? { first: 1, last: 0, gaps: [] };
  if (number < first - 1) return begins ? first - 1 : undefined;
  if (number > last) return undefined;
  return gaps.find(({ after, to }) => after <= number && number < to)?.to ?? number;
}
