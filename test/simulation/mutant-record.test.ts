import { describe, expect, it } from "vitest";
import { mutants } from "./mutants.ts";
import type { Catch } from "./running/catch-mutant.ts";
import { gaps, judge, parseRecord, readRecord, recordOf, unrecordedMutants } from "./running/mutant-record.ts";

const command = "npm run simulate -- --mutants --record";
const recorded = { seed: 7, rule: "never ends" };
const names = mutants.map((mutant) => mutant.name);

describe("the record of the seeds that catch the mutants", () => {
  it("names each mutant, and nothing else", async () => {
    expect(gaps(names, await readRecord(), await unrecordedMutants())).toEqual([]);
    expect(new Set(names).size).toBe(names.length); // two with one name would share a record
  });

  it("lacks a mutant: one sentence names it and says how to renew the record", () => {
    const [sentence, ...more] = gaps(["known", "new", "newer"], { known: recorded });
    expect(sentence).toMatch(/^No seed .*"new", "newer"/);
    expect(sentence).toContain(command);
    expect(more).toEqual([]);
  });

  it("lacks a listed mutant: that is no gap, but the list must not outlive its mutant or its want of a seed", () => {
    expect(gaps(["known", "new"], { known: recorded }, ["new"])).toEqual([]);
    expect(gaps(["known"], { known: recorded }, ["gone"])).toHaveLength(1);
    expect(gaps(["known", "new"], { known: recorded, new: recorded }, ["new"])).toHaveLength(1);
  });

  it("has a seed for a removed mutant: one sentence names it and says how to renew the record", () => {
    const [sentence, ...more] = gaps(["known"], { known: recorded, gone: recorded });
    expect(sentence).toMatch(/"gone", which is no mutant/);
    expect(sentence).toContain(command);
    expect(more).toEqual([]);
  });

  it.each(["", "<<<<<<< HEAD", "[]", '{"known": 7}', '{"known": {"seed": 0, "rule": "never ends"}}'])(
    "is refused with the command that renews it if it is unreadable: %s",
    (text) => {
      expect(() => parseRecord(text)).toThrow(command);
    },
  );

  it("is in the mutants' order, and is undefined while a mutant survives", () => {
    const caught = { caught: true, ...recorded, detail: "s1" } as const;
    const catches = new Map<string, Catch>([
      ["b", caught],
      ["a", caught],
    ]);
    expect(JSON.stringify(recordOf(["a", "b"], catches))).toBe(JSON.stringify({ a: recorded, b: recorded }));
    expect(recordOf(["a", "b", "c"], catches)).toBeUndefined();
    catches.set("a", { caught: false, seeds: 20_000 });
    expect(recordOf(["a", "b"], catches)).toBeUndefined();
  });
});

describe("a run around the recorded seed", () => {
  it("is stale if the mutant is not caught: one sentence says how to renew the record", () => {
    const { stale } = judge("known", recorded, { caught: false, seeds: 27 });
    expect(stale).toMatch(/"known" was not caught .* seed 7/);
    expect(stale).toContain(command);
  });

  it("passes silently if the seed and the rule are the recorded ones", () => {
    const { line, stale } = judge("known", recorded, { caught: true, ...recorded, detail: "s1" });
    expect(line).toBe("seed 7: never ends: s1");
    expect(stale).toBeUndefined();
  });

  it.each([
    { seed: 9, rule: "never ends" },
    { seed: 7, rule: "refunded twice" },
  ])("says what was recorded if the mutant is caught differently: %o", (found) => {
    const { line, stale } = judge("known", recorded, { caught: true, ...found, detail: "s1" });
    expect(line).toContain("(recorded: seed 7: never ends)");
    expect(stale).toBeUndefined();
  });
});
