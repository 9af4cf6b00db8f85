import { describe, expect, it } from "vitest";
import { after, msBetween } from "../../../shared/domain/time.ts";
import { feedsTable } from "../../../shared/stores/feeds.ts";
import { feedEventRow, feedPartition } from "../../../shared/stores/keys.ts";
import { toColumns } from "../../../shared/stores/record.ts";
import { readFeed, type FeedPage } from "../../../shared/use-cases/feed/read-feed.ts";
import { newestPolls } from "../../../shared/use-cases/bells/newest-polls.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { caller, partnerId } from "../../support/platform.ts";
import { standingClock } from "../../support/standing-clock.ts";
import { at, paymentOf } from "./a-feed.ts";

interface Head {
  readonly first: number;
  readonly last: number;
  readonly gaps?: readonly { readonly after: number; readonly to: number }[];
}

/** A feed with these events and this head, and a reader on a clock that stands still. */
async function aFeedOf(numbers: readonly number[], head?: Head) {
  const rows = inMemoryRows();
  const put = (number: number) =>
    rows.submit(feedPartition(partnerId), [
      {
        kind: "overwrite",
        rowKey: feedEventRow(number),
        columns: toColumns({ number, body: "{}", subject: paymentOf(1), commandId: "c", enteredAt: at }),
      },
    ]);
  const putHead = ({ gaps = [], ...ends }: Head) =>
    rows.submit(feedPartition(partnerId), [
      { kind: "overwrite", rowKey: "feed", columns: toColumns({ ...ends, gaps }) },
    ]);
  for (const number of numbers) await put(number);
  if (head) await putHead(head);
  const looks: string[] = [];
  const table = feedsTable({
    ...rows,
    get: (...given) => (looks.push("head"), rows.get(...given)),
    after: (...given) => (looks.push("events"), rows.after(...given)),
  });
  const clock = standingClock(at);
  const polls = newestPolls();
  const deps = { feeds: table, polls, clock };
  const call = { caller };
  const begin = (number?: number, waitSeconds = 0, atMost = 100) =>
    readFeed(deps, call, { number, atMost, waitSeconds });
  return {
    put,
    putHead,
    looks,
    clock,
    polls,
    begin,
    /** The numbers of a page and its `next`, or why there is no page. */
    async read(...given: Parameters<typeof begin>) {
      const page = await begin(...given);
      return page.ok ? shown(page.value) : page.error.code;
    },
    /** Begins to read, and runs until it waits or ends. */
    async wait(number: number | undefined, seconds: number) {
      let ended: string | ReturnType<typeof shown> | undefined;
      void begin(number, seconds).then((page) => (ended = page.ok ? shown(page.value) : page.error.code));
      await clock.pass(0);
      return () => ended;
    },
  };
}
const shown = ({ events, next }: FeedPage) => [events.map(({ number }) => number), next];

