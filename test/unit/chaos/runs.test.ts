import { describe, expect, it } from "vitest";
import { chaosScript, type Options } from "../../chaos/options.ts";
import { whyIdle } from "../../chaos/report.ts";
import { givenFor } from "../../support/words-of-script.ts";

const read = (...words: string[]) => givenFor<Options>((run) => chaosScript(run, 17), words);

describe("the options of a chaos run", () => {
  it("are a minute with any seed by default", async () => {
    expect(await read()).toEqual({
      minutes: 1,
      terminals: 28,
      scaleGroups: false,
      nextVersion: false,
      seed: 17,
    });
  });

  it("are one trouble if one is named", async () => {
    expect(await read("--trouble", "frozen-bus")).toMatchObject({ trouble: "frozen-bus" });
  });

  it("are the given values", async () => {
    const said = ["--minutes", "0.5", "--terminals", "4", "--scale-groups", "--next-version", "--seed", "207560"];
    expect(await read(...said)).toEqual({
      minutes: 0.5,
      terminals: 4,
      scaleGroups: true,
      nextVersion: true,
      seed: 207_560,
    });
  });

  it.each([
    ["--minutes", "0", "'0' is invalid. It must be a number above 0"],
    ["--minutes", "two", "'two' is invalid"],
    ["--minutes", "1e3", "'1e3' is invalid"],
    ["--terminals", "2.5", "'2.5' is invalid. It must be a whole number of at least 1."],
    ["--seed", "0", "'0' is invalid"],
    ["--trouble", "rain", "Allowed choices are forbidden-tables, frozen-bus, full-queues, lost-connections."],
    ["--deploy", "slowly", "Allowed choices are rolling, recreate."],
    ["--seeds", "3", "unknown option '--seeds'"],
  ])("are refused with %s %s", async (option, value, message) => {
    await expect(read(option, value)).rejects.toThrow(message);
  });
});

describe("a run of chaos", () => {
  const run = {
    payments: 10,
    kills: [1, 0],
    faults: { "kills at random": 1, "bus outages": 1 },
    deployments: 0,
  };

  it("of one trouble needs no kills", () => {
    expect(whyIdle({ ...run, kills: [0, 0], faults: {} }, { trouble: "full-queues" })).toBeUndefined();
  });

  it("of deployments needs no kills, but at least one deployment", () => {
    const deployed = { ...run, kills: [0, 0], faults: {}, deployments: 1 };
    expect(whyIdle(deployed, { deploy: "rolling" })).toBeUndefined();
    expect(whyIdle({ ...deployed, deployments: 0 }, { deploy: "rolling" })).toBe("nothing was deployed");
  });

  it("proves something when hosts were killed and faults occurred during payments", () => {
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
