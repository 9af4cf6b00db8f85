import { describe, expect, it } from "vitest";
import { after } from "../../../shared/domain/time.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import type { Command } from "../../../shared/stores/commands.ts";
import { feedGroup } from "../../../shared/stores/feeds.ts";
import type { FeedWriter } from "../../../shared/use-cases/feed/feed-writer.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { aCommand, aFeed, at, paymentOf } from "./a-feed.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe("entering events", () => {
  it("enters two hundred concurrent events in few groups, each once", async () => {
    const feed = aFeed();
    const writer = feed.writer();
    const changes = numbers(200).map((n) => aCommand(paymentOf(n), 2, ["payment.inProgress"]));
    feed.commit(...changes);
    await Promise.all(changes.map((change) => feed.enter(writer, change)));
    const events = await feed.events();
    expect(new Set(events).size).toBe(200);
    expect(events).toHaveLength(200);
    expect(feed.groups.length).toBeLessThanOrEqual(8);
  });

  it("enters an event with one call, and looks only for what was entered before by all appearances", async () => {
    const feed = aFeed();
    const writer = feed.writer();
    const [first, second, third] = numbers(3).map((n) => aCommand(paymentOf(1), n, ["one"])) as [
      Command,
      Command,
      Command,
    ];
    feed.commit(first);
    expect(await feed.callsOf(() => feed.enter(writer, first))).toEqual({ marks: 0, heads: 1, groups: 1 }); // of the process
    feed.commit(second);
    expect(await feed.callsOf(() => feed.enter(writer, second))).toEqual({ marks: 1, heads: 0, groups: 1 }); // the first is not done
    feed.finish(first);
    feed.finish(second);
    feed.commit(third);
    expect(await feed.callsOf(() => feed.enter(writer, third))).toEqual({ marks: 0, heads: 0, groups: 1 });
    expect(await feed.callsOf(() => feed.enter(writer, third, true))).toEqual({ marks: 1, heads: 0, groups: 0 });
    expect(await feed.callsOf(() => feed.enter(writer, third))).toEqual({ marks: 1, heads: 0, groups: 1 }); // a conflict
    expect(await feed.events()).toEqual(["session-1 1 one", "session-1 2 one", "session-1 3 one"]);
  });

  it("reads the head first for five seconds after another process has written it", async () => {
    const feed = aFeed();
    const [one, other] = [feed.writer(), feed.writer()];
    const change = (n: number) => aCommand(paymentOf(n), 1, ["one"]);
    const entering = (writer: FeedWriter, n: number) => feed.callsOf(() => feed.enter(writer, change(n)));
    await feed.enter(one, change(1));
    await feed.enter(other, change(2));
    expect(await entering(one, 3)).toEqual({ marks: 1, heads: 1, groups: 2 });
    await feed.enter(other, change(4));
    expect(await entering(one, 5)).toEqual({ marks: 0, heads: 1, groups: 1 });
    feed.clock.at = after(at, 5);
    expect(await entering(one, 6)).toEqual({ marks: 0, heads: 0, groups: 1 });
    expect(await feed.events()).toHaveLength(6);
  });

  it("enters every event once, each subject's in order, even if two processes write and responses are lost", async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = seededRandom(seed);
      const feed = aFeed({
        fate: () => (random.chance(0.8) ? "written" : random.pick("answer lost", "never written")),
      });
      const writers = [feed.writer(), feed.writer()] as const;
      const changes = numbers(12).flatMap((n) =>
        numbers(4).map((sequence) => aCommand(paymentOf(n), sequence, sequence === 3 ? ["a", "b"] : ["a"])),
      );
      feed.commit(...changes);
      const worker = async (change: Command): Promise<void> => {
        for (let isRepeated = false; ; isRepeated = random.chance(0.5)) {
          try {
            await feed.enter(random.pick(...writers), change, isRepeated);
            if (random.chance(0.5)) feed.finish(change);
            return;
          } catch (error) {
            if (!(error instanceof Unavailable)) throw error; // the queue redelivers it
          }
        }
      };
      const late = changes.toSorted(() => random.next() - 0.5);
      const [soon, later] = [late.slice(0, 24), late.slice(24)];
      for (const some of [soon, later])
        await Promise.all(
          some.flatMap((change) => (random.chance(0.2) ? [worker(change), worker(change)] : [worker(change)])),
        );
      const events = await feed.events();
      expect(events.toSorted(), `seed ${seed}`).toEqual(
        numbers(12)
          .flatMap((n) => [
            `session-${n} 1 a`,
            `session-${n} 2 a`,
            `session-${n} 3 a`,
            `session-${n} 3 b`,
            `session-${n} 4 a`,
          ])
          .toSorted(),
      );
      for (const n of numbers(12)) {
        const own = events.filter((event) => event.startsWith(`session-${n} `));
        expect(own, `seed ${seed}`).toEqual(own.toSorted());
      }
    }
  });

  it("enters the earlier events of a subject together with a later one that is announced first, and then nothing", async () => {
    const feed = aFeed();
    const changes = [
      aCommand(paymentOf(1), 1, ["one"]),
      aCommand(paymentOf(1), 2, []),
      aCommand(paymentOf(1), 3, ["three"]),
      aCommand(paymentOf(1), 4, ["four"]),
      aCommand(paymentOf(1), 0, ["never"], { state: "aborted" }),
    ];
    feed.commit(...changes);
    const [first, , third] = changes;
    if (!first || !third) throw new Error("no change");
    await feed.enter(feed.writer(), third);
    expect(await feed.events()).toEqual(["session-1 1 one", "session-1 3 three"]); // the fourth has its own announcement
    await feed.enter(feed.writer(), first);
    expect(feed.groups).toHaveLength(1);
  });

  it("keeps each partner's events in a feed of its own", async () => {
    const feed = aFeed();
    const writer = feed.writer();
    const changes = ["p1", "p2"].map((of) => aCommand(paymentOf(1, of), 1, ["one"]));
    feed.commit(...changes);
    await Promise.all(changes.map((change) => feed.enter(writer, change)));
    expect([await feed.events("p1"), await feed.events("p2")]).toEqual([["session-1 1 one"], ["session-1 1 one"]]);
  });

  it("splits more than a group can hold, by rows and by the characters of bodies", async () => {
    const many = aFeed();
    const changes = numbers(150).map((sequence) => aCommand(paymentOf(1), sequence, ["one"]));
    many.commit(...changes);
    const last = changes.at(-1);
    if (!last) throw new Error("no change");
    await many.enter(many.writer(), last);
    expect(await many.events()).toHaveLength(150);
    expect(many.groups.map((group) => group.length)).toEqual([49, 49, 49, 3].map((events) => 1 + 2 * events)); // head, events and marks

    const huge = aFeed();
    const data = { text: '"\u0001å😀'.repeat(20_000) };
    const large = numbers(12).map((n) => aCommand(paymentOf(n), 1, ["one"], { event: { data } }));
    huge.commit(...large);
    const writer = huge.writer();
    await Promise.all(large.map((change) => huge.enter(writer, change)));
    expect(await huge.events()).toHaveLength(12);
    for (const group of huge.groups) {
      expect(Buffer.byteLength(JSON.stringify(group))).toBeLessThan(4 * 1024 * 1024);
      expect(group.length).toBeLessThan(feedGroup.rows);
    }
  });

  it("fails an event whose command lacks its content, and enters the others", async () => {
    const feed = aFeed();
    const writer = feed.writer();
    const changes = numbers(40).map((n) => aCommand(paymentOf(n), 1, ["one"], n === 7 ? { event: undefined } : {}));
    const done = await Promise.allSettled(changes.map((change) => feed.enter(writer, change)));
    expect(done.flatMap(({ status }, i) => (status === "rejected" ? [i + 1] : []))).toEqual([7]);
    expect(await feed.events()).toHaveLength(39);
  });

  it("fails all of a group that the tables do not accept, and accepts what comes after", async () => {
    let isAway = true;
    const feed = aFeed({ fate: () => (isAway ? "never written" : "written") });
    const writer = feed.writer();
    const changes = numbers(3).map((n) => aCommand(paymentOf(n), 1, ["one"]));
    feed.commit(...changes);
    const enterAll = () => Promise.allSettled(changes.map((change) => feed.enter(writer, change)));
    expect((await enterAll()).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    isAway = false;
    expect((await enterAll()).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
    expect(await feed.events()).toHaveLength(3);
  });

  it("enters what waits behind a failing group", async () => {
    const fates = ["never written" as const];
    const feed = aFeed({ fate: () => fates.pop() ?? "written" });
    const writer = feed.writer();
    const changes = numbers(2).map((n) => aCommand(paymentOf(n), 1, ["one"]));
    const done = await Promise.allSettled(changes.map((change) => feed.enter(writer, change)));
    expect(done.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect(await feed.events()).toEqual(["session-2 1 one"]);
  });
});
