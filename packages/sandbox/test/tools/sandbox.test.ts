import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noCsharpClient } from "../../../../infra/documents/openapi/csharp-client.ts";
import { freePort } from "../../../local-azure/common/free-ports.ts";
import { withoutPython } from "../../../../test/support/python.ts";
import { skippedIf } from "../../../../test/support/skipped.ts";
import { waitFor } from "../../../../test/support/wait-for.ts";
import { pack } from "../../pack.ts";
import { bareRoot, withoutChroot } from "./bare-root.ts";
import { startProgram, type Program } from "./program.ts";

// The packed sandbox as a partner has it: only its file, in an empty folder with a space in its name, and no network.

const run = promisify(execFile);
const noCsharp = await noCsharpClient();
const READY = /Ctrl-C ends it/;

let work: string;
let folder: string;
/** The installed package. */
let installed: string;
let env: NodeJS.ProcessEnv;

const npm = (...words: string[]) => run("npm", words, { cwd: folder, env, shell: process.platform === "win32" });
const sandbox = (...words: string[]) => [join(installed, "packages/sandbox/bin.js"), ...words];
const install = (file: string) => npm("install", "--offline", "--no-audit", "--no-fund", file);

beforeAll(async () => {
  work = await realpath(await mkdtemp(join(tmpdir(), "sandbox-")));
  folder = join(work, "an empty folder");
  await mkdir(folder);
  installed = join(folder, "node_modules/terminal-payments-sandbox");
  const { npm_lifecycle_event: _, ...others } = process.env;
  env = { ...others, XDG_STATE_HOME: join(work, "state"), npm_config_cache: join(work, "cache"), CI: "true" };
  await install(await pack(folder, console.log));
}, 300_000);
afterAll(() => rm(work, { recursive: true, force: true }));

it("installs as one package, and names its commands", async () => {
  expect((await readdir(join(folder, "node_modules"))).filter((name) => !name.startsWith("."))).toEqual([
    "terminal-payments-sandbox",
  ]);
  const { stdout } = await run(process.execPath, sandbox("--help"), { env });
  for (const name of ["start", "try", "webhooks", "logs", "admin", "terminal-kit"])
    expect(stdout).toMatch(new RegExp(`^  ${name} `, "m"));
  const unknown = run(process.execPath, sandbox("pay"), { env });
  await expect(unknown).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no command "pay"') as string,
  });
});

