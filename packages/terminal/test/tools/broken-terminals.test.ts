import { beforeAll, expect, it } from "vitest";
import { flawedTerminals } from "../unit/kit/flawed-terminals.ts";
import { broken, playFlawed } from "../unit/kit/powered.ts";

let played: ReadonlyMap<string, Readonly<Record<string, string>>>;
beforeAll(async () => {
  // All at once, because a terminal waits for nearly all of its time.
  const runs = flawedTerminals.map(async ([flaw, made]) => [flaw, broken((await playFlawed(made)).results)] as const);
  played = new Map(await Promise.all(runs));
});

it.each(flawedTerminals)("a terminal with the flaw: %s", (flaw, _, scenarios) => {
  expect(played.get(flaw)).toEqual(scenarios);
});

it("a terminal that always waits as long as it may before it repeats a report", async () => {
  const { results } = await playFlawed({ random: () => 1 }, "repeated cuts");
  expect(broken(results)).toEqual({ "repeated cuts": "T3" });
});
