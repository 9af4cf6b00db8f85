import { describe, expect, it } from "vitest";
import type { Options } from "../../rehearsal/options.ts";
import { rehearsalScript } from "../../rehearsal/options.ts";
import { overTime, phasesOf, type PaymentTimes } from "../../rehearsal/phases.ts";
import { planOf } from "../../rehearsal/plan.ts";
import { troubleNames } from "../../rehearsal/trouble-names.ts";
import { givenFor } from "../../support/words-of-script.ts";

const read = (...words: string[]) => givenFor<Options>((run) => rehearsalScript(run, 17), words);

describe("the options of a rehearsal", () => {
  it("are ten minutes with every trouble and any seed where nothing is said", async () => {
    expect(await read()).toEqual({ minutes: 10, terminals: 12, trouble: troubleNames, seed: 17 });
  });

  it("are as they are said, with the troubles in the order that is said", async () => {
    const said = ["--minutes", "0.5", "--trouble", "two-versions,kill", "--terminals", "3", "--seed", "9"];
    expect(await read(...said, "--json", "a.json", "--out", "a.html")).toEqual({
      minutes: 0.5,
      trouble: ["two-versions", "kill"],
      terminals: 3,
      seed: 9,
      json: "a.json",
      out: "a.html",
    });
  });

  it.each(["rain", "kill,rain", "kill,kill", "", "kill,"])("are refused with the troubles %j", async (troubles) => {
    await expect(read("--trouble", troubles)).rejects.toThrow(/some of these, each once, .* two-versions\./);
  });
});

describe("the plan of a day", () => {
  it.each([
    [10, troubleNames],
    [0.2, ["kill"] as const],
  ])("of %d minutes has each trouble once, with time before and after it, until the day is over", (minutes, names) => {
    const slots = planOf(minutes, names);
    expect(slots.map(({ trouble }) => trouble)).toEqual(names);
    expect(slots.at(-1)?.to).toBeCloseTo(minutes * 60);
    for (const [i, { from, begins, ends, to }] of slots.entries()) {
      const lengths = [begins - from, ends - begins, to - ends];
      for (const length of lengths) expect(length).toBeGreaterThan((to - from) / 4);
      if (i > 0) expect(from).toBeCloseTo(slots[i - 1]?.to ?? 0);
    }
  });
});

const paid = (requestedAt: number, wait: number, more: Partial<PaymentTimes> = {}): PaymentTimes => ({
  requestedAt,
  acknowledgedAt: requestedAt + wait,
  outcomeAt: requestedAt + wait + 1,
  tries: 1,
  ...more,
});

describe("the phases of a trouble from the 20th to the 30th second, in a slot from the 10th to the 50th", () => {
  const window = { from: 10, begins: 20, ends: 30, to: 50 };
  const counts = (...payments: readonly PaymentTimes[]) => {
    const { before, during, after } = phasesOf(payments, window);
    return [before.payments, during.payments, after.payments];
  };

  it.each([
    ["that ended before it", paid(12, 2), [1, 0, 0]],
    ["whose outcome came during it", paid(18, 0.1, { outcomeAt: 22 }), [0, 1, 0]],
    ["that was requested before and ended after it", paid(19, 20), [0, 1, 0]],
    ["that was requested during it", paid(29, 3), [0, 1, 0]],
    ["that was requested after it", paid(30, 1), [0, 0, 1]],
    ["of which no outcome was heard", paid(15, 1, { outcomeAt: undefined }), [1, 0, 0]],
    ["of the slot before", paid(5, 1), [0, 0, 0]],
    ["of the slot after", paid(50, 1), [0, 0, 0]],
  ])("count a payment %s", (_, payment, expected) => {
    expect(counts(payment)).toEqual(expected);
  });

  it("have the waits in milliseconds, and how often requests were repeated", () => {
    const { before, during } = phasesOf([paid(12, 0.1), paid(13, 0.3), paid(14, 0.2, { tries: 4 })], window);
    expect(before).toEqual({
      payments: 3,
      repeats: 3,
      untilAcknowledged: { p50: 200, p95: 300, p99: 300 },
      untilOutcome: { p50: 1_200, p95: 1_300, p99: 1_300 },
    });
    expect(during).toEqual({ payments: 0, repeats: 0, untilAcknowledged: null, untilOutcome: null });
  });
});

describe("the payments over time", () => {
  it("are all counted, at the moment at which they were acknowledged, also those after the planned end", () => {
    const { seconds, parts } = overTime([paid(0, 0.5), paid(0.2, 1), paid(3, 2.5)], 4);
    expect(seconds).toBe(1);
    expect(parts).toEqual([
      { payments: 1, longestWait: 500 },
      { payments: 1, longestWait: 1_000 },
      { payments: 0, longestWait: 0 },
      { payments: 0, longestWait: 0 },
      { payments: 0, longestWait: 0 },
      { payments: 1, longestWait: 2_500 },
    ]);
  });

  it("have no more parts than a picture has room for", () => {
    const { seconds, parts } = overTime([paid(1, 1)], 7_200);
    expect(seconds).toBe(60);
    expect(parts.length).toBeLessThanOrEqual(121);
  });
});
