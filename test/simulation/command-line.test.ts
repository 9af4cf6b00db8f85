import { describe, expect, it } from "vitest";
import { readCommand, usage } from "./running/command-line.ts";

const read = (line: string) => readCommand(line.split(" ").filter(Boolean));

describe("the simulation's options", () => {
  it.each([
    ["", { kind: "seeds", from: 1, seeds: 1_000 }],
    ["--seeds 20000 --from 401 --jobs 2", { kind: "seeds", from: 401, seeds: 20_000, jobs: 2 }],
    ["--seed 17", { kind: "seed", seed: 17, mutant: undefined }],
    ["--seed 17 --mutant name", { kind: "seed", seed: 17, mutant: "name" }],
    ["--mutants", { kind: "mutants", seeds: 5_000 }],
    ["--mutants --seeds 20000", { kind: "mutants", seeds: 20_000, record: false }],
    ["--mutants --record", { kind: "mutants", seeds: 20_000, record: true }],
    ["--mutants --around --jobs 2", { kind: "around", jobs: 2 }],
    ["--help", { kind: "help" }],
  ])("are understood: %s", (line, command) => {
    expect(read(line)).toMatchObject(command);
  });

  it.each([
    ["--sedes 5", /--sedes/],
    ["5", /'5'/],
    ["--seeds", /--seeds/],
    ["--seeds many", /--seeds .*"many"/],
    ["--seeds 0", /--seeds .*"0"/],
    ["--jobs 1.5", /--jobs .*"1.5"/],
    ["--seed 17 --seeds 5", /--seeds/],
    ["--mutant name", /--mutant/],
    ["--mutants --from 5", /--from/],
    ["--mutants --around --seeds 5", /--seeds/],
    ["--mutants --around --record", /--record/],
    ["--around", /--around/],
    ["--record", /--record/],
  ])("are refused by their names: %s", (line, why) => {
    expect(read(line)).toMatchObject({ kind: "wrong", why: expect.stringMatching(why) });
  });

  it("are all in the usage", () => {
    for (const name of ["seeds", "from", "seed", "mutant", "mutants", "record", "around", "jobs", "help"])
      expect(usage).toMatch(new RegExp(`--${name}\\b`));
  });
});
