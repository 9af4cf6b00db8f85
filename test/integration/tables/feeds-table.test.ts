import { expect, it } from "vitest";
import { Conflict } from "../../../shared/ports/failures.ts";
import { feedsTable } from "../../../shared/stores/feeds.ts";
import { retentionTables } from "../../../shared/stores/retention-tables.ts";
import { eachTable } from "../../../shared/stores/stores.ts";
import { onBothStores } from "./stores.ts";

const [at, later] = ["2026-11-21T10:00:00.000Z", "2026-12-30T10:00:00.000Z"];
const partnerId = "p1";
const subject = { kind: "payment", partnerId, sessionId: "s1" } as const;
const other = { kind: "actionRequest", partnerId, actionRequestId: "a1" } as const;
const body = '{"id":"one","text":"\\"\\u0001å😀\\ud83d\\u2028"}';

onBothStores("a feed", (newTable) => {
  it("has a head, events by number, and a mark for each subject, all of one group", async () => {
    const feeds = feedsTable(await newTable());
    expect([await feeds.head(partnerId), await feeds.mark(subject)]).toEqual([undefined, undefined]);
    const subjects = [
      { subject, mark: undefined, bodies: [body, "{}"], sequence: 3 },
      { subject: other, mark: undefined, bodies: ["{}"], sequence: 1 },
    ];
    await feeds.enter(partnerId, undefined, { subjects, at });
    expect(await feeds.head(partnerId)).toMatchObject({ first: 1, last: 3, gaps: [] });
    expect(await feeds.mark(subject)).toMatchObject({ sequence: 3, number: 2 });
    expect(await feeds.mark(other)).toMatchObject({ sequence: 1, number: 3 });
    expect(await feeds.after(partnerId, 0, 10)).toEqual([
      { number: 1, body, subject, enteredAt: at },
      { number: 2, body: "{}", subject, enteredAt: at },
      { number: 3, body: "{}", subject: other, enteredAt: at },
    ]);
    expect((await feeds.after(partnerId, 1, 1)).map(({ number }) => number)).toEqual([2]);
    expect(await feeds.after(partnerId, 3, 10)).toEqual([]);
    expect(await feeds.after("p2", 0, 10)).toEqual([]);
  });

  it("accepts a group only if head and marks are as they were read, and then the whole of it", async () => {
    const feeds = feedsTable(await newTable());
    const first = [{ subject, mark: undefined, bodies: ["{}"], sequence: 1 }];
    await feeds.enter(partnerId, undefined, { subjects: first, at });
    await expect(feeds.enter(partnerId, undefined, { subjects: first, at })).rejects.toThrow(Conflict);
    const [head, mark] = [await feeds.head(partnerId), await feeds.mark(subject)];
    const second = [{ subject, mark, bodies: ["{}"], sequence: 2 }];
    await feeds.enter(partnerId, head, { subjects: second, at });
    const fresh = [{ subject: other, mark: undefined, bodies: ["{}"], sequence: 1 }];
    await expect(feeds.enter(partnerId, head, { subjects: fresh, at })).rejects.toThrow(Conflict);
    await expect(feeds.enter(partnerId, await feeds.head(partnerId), { subjects: second, at })).rejects.toThrow(
      Conflict,
    );
    expect(await feeds.after(partnerId, 0, 10)).toHaveLength(2);
    expect(await feeds.mark(other)).toBeUndefined();
  });

  it("keeps the order of the numbers at any length, and loses its oldest events with their marks", async () => {
    const rows = await newTable();
    const [feeds, retention] = [feedsTable(rows), retentionTables(eachTable(() => rows))];
    for (let group = 0; group < 3; group++) {
      const subjects = Array.from({ length: 40 }, (_, i) => ({
        subject: { ...subject, sessionId: `s${group}~${i}` },
        mark: undefined,
        bodies: ["{}"],
        sequence: 1,
      }));
      await feeds.enter(partnerId, await feeds.head(partnerId), { subjects, at: group < 2 ? at : later });
    }
    expect((await feeds.after(partnerId, 0, 1_000)).map(({ number }) => number)).toEqual(
      Array.from({ length: 120 }, (_, i) => i + 1),
    );
    expect(await retention.countEvents(partnerId, later)).toBe(80);
    const removed = [49, 31, 0].map((events) => ({ events, rows: 2 * events }));
    for (const group of removed) expect(await retention.removeEvents(partnerId, later)).toEqual(group);
    expect(await feeds.head(partnerId)).toMatchObject({ first: 81, last: 120 });
    expect((await feeds.after(partnerId, 0, 1_000))[0]).toMatchObject({ number: 81 });
    expect(await feeds.mark({ ...subject, sessionId: "s1~39" })).toBeUndefined();
    expect(await feeds.mark({ ...subject, sessionId: "s2~0" })).toMatchObject({ number: 81 });
  });
});
