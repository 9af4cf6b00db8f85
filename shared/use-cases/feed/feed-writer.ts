import type { Command } from "../../stores/commands.ts";
import { Unavailable } from "../../ports/failures.ts";
import type { PartnerSubject } from "../../ports/subjects.ts";
import { enterGroup, type EnterGroupDeps, type FeedEntry } from "./enter-group.ts";

/** Enters events into their partners' feeds. */
export interface FeedWriter {
  /**
   * Enters the events of a committed command, and with them those of the subject's earlier commands that the feed lacks. What it holds is
   * not entered again. Throws `Unavailable`; the events may be entered then, or not, and may be entered again.
   */
  enter(subject: PartnerSubject, command: Command): Promise<void>;
}

interface Waiting extends FeedEntry {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** So many are read for a group. Each reads its mark and its subject's commands. */
const MOST_AT_ONCE = 32;

/** A failure of the tables ends the group for all. Any other is of one entry, such as a row that cannot be read: the others go on without it. */
const isOfAll = (error: unknown): boolean => error instanceof Unavailable && !error.isVersionAhead;

/**
 * The writer of one process. It has at most one group of a partner under way; what comes meanwhile is in the next one. So a feed takes as
 * many events a second as fit into its groups, and processes meet on its head seldom.
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