describe("a page of the feed", () => {
  it("begins with the oldest event that is kept, and follows `next` to the end", async () => {
    const { read } = await aFeedOf([3, 4, 5], { first: 3, last: 5 });
    expect(await read()).toEqual([[3, 4, 5], 5]);
    expect(await read(undefined, 0, 2)).toEqual([[3, 4], 4]);
    expect(await read(4, 0, 2)).toEqual([[5], 5]);
    expect(await read(5)).toEqual([[], 5]);
  });

  it("is empty for a partner without events, and for one whose events are all gone", async () => {
    expect(await (await aFeedOf([])).read()).toEqual([[], 0]);
    expect(await (await aFeedOf([])).read(0)).toEqual([[], 0]);
    const { read } = await aFeedOf([], { first: 8, last: 7 });
    expect([await read(), await read(7)]).toEqual([
      [[], 7],
      [[], 7],
    ]);
  });

  it("is refused if events in between are gone, and for a number that the feed never assigned", async () => {
    const { read } = await aFeedOf([3, 4], { first: 3, last: 4 });
    expect([await read(0), await read(1)]).toEqual(["cursor_expired", "cursor_expired"]);
    expect(await read(2)).toEqual([[3, 4], 4]);
    expect(await read(5)).toBe("cursor_expired");
    expect(await (await aFeedOf([])).read(1)).toBe("cursor_expired");
  });

  it("ends before a number that the query missed, and continues with it once it is visible", async () => {
    const { read, put } = await aFeedOf([1, 2, 4, 5], { first: 1, last: 5 });
    expect(await read()).toEqual([[1, 2], 2]);
    expect(await read(2)).toEqual([[], 2]);
    await put(3);
    expect(await read(2)).toEqual([[3, 4, 5], 5]);
  });

  it("skips the numbers that a restore left out, from any position of the reader, even without a wait", async () => {
    const gaps = [{ after: 2, to: 100 }];
    const { read } = await aFeedOf([1, 2, 101, 102], { first: 1, last: 102, gaps });
    expect(await read()).toEqual([[1, 2], 2]);
    for (const number of [2, 3, 60, 99, 100]) expect(await read(number)).toEqual([[101, 102], 102]);
    const empty = await aFeedOf([], { first: 3, last: 100, gaps });
    expect([await empty.read(), await empty.read(2), await empty.read(50)]).toEqual([
      [[], 100],
      [[], 100],
      [[], 100],
    ]);
    expect(await empty.read(1)).toBe("cursor_expired");
  });
});

describe("a reader that waits", () => {
  it("gets an event soon after it was entered, and reads the head once", async () => {
    const feed = await aFeedOf([1], { first: 1, last: 1 });
    const ended = await feed.wait(1, 20);
    await feed.clock.pass(5_000);
    expect(ended()).toBeUndefined();
    await feed.put(2);
    await feed.clock.pass(500);
    expect(ended()).toEqual([[2], 2]);
    expect(feed.looks.filter((look) => look === "head")).toHaveLength(1);
  });

  it("gets an empty page once its time is over", async () => {
    const feed = await aFeedOf([1], { first: 1, last: 1 });
    const ended = await feed.wait(1, 20);
    await feed.clock.pass(19_900);
    expect(ended()).toBeUndefined();
    await feed.clock.pass(100);
    expect(ended()).toEqual([[], 1]);
    expect(msBetween(at, feed.clock.now())).toBe(20_000);
    expect(after(at, 20)).toBe(feed.clock.now());
  });

  it("gets its page at once if the process is about to end", async () => {
    const feed = await aFeedOf([], { first: 1, last: 0 });
    const ended = await feed.wait(undefined, 20);
    await feed.clock.pass(1_000);
    feed.polls.stop();
    await feed.clock.pass(0);
    expect(ended()).toEqual([[], 0]);
    expect(await feed.read(0, 20)).toEqual([[], 0]);
  });

  it("does not end another reader of the same partner", async () => {
    const feed = await aFeedOf([], { first: 1, last: 0 });
    const [one, other] = [await feed.wait(0, 20), await feed.wait(0, 20)];
    await feed.clock.pass(1_000);
    expect([one(), other()]).toEqual([undefined, undefined]);
    await feed.put(1);
    await feed.clock.pass(500);
    expect([one(), other()]).toEqual([
      [[1], 1],
      [[1], 1],
    ]);
  });

  it("holds eight calls of a partner at once: an additional one ends the oldest with an empty page", async () => {
    const feed = await aFeedOf([1], { first: 1, last: 1 });
    const readers: Awaited<ReturnType<typeof feed.wait>>[] = [];
    while (readers.length < 9) readers.push(await feed.wait(1, 20));
    await feed.clock.pass(0);
    expect(readers.map((ended) => ended())).toEqual([[[], 1], ...Array.from({ length: 8 }, () => undefined)]);
    await feed.put(2);
    await feed.clock.pass(500);
    expect(readers.slice(1).map((ended) => ended())).toEqual(Array.from({ length: 8 }, () => [[2], 2]));
    await feed.putHead({ first: 1, last: 2 });
    const next = await feed.wait(2, 20);
    await feed.clock.pass(1_000);
    expect(next()).toBeUndefined();
  });
});
