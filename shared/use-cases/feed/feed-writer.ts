import { Unavailable } from "../../ports/failures.ts";
import { enterEvents, type EnterEventsDeps, type KnownFeed } from "./enter-events.ts";
import type { FeedEntry } from "./events-due.ts";

/** Enters events into their partners' feeds. */
export interface FeedWriter {
  /**
   * Enters the events of a committed command, and those of the subject's earlier commands that the feed lacks. Events that the feed holds
   * are not entered again. Throws `Unavailable`. The events may or may not be in the feed then, and the call may be repeated.
   */
  enter(entry: FeedEntry): Promise<void>;
}

interface Waiting {
  readonly entry: FeedEntry;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The most entries at once. For each one, marks may be read. */
const MOST_AT_ONCE = 32;

/**
 * Whether the error concerns every entry of the group, such as a failure of the tables. Any other error concerns one entry, such as a row
 * that cannot be read. The other entries go on without it.
 */
const isOfAll = (error: unknown): boolean => error instanceof Unavailable && !error.isVersionAhead;

/**
 * The writer of one process. It has at most one group of a partner under way. Entries that arrive meanwhile go into the next group. So a
 * feed takes as many events a second as fit into its groups, and processes seldom conflict on its head.
 */
export function feedWriter(deps: EnterEventsDeps): FeedWriter {
  const lines = new Map<string, Waiting[]>();
  /** One small entry for each partner, and there are at most some thousand partners. */
  const feeds = new Map<string, KnownFeed>();
  const feedOf = (partnerId: string): KnownFeed => {
    const feed = feeds.get(partnerId) ?? { partnerId, head: undefined, waryUntil: "" };
    feeds.set(partnerId, feed);
    return feed;
  };

  async function write(partnerId: string, line: Waiting[]): Promise<void> {
    for (let atOnce = MOST_AT_ONCE; line.length > 0;) {
      const some = line.splice(0, atOnce);
      try {
        await enterEvents(
          deps,
          feedOf(partnerId),
          some.map(({ entry }) => entry),
        );
        for (const { resolve } of some) resolve();
        atOnce = Math.min(MOST_AT_ONCE, atOnce * 2);
      } catch (error) {
        if (some.length === 1 || isOfAll(error)) for (const { reject } of some) reject(error);
        else {
          line.unshift(...some);
          atOnce = Math.floor(some.length / 2);
        }
      }
    }
    lines.delete(partnerId);
  }

  return {
    enter(entry) {
      const { partnerId } = entry.subject;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const line = lines.get(partnerId) ?? [];
      line.push({ entry, resolve, reject });
      if (!lines.has(partnerId)) {
        lines.set(partnerId, line);
        void write(partnerId, line);
      }
      return promise;
    },
  };
}
