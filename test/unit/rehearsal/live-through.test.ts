import { expect, it } from "vitest";
import type { Stack } from "../../../infra/local/stack.ts";
import { liveThrough } from "../../rehearsal/live-through.ts";
import type { Scene } from "../../rehearsal/troubles.ts";
import { seededRandom } from "../../support/seeded-random.ts";

/** A scene on which the tables are taken away and given back, and the moments at which that happened. */
function aScene() {
  const done: string[] = [];
  const faults = {
    set: async (_: unknown, { kind }: { kind: string }) => void done.push(`set ${kind}`),
    clear: async () => void done.push("clear"),
  };
  const scene = {
    stack: { faults } as unknown as Stack,
    random: seededRandom(17),
    behaviour: { areTerminalsTroubled: false, hanging: undefined },
  } as unknown as Scene;
  return { scene, done };
}
const slot = (from: number) =>
  ({ trouble: "tables-away", from, begins: from + 0.01, ends: from + 0.02, to: from + 0.03 }) as const;
const clock = () => {
  const began = performance.now();
  return () => (performance.now() - began) / 1_000;
};

it("has the troubles happen in their order, and reports each as it begins and ends", async () => {
  const { scene, done } = aScene();
  const told: string[] = [];
  const { signal } = new AbortController();
  const tell = (sentence: string) => void told.push(sentence.replace(/^\S+ +/, ""));
  const happened = await liveThrough([slot(0), slot(0.03)], { scene, now: clock(), signal, tell });
  expect(done).toEqual(["set away", "clear", "set away", "clear"]);
  expect(told).toEqual(["tables-away begins", "tables-away is over", "tables-away begins", "tables-away is over"]);
  const moments = happened.flatMap(({ from, begins, ends, to }) => [from, begins, ends, to]);
  expect(moments).toEqual(moments.toSorted((a, b) => a - b));
  expect(moments).toHaveLength(8);
});

it("ends the trouble that is on when the day is ended, and has no other", async () => {
  const { scene, done } = aScene();
  const ending = new AbortController();
  const long = { trouble: "tables-away", from: 0, begins: 0, ends: 3_600, to: 7_200 } as const;
  const happened = await liveThrough([long, slot(7_200)], {
    scene,
    now: clock(),
    signal: ending.signal,
    tell: (sentence) => {
      if (sentence.endsWith("begins")) setImmediate(() => ending.abort());
    },
  });
  expect(done).toEqual(["set away", "clear"]);
  expect(happened.map(({ trouble }) => trouble)).toEqual(["tables-away"]);
});
