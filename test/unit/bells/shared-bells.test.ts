import { describe, expect, it } from "vitest";
import { after } from "../../../shared/domain/time.ts";
import { type RungBells, bellsTable } from "../../../shared/stores/rung-bells.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { impairedPart } from "../../../shared/use-cases/alerts/impaired-part.ts";
import { sharedBells } from "../../../shared/use-cases/bells/shared-bells.ts";
import { collectedLog } from "../../support/collected-log.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { standingClock } from "../../support/standing-clock.ts";

const subject = { kind: "payment", partnerId: "a", terminalId: "t", sessionId: "b" } as const;
const announcement = { v: 1, subject, commandId: "command", effect: "message" } as const;

const start = "2026-11-21T10:00:00.000Z";

/** Processes that share the rows of their bells. Each has its own reads and writes, which may be disturbed. */
function twoProcesses(disturb: (rungBells: RungBells) => Partial<RungBells> = () => ({})) {
  const clock = standingClock(start);
  const rungBells = bellsTable(inMemoryRows());
  const count = { reads: 0, writes: 0 };
  const troubles: unknown[] = [];
  const processOf = (ringer: string) => {
    const disturbed = { ...rungBells, ...disturb(rungBells) };
    const counted: RungBells = {
      ...disturbed,
      all: () => (count.reads++, disturbed.all()),
      save: (rung) => (count.writes++, disturbed.save(rung)),
    };
    const troubled = (error: unknown) => void troubles.push(error);
    const bells = sharedBells({ rungBells: counted, clock, ringer, everyMs: 50, troubled });
    const { send } = bells.expecting({ send: async () => {} });
    return {
      ...bells,
      /** Sends a message for a terminal to its worker, in another process. */
      sendWork: () => send("terminal-messages", announcement),
      /** Listens, and counts how often it was woken. */
      hear(terminalId: string) {
        let times = 0;
        const end = bells.listen(terminalId, () => void times++);
        return { times: () => times, end };
      },
    };
  };
  return { clock, rungBells, count, troubles, here: processOf("here"), there: processOf("there") };
}

describe("a bell", () => {
  it("arrives at once, and once, in the process that rings it", async () => {
    const { clock, here } = twoProcesses();
    const [a, b] = [here.hear("a"), here.hear("b")];
    here.ring("a");
    expect([a.times(), b.times()]).toEqual([1, 0]);
    await clock.pass(1_000);
    expect([a.times(), b.times()]).toEqual([1, 0]);
  });

  it("arrives in another process within fifty milliseconds, once, and only at the rung terminal", async () => {
    const { clock, here, there } = twoProcesses();
    const [a, b] = [here.hear("a"), here.hear("b")];
    await clock.pass(1_010);
    there.ring("a");
    await clock.pass(50);
    expect([a.times(), b.times()]).toEqual([1, 0]);
    await clock.pass(1_000);
    expect([a.times(), b.times()]).toEqual([1, 0]);
  });

  it("arrives within ten milliseconds in the process that sent the message to the worker that rings", async () => {
    const { clock, here, there } = twoProcesses();
    const a = here.hear("a");
    await clock.pass(1_010);
    await here.sendWork();
    await clock.pass(33);
    there.ring("a");
    await clock.pass(10);
    expect(a.times()).toBe(1);
  });

  it("wakes polls in another process when it rings before that process's first read", async () => {
    const { clock, here, there } = twoProcesses();
    const a = here.hear("a");
    there.ring("a");
    await clock.pass(50);
    expect(a.times()).toBe(1);
  });

  it("is not lost if two processes ring at the same moment", async () => {
    const { clock, rungBells, here, there } = twoProcesses();
    const third = sharedBells({ rungBells, clock, ringer: "third", everyMs: 50, troubled: () => {} });
    const [a, b] = [here.hear("a"), here.hear("b")];
    await clock.pass(60);
    there.ring("a");
    third.ring("b");
    await clock.pass(50);
    expect([a.times(), b.times()]).toEqual([1, 1]);
  });

  it("wakes every waiting poll when more rings came between two reads than a row can name", async () => {
    const { clock, here, there } = twoProcesses();
    const [first, other] = [here.hear("t0"), here.hear("never rung")];
    await clock.pass(60);
    for (let i = 0; i < 33; i++) there.ring(`t${i}`);
    await clock.pass(50);
    expect([first.times(), other.times()]).toEqual([1, 1]);
  });

  it("is written together with the rings that came during the previous write", async () => {
    const { clock, count, there } = twoProcesses();
    for (let i = 0; i < 20; i++) there.ring(`t${i}`);
    await clock.pass(0);
    expect(count.writes).toBe(2);
  });

  it("whose write failed is logged, and arrives with the next write", async () => {
    let isAway = true;
    const { clock, here, there, troubles } = twoProcesses(({ save }) => ({
      save: async (rung) => (isAway ? Promise.reject(new Unavailable("away")) : save(rung)),
    }));
    const a = here.hear("a");
    there.ring("a");
    await clock.pass(60);
    expect([a.times(), troubles.length]).toEqual([0, 1]);
    isAway = false;
    there.ring("b");
    await clock.pass(50);
    expect(a.times()).toBe(1);
  });
});