describe("the running sandbox", () => {
  let stack: Program;
  /** The values that the stack wrote for a partner's server. */
  let settings: NodeJS.ProcessEnv;

  beforeAll(async () => {
    stack = startProgram([process.execPath, ...sandbox("start", "--ports", "0", "--quiet")], { cwd: folder, env });
    await stack.prints(READY);
    const [, file = ""] = /Your settings\s+(\S.*demo\.env)/.exec(stack.output()) ?? [];
    settings = { ...env, ...parseEnv(await readFile(file, "utf8")), WEBHOOK_PORT: String(await freePort()) };
  }, 120_000);
  afterAll(() => stack.end());

  it("pays an approved and a declined payment, and names the command that explains them", async () => {
    const approved = await run(process.execPath, sandbox("try"), { env });
    expect(approved.stdout).toMatch(/It is captured/);
    expect(approved.stdout).toContain("npx --no terminal-payments-sandbox admin payment why");
    const declined = await run(process.execPath, sandbox("try", "--case", "declined"), { env });
    expect(declined.stdout).toMatch(/It is declined/);
    expect((await run(process.execPath, sandbox("admin", "partner", "list"), { env })).stdout).toContain(
      "Demo partner",
    );
  });

  it("serves its pages", async () => {
    const [, live = ""] = /Live page\s+(\S+)/.exec(stack.output()) ?? [];
    const [, reference = ""] = /Reference\s+(\S+)/.exec(stack.output()) ?? [];
    for (const page of [live, reference, `${reference}problems`, `${reference}openapi/partners.json`])
      expect([page, (await fetch(page)).status]).toEqual([page, 200]);
    expect(await (await fetch(`${live}page.js`)).text()).not.toContain("npm run admin");
  });

  interface Language {
    readonly name: string;
    readonly without?: string | undefined;
    /** Prepares the folder of the example, and returns the commands of the receiver and of a payment. */
    readonly prepare: (shop: string) => Promise<readonly [receive: readonly string[], pay: readonly string[]]>;
  }
  const languages: readonly Language[] = [
    {
      name: "TypeScript",
      async prepare(shop) {
        await cp(join(installed, "examples/receiver"), shop, { recursive: true });
        const client = join(installed, "clients/terminal-payments-partners-client.tgz");
        await run("npm", ["install", "--offline", "--no-audit", "--no-fund", client], { cwd: shop, env });
        return [
          [process.execPath, "receiver.ts"],
          [process.execPath, "pay.ts"],
        ];
      },
    },
    {
      name: "C#",
      without: noCsharp,
      async prepare(shop) {
        await cp(join(installed, "examples/csharp"), shop, { recursive: true });
        await run("dotnet", ["build", "--nologo", "-v", "q", "-p:UseSharedCompilation=false", "-o", "out"], {
          cwd: shop,
          env: { ...process.env, MSBUILDDISABLENODEREUSE: "1" },
        });
        return [
          ["dotnet", "out/shop.dll", "receive"],
          ["dotnet", "out/shop.dll", "pay"],
        ];
      },
    },
    {
      name: "Python",
      without: withoutPython === "" ? undefined : "there is no python3 on this machine",
      async prepare(shop) {
        await cp(join(installed, "examples/python"), shop, { recursive: true });
        return [
          ["python3", "-u", "receive.py"],
          ["python3", "pay.py"],
        ];
      },
    },
  ];

  it.each(
    languages.map(
      ({ name, without, ...rest }) =>
        [`${name}${skippedIf(without !== undefined, without ?? "")}`, { without, ...rest }] as const,
    ),
  )(
    "its example verifies a webhook in %s",
    async (name, { without, prepare }) => {
      if (without !== undefined) return;
      const shop = join(work, `shop ${name}`);
      const [receive, pay] = await prepare(shop);
      const receiver = startProgram(receive, { cwd: shop, env: settings });
      try {
        await receiver.listens(Number(settings["WEBHOOK_PORT"]));
        const [file = "", ...words] = pay;
        await run(file, words, { cwd: shop, env: settings });
        await receiver.prints(/payment\.captured \S+: captured/);
      } finally {
        await receiver.end();
      }
    },
    120_000,
  );

  it.skipIf(withoutPython !== "")(`its kit plays the Python terminal${withoutPython}`, async () => {
    const terminal = `python3 "${join(installed, "examples/terminal-python/terminal.py")}"`;
    const words = sandbox("terminal-kit", "--only", "approval", "--only", "decline", "--terminal", terminal);
    expect((await run(process.execPath, words, { env, cwd: folder })).stdout).toContain("2 passed, 0 failed");
  });
});

it.skipIf(withoutChroot !== "")(
  `runs in a root filesystem with Node and nothing else, and answers callers outside of it${withoutChroot}`,
  async () => {
    const root = await bareRoot(join(work, "root"), installed);
    const stack = startProgram([...root.command, "start", "--ports", "0", "--quiet"], { cwd: work, env: root.env });
    try {
      await stack.prints(READY);
      const file = /Your settings\s+(\S.*demo\.env)/.exec(stack.output())?.[1] ?? "";
      const outside = { ...env, ...parseEnv(await readFile(join(root.folder, file), "utf8")) };
      const { stdout } = await run("curl", [
        "--silent",
        "--fail",
        `${outside.BASE_URL}/pos-payments?limit=1`,
        "--header",
        `apikey: ${outside.APIKEY}`,
        "--header",
        `Ocp-Apim-Subscription-Key: ${outside.SUBSCRIPTION_KEY}`,
      ]);
      expect(JSON.parse(stdout)).toMatchObject({ payments: [] });
      await run("python3", [join(installed, "examples/python/pay.py")], { env: outside });
      await waitFor(
        "the payment",
        () =>
          fetch(`${outside.BASE_URL}/pos-payments`, {
            headers: { apikey: outside.APIKEY ?? "", "Ocp-Apim-Subscription-Key": outside.SUBSCRIPTION_KEY ?? "" },
          }).then((r) => r.text()),
        { until: (text) => text.includes('"captured"') },
      );
    } finally {
      await stack.end();
    }
  },
  120_000,
);
