import type { Command } from "../../stores/commands.ts";
import { Unavailable } from "../../ports/failures.ts";
import type { PartnerSubject } from "../../ports/subjects.ts";
import { enterGroup, type EnterGroupDeps, type FeedEntry } from "./enter-group.ts";

/** Enters events into their partners' feeds. */
export interface FeedWriter {
  /**
   * Enters the events of a committed command, and those of the subject's earlier commands that the feed lacks. Events that the feed holds
   * are not entered again. Throws `Unavailable`. The events may or may not be in the feed then, and the call may be repeated.
   */
  enter(subject: PartnerSubject, command: Command): Promise<void>;
}

interface Waiting extends FeedEntry {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The most entries read for a group. For each one, its mark and its subject's commands are read. */
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
export function feedWriter(deps: EnterGroupDeps): FeedWriter {
  const lines = new Map<string, Waiting[]>();

  async function write(partnerId: string, line: Waiting[]): Promise<void> {
    for (let atOnce = MOST_AT_ONCE; line.length > 0;) {
      const entries = line.splice(0, atOnce);
      try {
        const left = new Set<FeedEntry>(await enterGroup(deps, partnerId, entries));
        for (const entry of entries) if (!left.has(entry)) entry.resolve();
        line.unshift(...entries.filter((entry) => left.has(entry)));
        atOnce = Math.min(MOST_AT_ONCE, atOnce * 2);
      } catch (error) {
        if (entries.length === 1 || isOfAll(error)) for (const entry of entries) entry.reject(error);
        else {
          line.unshift(...entries);
          atOnce = Math.floor(entries.length / 2);
        }
      }
    }
    lines.delete(partnerId);
  }

  return {
    enter(subject, command) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const line = lines.get(subject.partnerId) ?? [];
      line.push({ subject, command, resolve, reject });
      if (!lines.has(subject.partnerId)) {
        lines.set(subject.partnerId, line);
        void write(subject.partnerId, line);
      }
      return promise;
    },
  };
}