describe("the bells' rows", () => {
  it("are read every fifty milliseconds while any number of polls wait, and not while none does", async () => {
    const { clock, count, here } = twoProcesses();
    await clock.pass(10_000);
    expect(count.reads).toBe(0);
    const waiting = Array.from({ length: 100 }, (_, i) => here.hear(`t${i % 90}`));
    await clock.pass(1_000);
    expect(count.reads).toBe(21);
    for (const { end } of waiting) end();
    await clock.pass(10_000);
    expect(count.reads).toBe(21);
    here.hear("t");
    await clock.pass(100);
    expect(count.reads).toBe(24);
  });

  it("are read every ten milliseconds until an expected ring comes, for half a second at most", async () => {
    const { clock, count, here, there } = twoProcesses();
    here.hear("a");
    await clock.pass(1_010);
    const readsWithin = async (ms: number) => {
      const before = count.reads;
      await clock.pass(ms);
      return count.reads - before;
    };
    await here.sendWork();
    expect(await readsWithin(100)).toBe(11);
    there.ring("a");
    await clock.pass(10);
    expect(await readsWithin(1_000)).toBe(20);
    await here.sendWork();
    here.ring("a");
    await clock.pass(10);
    expect(await readsWithin(1_000)).toBe(20);
    await here.sendWork();
    await clock.pass(510);
    expect(await readsWithin(1_000)).toBe(20);
  });

  it("are read once at a time, however long a read hangs", async () => {
    const { clock, count, here } = twoProcesses(() => ({ all: () => new Promise(() => {}) }));
    const { end } = here.hear("a");
    await clock.pass(600_000);
    end();
    here.hear("a");
    await clock.pass(600_000);
    expect(count.reads).toBe(1);
  });

  it("are read at growing intervals while they are unavailable, and then bring every ring since", async () => {
    let isAway = true;
    const { clock, count, here, there, troubles } = twoProcesses(({ all }) => ({
      all: async () => (isAway ? Promise.reject(new Unavailable("away")) : all()),
    }));
    const a = here.hear("a");
    await clock.pass(60_000);
    expect(count.reads).toBeLessThan(20);
    expect(troubles).toHaveLength(count.reads);
    there.ring("a");
    isAway = false;
    await clock.pass(5_000);
    expect(a.times()).toBe(1);
    const before = count.reads;
    await clock.pass(1_000);
    expect(count.reads - before).toBe(20);
  });

  it("of a process that has not rung for an hour are removed, and a live process writes its row again", async () => {
    const { clock, rungBells, here, there } = twoProcesses();
    there.ring("a");
    await clock.pass(3_599_000);
    here.ring("b");
    const a = here.hear("a");
    await clock.pass(1_000);
    expect((await rungBells.all()).map(({ ringer }) => ringer)).toEqual(["here"]);
    const before = a.times();
    there.ring("a");
    await clock.pass(50);
    expect(a.times()).toBeGreaterThan(before);
  });
});

it("trouble with the bells is logged at once, then once a minute with the number of failures", () => {
  let now = start;
  const log = collectedLog();
  const troubled = impairedPart("bells", log, { now: () => now });
  for (const second of [0, 1, 59, 60, 61]) {
    now = after(start, second);
    troubled(new Unavailable(`after ${second} s`));
  }
  expect(log.lines).toMatchObject([
    { event: "bellsImpaired", tries: 1, error: "Unavailable: after 0 s" },
    { event: "bellsImpaired", tries: 3, error: "Unavailable: after 60 s" },
  ]);
});
