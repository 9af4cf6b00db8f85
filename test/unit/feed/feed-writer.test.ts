import { describe, expect, it } from "vitest";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { feedGroup } from "../../../shared/stores/feeds.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { aCommand, aFeed, paymentOf } from "./a-feed.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

describe("entering events", () => {
  it("enters two hundred concurrent events in few groups, each once", async () => {
    const feed = aFeed();
    const writer = feed.writer();
    const changes = numbers(200).map((n) => aCommand(paymentOf(n), 2, ["payment.inProgress"]));
    feed.commit(...changes);
    await Promise.all(changes.map((change, i) => writer.enter(paymentOf(i + 1), change)));
    const events = await feed.events();
    expect(new Set(events).size).toBe(200);
    expect(events).toHaveLength(200);
    expect(feed.groups.length).toBeLessThanOrEqual(8);
  });

  it("enters a single event with four calls, the following event with three, and an existing one with one", async () => {
    const feed = aFeed();
    const writer = feed.writer();
    const [first, second] = [aCommand(paymentOf(1), 2, ["one"]), aCommand(paymentOf(1), 3, ["two"])];
    feed.commit(first);
    const calls = async (change: typeof first) => {
      const count = () => feed.reads.marks + feed.reads.heads + feed.reads.commands + feed.groups.length;
      const before = count();
      await writer.enter(paymentOf(1), change);
      return count() - before;
    };
    expect(await calls(first)).toBe(4);
    feed.commit(second);
    expect(await calls(second)).toBe(3);
    expect(await calls(first)).toBe(1);
    expect(await calls(second)).toBe(1);
    expect(await feed.events()).toEqual(["session-1 2 one", "session-1 3 two"]);
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
      const worker = async (change: (typeof changes)[number]): Promise<void> => {
        for (;;) {
          try {
            return await random.pick(...writers).enter(change.subject as ReturnType<typeof paymentOf>, change);
          } catch (error) {
            if (!(error instanceof Unavailable)) throw error; // the queue redelivers it
          }
        }
      };
      const late = changes.toSorted(() => random.next() - 0.5);
      await Promise.all(
        late.flatMap((change) => (random.chance(0.2) ? [worker(change), worker(change)] : [worker(change)])),
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
    await feed.writer().enter(paymentOf(1), third);
    expect(await feed.events()).toEqual(["session-1 1 one", "session-1 3 three"]); // the fourth has its own announcement
    await feed.writer().enter(paymentOf(1), first);
    expect(feed.groups).toHaveLength(1);
  });

  it("keeps each partner's events in a feed of its own", async () => {
    const feed = aFeed();
    const writer = feed.writer();
    const changes = ["p1", "p2"].map((of) => aCommand(paymentOf(1, of), 1, ["one"]));
    feed.commit(...changes);
    await Promise.all(changes.map((change) => writer.enter(change.subject as ReturnType<typeof paymentOf>, change)));
    expect([await feed.events("p1"), await feed.events("p2")]).toEqual([["session-1 1 one"], ["session-1 1 one"]]);
  });

  it("splits more than a group can hold, by rows and by the characters of bodies", async () => {
    const many = aFeed();
    const changes = numbers(150).map((sequence) => aCommand(paymentOf(1), sequence, ["one"]));
    many.commit(...changes);
    const last = changes.at(-1);
    if (!last) throw new Error("no change");
    await many.writer().enter(paymentOf(1), last);
    expect(await many.events()).toHaveLength(150);
    expect(many.groups.map((group) => group.length)).toEqual([1 + 1 + 97, 1 + 1 + 53]); // head, mark and events

    const huge = aFeed();
    const data = { text: '"\u0001å😀'.repeat(20_000) };
    const large = numbers(12).map((n) => aCommand(paymentOf(n), 1, ["one"], { event: { data } }));
    huge.commit(...large);
    const writer = huge.writer();
    await Promise.all(large.map((change, i) => writer.enter(paymentOf(i + 1), change)));
    expect(await huge.events()).toHaveLength(12);
    for (const group of huge.groups) {
      expect(Buffer.byteLength(JSON.stringify(group))).toBeLessThan(4 * 1024 * 1024);
      expect(group.length).toBeLessThan(feedGroup.rows);
    }
  });

  it("fails an event whose commands cannot be read, and enters the others", async () => {
    const feed = aFeed();
    const { ofSubject } = feed.commands;
    feed.commands.ofSubject = async (subject) => {
      if (subject.kind === "payment" && subject.sessionId === "session-7") throw new Error("a row without its record");
      return ofSubject(subject);
    };
    const writer = feed.writer();
    const changes = numbers(40).map((n) => aCommand(paymentOf(n), 1, ["one"]));
    feed.commit(...changes);
    const done = await Promise.allSettled(changes.map((change, i) => writer.enter(paymentOf(i + 1), change)));
    expect(done.flatMap(({ status }, i) => (status === "rejected" ? [i + 1] : []))).toEqual([7]);
    expect(await feed.events()).toHaveLength(39);
  });

  it("fails all of a group that the tables do not accept, and accepts what comes after", async () => {
    let isAway = true;
    const feed = aFeed({ fate: () => (isAway ? "never written" : "written") });
    const writer = feed.writer();
    const changes = numbers(3).map((n) => aCommand(paymentOf(n), 1, ["one"]));
    feed.commit(...changes);
    const enterAll = () => Promise.allSettled(changes.map((change, i) => writer.enter(paymentOf(i + 1), change)));
    expect((await enterAll()).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    isAway = false;
    expect((await enterAll()).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"]);
    expect(await feed.events()).toHaveLength(3);
  });
});
