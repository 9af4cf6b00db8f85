import { describe, expect, it } from "vitest";
import { sections } from "../../../infra/operator/admin/commands.ts";
import { perform, type World } from "../../../infra/operator/admin/program.ts";
import { UsageError } from "../../../infra/tools/script.ts";

const nowhere: World = { findCloud: () => Promise.reject(new Error("looked for the cloud")), note: () => {} };

async function helpOf(...words: string[]): Promise<string> {
  const performed = await perform(words, nowhere);
  if (!("help" in performed)) throw new Error("no help was shown");
  return performed.help;
}

const errorOf = (words: readonly string[], world = nowhere) =>
  perform(words, world).then(
    () => undefined,
    (error: unknown) => error,
  );

const entries = sections.flatMap(({ entries }) => entries);
const commands = entries.flatMap((entry) =>
  "commands" in entry ? entry.commands.map((command) => [entry.name, command.name]) : [[entry.name]],
);

describe("the help", () => {
  it("of the program names every group and command under its heading", async () => {
    const help = await helpOf();
    for (const { heading } of sections) expect(help).toContain(`${heading}:`);
    for (const { name } of entries) expect(help).toMatch(new RegExp(`^  ${name} `, "m"));
    expect(help).toContain("--cloud <name>");
    expect(await helpOf("--help")).toBe(help);
  });

  it.each(commands)("of %s %s describes its usage, its options and examples", async (...words) => {
    const help = await helpOf(...words, "--help");
    expect(help).toContain(`Usage: npm run admin -- ${words.join(" ")} `);
    expect(help).toContain(`Examples:\n  npm run admin -- ${words.join(" ")}`);
    expect(help).toContain("--json");
  });

  it("of a group is also shown by the group's name alone", async () => {
    expect(await helpOf("payment")).toMatch(/list .*\n(.*\n)*Examples:\n/);
  });
});

describe("a wrong command line", () => {
  const newTemplate = ["template", "create", "--name", "x", "--users", "shop", "--a-day", "9", "--in-all", "99"];
  it.each([
    [["paymnet"], "Unknown command 'paymnet'. (Did you mean payment?) See npm run admin -- --help."],
    [["payment", "lst"], "Unknown command 'lst'. (Did you mean list?) See npm run admin -- payment --help."],
    [
      ["payment", "list", "--statsu", "x"],
      "Unknown option '--statsu'. (Did you mean --status?) See npm run admin -- payment list --help.",
    ],
    [["payment", "list", "more"], /^Too many arguments for 'list'\. Expected 0 arguments but got 1: more\. See/],
    [
      ["payment", "list", "--day"],
      "Option '--day <YYYY-MM-DD>' argument missing. See npm run admin -- payment list --help.",
    ],
    [["payment", "list", "--day", "2026-11-21", "--day", "2026-11-20"], "--day is given twice."],
    [["key", "rotate", "0f3a", "--keep", "7d", "--keep", "12h"], "--keep is given twice."],
    [["token", "show"], /^Missing required argument 'accessTokenID'\./],
    [["token", "show", "x"], "<accessTokenID> is an identifier: a UUID."],
    [["template", "create", "--kind", "voucher"], /^Required option '--name <text>' not specified\./],
    [[...newTemplate, "--kind", "gift"], "--kind is one of voucher, key."],
    [[...newTemplate, "--everywhere", "--kind", "voucher", "--amount", "1.234", "--currency", "SEK"], /--amount/],
    [[...newTemplate, "--everywhere", "--kind", "voucher", "--percent", "100"], /--percent/],
    [[...newTemplate, "--everywhere", "--kind", "voucher"], /A voucher needs --amount and --currency/],
    [[...newTemplate, "--everywhere", "--kind", "voucher", "--product-only", "--percent", "5"], /--product-only/],
    [[...newTemplate, "--everywhere", "--kind", "key", "--percent", "5"], /A key takes nothing off/],
    [[...newTemplate, "--everywhere", "--kind", "key", "--time-zone", "Mars"], /Mars is not a time zone/],
    [[...newTemplate, "--kind", "key"], "Say where its tokens are valid: --merchant <merchantID>, or --everywhere."],
    [
      [...newTemplate.slice(0, -2), "--everywhere", "--kind", "key"],
      /^Required option '--in-all <number>' not specified/,
    ],
    [
      ["template", "limit", "0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21", "--a-day", "0"],
      "--a-day is a number from 1 to 1000000.",
    ],
  ])("is refused in one sentence, before the command looks for a cloud: %j", async (words, sentence) => {
    const error = await errorOf(words);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(sentence);
  });
});

describe("a command that changes something", () => {
  const cloud = { tables: "AccountName=a", serviceBus: "Endpoint=sb://b/", isLocal: false, around: {} };

  it("names the cloud before it acts; a command that only reads does not", async () => {
    const notes: string[] = [];
    const world: World = { findCloud: async () => cloud, note: (line) => void notes.push(line) };
    await errorOf(["token", "show", "0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21"], world);
    expect(notes).toEqual([]);
    await errorOf(["token", "revoke", "0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21"], world);
    expect(notes).toEqual(["On the tables of a and the Service Bus b."]);
  });

  it("works on the cloud in the options, at any position", async () => {
    const named: unknown[] = [];
    const world: World = { ...nowhere, findCloud: (name) => (named.push(name), Promise.reject(new Error("enough"))) };
    await errorOf(["alert", "list", "--stack", "a.json"], world);
    await errorOf(["--cloud", "production", "alert", "list", "--clouds", "c.json"], world);
    expect(named).toEqual([{ stack: "a.json" }, { cloud: "production", clouds: "c.json" }]);
  });
});
