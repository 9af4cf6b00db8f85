import { exec, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { runScript, type Script } from "../../infra/tools/script.ts";

const root = new URL("../../", import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL("package.json", root), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

/** Each script that ends with a program of this repository and passes the user's words on to it, by the program's file. */
const programs = Object.entries(scripts).flatMap(([name, command]) => {
  const file = /(?:^|&& )node (\S+\.ts)$/.exec(command)?.[1];
  return file === undefined ? [] : [[name, file] as const];
});

/** The words that a user types before the script's own words. */
const invocationOf = (name: string): string => (name === "start" ? "npm start --" : `npm run ${name} --`);

/** `npm run admin` reads a tree of commands, and has tests of its own. */
const apart = ["admin", "test"];

/** The script's output for these words, and its exit code. Its action does not run. */
async function said(file: string, words: readonly string[]) {
  const { script } = (await import(new URL(file, root).href)) as { readonly script: Script };
  const [out, complaints]: [string[], string[]] = [[], []];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => out.push(String(text)) > 0);
  const complain = vi.spyOn(console, "error").mockImplementation((text) => void complaints.push(String(text)));
  const before = process.exitCode;
  try {
    process.exitCode = undefined;
    await runScript(script, words);
    return { out: out.join(""), complaints, code: process.exitCode ?? 0 };
  } finally {
    process.exitCode = before;
    write.mockRestore();
    complain.mockRestore();
  }
}

describe("the scripts of package.json", () => {
  it("are found", () => {
    expect(programs.map(([name]) => name)).toEqual(expect.arrayContaining(["try", "simulate", "docs", "azure:smoke"]));
  });

  it.each(programs.filter(([name]) => !apart.includes(name)))(
    "%s prints its usage, and refuses unknown words",
    async (name, file) => {
      const help = await said(file, ["--help"]);
      expect(help).toMatchObject({ code: 0, complaints: [] });
      expect(help.out).toMatch(new RegExp(`^Usage: ${invocationOf(name)} `));
      expect(help.out).not.toContain("(default: [])");

      const wrong = await said(file, ["--no-such-option"]);
      expect(wrong).toMatchObject({ code: 2, out: "" });
      expect(wrong.complaints).toEqual([
        expect.stringMatching(/^Unknown option '--no-such-option'\..* See npm .* --help\.$/),
      ]);

      expect(await said(file, ["no", "such", "words"])).toMatchObject({ code: 2, out: "" });
    },
  );

  it.each(programs.filter(([name]) => !apart.includes(name)))("%s reads the words of its process", (_, file) => {
    expect(readFileSync(new URL(file, root), "utf8")).toMatch(
      /\nif \(import\.meta\.main\) await runScript\(script\);\n/,
    );
  });
});

it.each([
  "sandbox.shop.example",
  "sandbox.shop.example:7080",
  "ftp://a.example",
  "http://a.example/b",
  "http://u:p@a.example",
  "",
])("npm start refuses %j as its public URL", async (url) => {
  expect(await said("packages/workbench/start.ts", ["--public-url", url])).toEqual({
    code: 2,
    out: "",
    complaints: [
      `--public-url must be an address such as http://sandbox.shop.example:7080, not "${url}". See npm start -- --help.`,
    ],
  });
});

describe("an option that npm takes because -- was left out", () => {
  /** What the command prints to stderr, without npm's own lines. */
  const printed = async (command: string) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const env = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)); // vitest may run under npm
    exec(command, { cwd: root, env: Object.fromEntries(env) }, (_, __, stderr) => resolve(stderr));
    return (await promise).split("\n").filter((line) => line !== "" && !line.startsWith("npm warn"));
  };

  it.each([
    ["npm start --keep", "--keep", "npm start -- --keep"],
    ["npm run try 100.01 --capture manual", "--capture", "npm run try -- 100.01 --capture manual"],
    ["npm run admin alert list --stack=a.json", "--stack", "npm run admin -- alert list --stack a.json"],
  ])("%s says what to type", async (command, option, instead) => {
    expect(await printed(command)).toEqual([`npm took ${option} for itself. Type: ${instead}`]);
  });
});

it("the sample shop says in one line that Node is too old", () => {
  const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
  const args = ["--import", `data:text/javascript,${old}`, "examples/receiver/node-version.js"];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  expect([status, stderr]).toEqual([
    1,
    "Node 20.20.2 is too old: this needs Node 22.18 or newer (https://nodejs.org).\n",
  ]);
});
