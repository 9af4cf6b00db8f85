import { describe, expect, it } from "vitest";
import { readOptions } from "../../chaos/options.ts";
import { whyIdle } from "../../chaos/report.ts";

describe("the options of a chaos run", () => {
  it("is a minute with any seed where nothing is said", () => {
    expect(readOptions([], 17)).toEqual({ minutes: 1, terminals: 28, nextVersion: false, seed: 17 });
  });

  it("is one trouble where one is named", () => {
    expect(readOptions(["--trouble", "frozen-bus"], 17)).toMatchObject({ trouble: "frozen-bus" });
  });

  it("is as it is said", () => {
    const said = ["--minutes", "0.5", "--terminals", "4", "--next-version", "--seed", "207560"];
    expect(readOptions(said, 17)).toEqual({ minutes: 0.5, terminals: 4, nextVersion: true, seed: 207_560 });
  });

  it.each([
    ["--minutes", "0", "--minutes 0 is no positive number."],
    ["--minutes", "two", "--minutes two is no positive number."],
    ["--minutes", "1e3", "--minutes 1e3 is no positive number."],
    ["--terminals", "2.5", "--terminals 2.5 is no positive whole number."],
    ["--seed", "0", "--seed 0 is no positive whole number."],
    ["--trouble", "rain", "--trouble rain is none of forbidden-tables, frozen-bus, full-queues."],
    ["--seeds", "3", "Unknown option '--seeds'"],
  ])("is refused where it is %s %s", (option, value, message) => {
    expect(() => readOptions([option, value], 17)).toThrow(message);
  });
});

describe("a run of chaos", () => {
  it("of one trouble needs no kills", () => {
    expect(whyIdle({ payments: 10, kills: [0, 0], faults: {} }, "full-queues")).toBeUndefined();
  });

  const run = { payments: 10, kills: [1, 0], faults: { "kills at random": 1, "bus outages": 1 } };

  it("proves something when hosts were killed and faults were met under payments", () => {
    expect(whyIdle(run)).toBeUndefined();
  });

  it.each([
    [{ ...run, payments: 0 }, "no payment was made"],
    [{ ...run, kills: [0, 0] }, "no host was killed"],
    [{ ...run, faults: { "kills at random": 1 } }, "no fault was met"],
  ])("proves nothing otherwise", (idle, why) => {
    expect(whyIdle(idle)).toBe(why);
  });
});
