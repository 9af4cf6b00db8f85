import { describe, expect, it } from "vitest";
import { defineBench, path, positive, whole, wholes } from "../../bench/bench.ts";
import { benches } from "../../bench/benches.ts";
import { benchScript, type Requested } from "../../bench/command-line.ts";
import { givenFor } from "../../support/words-of-script.ts";

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

const read = (...words: string[]) => givenFor<Requested>((run) => benchScript({ echo }, run), words);

async function valuesOf(...words: string[]): Promise<unknown> {
  const { run } = await read("echo", ...words);
  return (await run(() => {})).figures;
}

describe("npm run bench", () => {
  it("lists every benchmark, and the options of each", () => {
    const script = benchScript({ ...benches, echo }, async () => {});
    for (const name of Object.keys(benches)) expect(script.helpInformation()).toContain(`\n  ${name} `);
    expect(script.helpInformation()).toContain("answers with its options");
    expect(script.commands.find((one) => one.name() === "echo")?.helpInformation()).toMatch(/--terminals .*\(1,16\)/);
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

  it("writes the figures where --json says", async () => {
    expect(await read("echo", "--json", "figures.json")).toMatchObject({ name: "echo", json: "figures.json" });
  });

  it.each([
    [["nothing"], "unknown command 'nothing'"],
    [["toString"], "unknown command 'toString'"],
    [["echo", "--seconds", "3"], "unknown option '--seconds'"],
    [["echo", "more"], "too many arguments"],
    [["echo", "--payments", "0"], "--payments 0 is no positive whole number."],
    [["echo", "--payments", "1.5"], "--payments 1.5 is no positive whole number."],
    [["echo", "--minutes", "1e3"], "--minutes 1e3 is no positive number."],
    [["echo", "--terminals", "1,,2"], "--terminals  is no positive whole number."],
    [["echo", "--against", ""], "--against names nothing."],
    [["echo", "--json", ""], "--json names nothing."],
  ])("refuses %j", async (words, why) => {
    await expect(read(...words)).rejects.toThrow(why);
  });
});
