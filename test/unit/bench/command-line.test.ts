import { describe, expect, it } from "vitest";
import { defineBench, path, positive, whole, wholes } from "../../bench/bench.ts";
import { benches } from "../../bench/benches.ts";
import { readCommand, usage } from "../../bench/command-line.ts";

const echo = defineBench({
  means: "answers with its options",
  options: {
    payments: whole(100, "payments"),
    minutes: positive(30, "minutes"),
    terminals: wholes([1, 16], "terminals"),
    against: path("another build"),
  },
  run: async (values) => ({ tables: [], figures: values }),
});

async function valuesOf(...args: string[]): Promise<unknown> {
  const command = readCommand(["echo", ...args], { echo });
  if (command.kind !== "run") throw new Error(JSON.stringify(command));
  return (await command.run(() => {})).figures;
}

describe("npm run bench", () => {
  it("lists every benchmark with its options where none is named", () => {
    expect(readCommand([], { echo })).toEqual({ kind: "list" });
    expect(usage({ echo })).toContain("answers with its options");
    expect(usage({ echo })).toContain("--terminals terminals (1,16)");
    for (const name of Object.keys(benches)) expect(usage(benches)).toContain(`\n  ${name} `);
  });

  it("gives a benchmark what was given, and what holds otherwise", async () => {
    expect(await valuesOf()).toEqual({ payments: 100, minutes: 30, terminals: [1, 16], against: undefined });
    const given = ["--payments", "7", "--minutes", "0.5", "--terminals", "2,64", "--against", "../other/dist"];
    expect(await valuesOf(...given)).toEqual({
      payments: 7,
      minutes: 0.5,
      terminals: [2, 64],
      against: "../other/dist",
    });
  });

  it("writes the figures where --json says", () => {
    expect(readCommand(["echo", "--json", "figures.json"], { echo })).toMatchObject({ json: "figures.json" });
  });

  it.each([
    [["nothing"], 'There is no benchmark "nothing".'],
    [["toString"], 'There is no benchmark "toString".'],
    [["echo", "--seconds", "3"], "Unknown option '--seconds'"],
    [["echo", "more"], "Unexpected argument 'more'"],
    [["echo", "--payments", "0"], "--payments 0 is no positive whole number."],
    [["echo", "--payments", "1.5"], "--payments 1.5 is no positive whole number."],
    [["echo", "--minutes", "1e3"], "--minutes 1e3 is no positive number."],
    [["echo", "--terminals", "1,,2"], "--terminals  is no positive whole number."],
    [["echo", "--against", ""], "--against names nothing."],
    [["echo", "--json", ""], "--json names nothing."],
  ])("refuses %j", (args, why) => {
    const command = readCommand(args, { echo });
    expect(command.kind === "wrong" && command.why).toContain(why);
  });
});
