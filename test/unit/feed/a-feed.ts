import { setImmediate as turn } from "node:timers/promises";
import { Unavailable } from "../../../shared/ports/failures.ts";
import type { Command } from "../../../shared/stores/commands.ts";
import { type FeedEvent, feedsTable } from "../../../shared/stores/feeds.ts";
import type { PartnerSubject } from "../../../shared/ports/subjects.ts";
import type { Operation } from "../../../shared/ports/rows.ts";
import { feedWriter } from "../../../shared/use-cases/feed/feed-writer.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { partnerId } from "../../support/platform.ts";

export const at = "2026-11-21T10:00:00.000Z";

export const paymentOf = (n: number, of = partnerId): Extract<PartnerSubject, { kind: "payment" }> => ({
  kind: "payment",
  partnerId: of,
  sessionId: `session-${n}`,
});

/** A change of a subject that caused these events, by their types. */
export const aCommand = (
  subject: PartnerSubject,
  sequence: number,
  types: readonly string[],
  more: Partial<Command> = {},
): Command => ({
  commandId: `command-${sequence}`,
  subject,
  state: "ready",
  sequence,
  at,
  effects: types.map((type) => ({ kind: "webhook", type, eventId: `${JSON.stringify(subject)} ${sequence} ${type}` })),
  event: { data: { sequence } },
  done: [],
  etag: "",
  ...more,
});

/** The fate of one group. It is written, its response is lost after the write, or it is lost before the write. */
type Fate = "written" | "answer lost" | "never written";

/**
 * The feeds on tables that take a turn for each call, their subjects' commands, and writers, each in its own process. The clock stands
 * still, and pauses end in a turn.
 */
export function aFeed({ now = at, fate = () => "written" }: { now?: string; fate?: () => Fate } = {}) {
  const rows = inMemoryRows();
  const groups: (readonly Operation[])[] = [];
  const reads = { marks: 0, heads: 0, commands: 0 };
  const feeds = feedsTable({
    ...rows,
    async get(partition, rowKey) {
      reads[rowKey === "feed" ? "heads" : "marks"]++;
      await turn();
      return rows.get(partition, rowKey);
    },
    async submit(partition, operations) {
      await turn();
      const is = fate();
      if (is === "never written") throw new Unavailable("the tables did not take it");
      const etags = await rows.submit(partition, operations);
      groups.push(operations);
      await turn();
      if (is === "answer lost") throw new Unavailable("no answer");
      return etags;
    },
  });
  const committed: Command[] = [];
  const commands = {
    async ofSubject(subject: PartnerSubject): Promise<Command[]> {
      reads.commands++;
      await turn();
      return committed.filter((command) => JSON.stringify(command.subject) === JSON.stringify(subject));
    },
  };
  const writer = () => feedWriter({ feeds, commands, clock: { now: () => now, sleep: async () => turn() } });
  const all = (of = partnerId): Promise<FeedEvent[]> => feeds.after(of, 0, 1_000);
  return {
    feeds,
    commands,
    groups,
    reads,
    writer,
    /** Commits changes. From now on they are among their subject's commands. */
    commit(...changes: readonly Command[]): void {
      committed.push(...changes);
    },
    all,
    /** The feed as `<session> <sequence> <type>`, with each number checked. */
    async events(of = partnerId): Promise<string[]> {
      return (await all(of)).map(({ number, body, subject }, i) => {
        if (number !== i + 1) throw new Error(`the number ${number} follows ${i}`);
        const { sequence, type } = JSON.parse(body) as { readonly sequence: number; readonly type: string };
        return `${subject.kind === "payment" ? subject.sessionId : subject.kind} ${sequence} ${type}`;
      });
    },
  };
}
