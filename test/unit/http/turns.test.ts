import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { expect, it } from "vitest";
import { turnsWhile } from "../../../shared/http/turns.ts";

/** Turns with two at once. Their waits end when the test says so. */
function someTurns() {
  const waits: (() => void)[] = [];
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  let isBusy = true;
  const clock = { sleep: () => new Promise<void>((resolve) => void waits.push(resolve)) };
  const turns = turnsWhile({ isBusy: () => isBusy, atOnce: 2, waitMs: 150, clock });
  return {
    running,
    begin: (name: string) =>
      turns.take(async () => {
        running.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      }),
    end: async (name: string) => {
      ends.get(name)?.();
      await turnOfEventLoop();
    },
    rest: () => void (isBusy = false),
    waitIsOver: () => waits.forEach((end) => end()),
  };
}

it("a host that is not busy runs all at once", async () => {
  const turns = someTurns();
  turns.rest();
  for (const name of ["a", "b", "c", "d"]) void turns.begin(name);
  await turnOfEventLoop();
  expect(turns.running).toEqual(["a", "b", "c", "d"]);
});

it("a busy host runs two at once, and the next when one has ended, first come first served", async () => {
  const turns = someTurns();
  for (const name of ["a", "b", "c", "d"]) void turns.begin(name);
  await turnOfEventLoop();
  expect(turns.running).toEqual(["a", "b"]);
  await turns.end("b");
  expect(turns.running).toEqual(["a", "b", "c"]);
});

it("waiting work begins when the host has time again", async () => {
  const turns = someTurns();
  for (const name of ["a", "b", "c", "d"]) void turns.begin(name);
  await turnOfEventLoop();
  turns.rest();
  await turns.end("a");
  expect(turns.running).toEqual(["a", "b", "c", "d"]);
});

it("work that waited too long is not begun, and the others keep their turns", async () => {
  const turns = someTurns();
  const [a, , late] = ["a", "b", "late"].map(turns.begin);
  await turnOfEventLoop();
  turns.waitIsOver();
  expect(await late).toBeUndefined();
  void turns.begin("next");
  await turns.end("a");
  expect(await a).toBe("a");
  expect(turns.running).toEqual(["a", "b", "next"]);
});

it("failing work gives its turn to the next", async () => {
  const turns = turnsWhile({ isBusy: () => true, atOnce: 1, waitMs: 1, clock: { sleep: async () => {} } });
  await expect(turns.take(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await turns.take(async () => "next")).toBe("next");
});
