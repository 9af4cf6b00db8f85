import { expect, it } from "vitest";
import { Conflict } from "../../../shared/ports/failures.ts";
import { feedsTable, type StoredHead } from "../../../shared/stores/feeds.ts";
import { retentionTables } from "../../../shared/stores/retention-tables.ts";
import { eachTable } from "../../../shared/stores/stores.ts";
import { onBothStores } from "../tables/stores.ts";

const [at, later] = ["2026-11-21T10:00:00.000Z", "2026-12-30T10:00:00.000Z"];
const partnerId = "p1";
const subject = { kind: "payment", partnerId, terminalId: "t1", sessionId: "s1" } as const;
const other = { kind: "actionRequest", partnerId, actionRequestId: "a1" } as const;
const body = '{"id":"one","text":"\\"\\u0001å😀\\ud83d\\u2028"}';

const change = (commandId: string, bodies = ["{}"]) => ({ commandId, subject, bodies });

onBothStores("a feed", (newTable) => {
  it("has a head, events by number, and a mark for each command, all of one group", async () => {
    const feeds = feedsTable(await newTable());
    expect([await feeds.head(partnerId), await feeds.isMarked(partnerId, "one")]).toEqual([undefined, false]);
    const changes = [change("one", [body, "{}"]), { ...change("two"), subject: other }];
    const head = await feeds.enter(partnerId, undefined, { changes, at });
    expect(head).toMatchObject({ first: 1, last: 3, gaps: [] });
    expect(await feeds.head(partnerId)).toEqual(head);
    expect([await feeds.isMarked(partnerId, "one"), await feeds.isMarked(partnerId, "two")]).toEqual([true, true]);
    expect(await feeds.after(partnerId, 0, 10)).toEqual([
      { number: 1, body, subject, commandId: "one", enteredAt: at },
      { number: 2, body: "{}", subject, commandId: "one", enteredAt: at },
      { number: 3, body: "{}", subject: other, commandId: "two", enteredAt: at },
    ]);
    expect((await feeds.after(partnerId, 1, 1)).map(({ number }) => number)).toEqual([2]);
    expect(await feeds.after(partnerId, 3, 10)).toEqual([]);
    expect(await feeds.after("p2", 0, 10)).toEqual([]);
  });

  it("accepts a group only on its head and without events of the same commands, and then the whole of it", async () => {
    const feeds = feedsTable(await newTable());
    const enter = (head: StoredHead | undefined, ...commands: string[]) =>
      feeds.enter(partnerId, head, { changes: commands.map((command) => change(command)), at });
    const first = await enter(undefined, "one");
    await expect(enter(undefined, "two")).rejects.toThrow(Conflict);
    await expect(enter(first, "two", "one")).rejects.toThrow(Conflict);
    const second = await enter(first, "three");
    await expect(enter(first, "two")).rejects.toThrow(Conflict);
    expect(await feeds.isMarked(partnerId, "two")).toBe(false);
    expect(await enter(second, "two")).toMatchObject({ last: 3 });
    expect(await feeds.after(partnerId, 0, 10)).toHaveLength(3);
  });

  it("keeps the order of the numbers at any length, and loses its oldest events, a mark with the last of its events", async () => {
    const rows = await newTable();
    const [feeds, retention] = [feedsTable(rows), retentionTables(eachTable(() => rows))];
    let head: StoredHead | undefined;
    for (let group = 0; group < 3; group++) {
      const changes = Array.from({ length: 30 }, (_, i) => change(`c${group * 30 + i + 1}`, [body, body]));
      head = await feeds.enter(partnerId, head, { changes, at: group < 2 ? at : later });
    }
    expect((await feeds.after(partnerId, 0, 1_000)).map(({ number }) => number)).toEqual(
      Array.from({ length: 180 }, (_, i) => i + 1),
    );
    expect(await retention.countEvents(partnerId, later)).toBe(120);
    const marks = (...commands: number[]) => Promise.all(commands.map((c) => feeds.isMarked(partnerId, `c${c}`)));
    expect(await retention.removeEvents(partnerId, later)).toEqual({ events: 49, rows: 49 + 24 });
    expect(await marks(24, 25)).toEqual([false, true]);
    for (const [events, marked] of [
      [49, 25],
      [22, 11],
      [0, 0],
    ] as const)
      expect(await retention.removeEvents(partnerId, later)).toEqual({ events, rows: events + marked });
    expect(await feeds.head(partnerId)).toMatchObject({ first: 121, last: 180 });
    expect((await feeds.after(partnerId, 0, 1_000))[0]).toMatchObject({ number: 121 });
    expect(await marks(25, 60, 61)).toEqual([false, false, true]);
  });
});
