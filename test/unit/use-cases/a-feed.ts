import { setImmediate as turn } from "node:timers/promises";
import { effectId } from "../../../shared/domain/effects.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import type { Command } from "../../../shared/stores/commands.ts";
import { type FeedEvent, feedsTable } from "../../../shared/stores/feeds.ts";
import type { PartnerSubject } from "../../../shared/ports/subjects.ts";
import type { Operation } from "../../../shared/ports/rows.ts";
import { feedWriter, type FeedWriter } from "../../../shared/use-cases/feed/feed-writer.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { partnerId } from "../../support/platform.ts";

export const at = "2026-11-21T10:00:00.000Z";

export const paymentOf = (n: number, of = partnerId): Extract<PartnerSubject, { kind: "payment" }> => ({
  kind: "payment",
  partnerId: of,
  terminalId: "t",
  sessionId: `session-${n}`,
});

/** A change of a subject that caused these events, by their types. */
export const aCommand = (
  subject: PartnerSubject,
  sequence: number,
  types: readonly string[],
  more: Partial<Command> = {},
): Command => ({
  commandId: `command ${JSON.stringify(subject)} ${sequence}`,
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
 * still until the test sets it, and pauses end in a turn.
 */
export function aFeed({ fate = () => "written" }: { fate?: () => Fate } = {}) {
  const rows = inMemoryRows();
  const groups: (readonly Operation[])[] = [];
  const calls = { marks: 0, heads: 0, groups: 0 };
  const clock = { at };
  const feeds = feedsTable({
    ...rows,
    async get(partition, rowKey) {
      calls[rowKey === "feed" ? "heads" : "marks"]++;
      await turn();
      return rows.get(partition, rowKey);
    },
    async submit(partition, operations) {
      calls.groups++;
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
  const committed = new Map<string, Command>();
  const ofSubject = (subject: Command["subject"]) =>
    [...committed.values()].filter((command) => JSON.stringify(command.subject) === JSON.stringify(subject));
  const all = (of = partnerId): Promise<FeedEvent[]> => feeds.after(of, 0, 1_000);
  return {
    feeds,
    /** The groups that were written. */
    groups,
    clock,
    writer: (): FeedWriter => feedWriter({ feeds, clock: { now: () => clock.at, sleep: async () => turn() } }),
    /** Commits changes. From now on they are among their subject's commands. */
    commit(...changes: readonly Command[]): void {
      for (const change of changes) committed.set(change.commandId, change);
    },
    /** Enters a change as the worker of its webhook does: with its subject's other commands as they are now. */
    async enter(writer: FeedWriter, change: Command, isRepeated = false): Promise<void> {
      const subject = change.subject as PartnerSubject;
      const others = ofSubject(subject).filter(({ commandId }) => commandId !== change.commandId);
      await writer.enter({ subject, command: change, others, isRepeated });
    },
    /** Marks the first webhook of a change done. Its events are in the feed. */
    finish(change: Command): void {
      committed.set(change.commandId, { ...change, done: change.effects.slice(0, 1).map(effectId) });
    },
    /** The table calls that this makes. */
    async callsOf(act: () => Promise<void>): Promise<typeof calls> {
      Object.assign(calls, { marks: 0, heads: 0, groups: 0 });
      await act();
      return { ...calls };
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
