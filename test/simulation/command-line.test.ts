import { describe, expect, it } from "vitest";
import { givenFor } from "../support/words-of-script.ts";
import { simulationScript } from "./running/command-line.ts";

const read = (line: string) => givenFor(simulationScript, line.split(" ").filter(Boolean));

describe("the simulation's options", () => {
  it.each([
    ["", { kind: "seeds", from: 1, seeds: 1_000 }],
    ["--seeds 20000 --from 401 --jobs 2", { kind: "seeds", from: 401, seeds: 20_000, jobs: 2 }],
    ["--situations --seeds 50", { kind: "seeds", seeds: 50, situations: true }],
    ["--seed 17", { kind: "seed", seed: 17, mutant: undefined }],
    ["--seed 17 --mutant name", { kind: "seed", seed: 17, mutant: "name" }],
    ["--mutants", { kind: "mutants", seeds: 5_000 }],
    ["--mutants --seeds 20000", { kind: "mutants", seeds: 20_000, record: false }],
    ["--mutants --record", { kind: "mutants", seeds: 20_000, record: true }],
    ["--mutants --around --jobs 2", { kind: "around", jobs: 2 }],
  ])("are understood: %s", async (line, command) => {
    expect(await read(line)).toMatchObject(command);
  });

  it.each([
    ["--sedes 5", /--sedes/],
    ["5", /arguments/],
    ["--seeds", /--seeds/],
    ["--seeds many", /--seeds .*'many' is invalid/],
    ["--seeds 0", /--seeds .*'0' is invalid/],
    ["--jobs 1.5", /--jobs .*'1.5' is invalid/],
    ["--seed 17 --seeds 5", /--seeds/],
    ["--mutant name", /--mutant/],
    ["--mutants --from 5", /--from/],
    ["--mutants --around --seeds 5", /--seeds/],
    ["--mutants --around --record", /--record/],
    ["--around", /--around/],
    ["--record", /--record/],
  ])("are refused by their names: %s", async (line, why) => {
    await expect(read(line)).rejects.toThrow(why);
  });
});
