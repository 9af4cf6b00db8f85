import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { root } from "../support/rooms.ts";

// `npm ci` and the Node that runs it. A program plays npm: it installs the package of this system, or fails.

const INSTALLS = `
const { mkdirSync, symlinkSync, writeFileSync } = require("node:fs");
writeFileSync("options.json", JSON.stringify(Object.keys(process.env).filter((name) => /^npm_config_/i.test(name))));
const folder = "node_modules/node-" + process.platform + "-" + process.arch + "/bin";
mkdirSync(folder, { recursive: true });
symlinkSync(process.execPath, folder + "/node");
`;

async function postinstall(version: string, npm: string) {
  const folder = await mkdtemp(join(tmpdir(), "postinstall "));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const script = join(folder, "infra/tools/postinstall.cjs");
  await mkdir(join(folder, "infra/tools/node"), { recursive: true });
  await cp(join(root, "infra/tools/postinstall.cjs"), script);
  const played = join(folder, "npm.cjs");
  await writeFile(played, npm);
  const code = `Object.defineProperty(process.versions, "node", { value: "${version}" }); require(${JSON.stringify(script)});`;
  const env = {
    ...process.env,
    npm_execpath: played,
    npm_config_workspace: "infra/operator",
    npm_config_registry: "r",
  };
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", code], { env });
  return { folder, stdout };
}

it.each(["22.19.0", "24.1.0", "26.0.0"])("Node %s is used unchanged", async (version) => {
  expect((await postinstall(version, "throw new Error()")).stdout).toBe("");
});

it.skipIf(process.platform === "win32")("an older Node gets another one next to it, in one line", async () => {
  const { folder, stdout } = await postinstall("20.20.2", INSTALLS);
  expect(stdout.trim().split("\n")).toEqual([
    expect.stringMatching(/^Node 20\.20\.2 is too old .*Node 24 was installed/),
  ]);
  expect(await readlink(join(folder, "node_modules/.bin/node"))).toContain("infra/tools/node/node_modules");
  const options = (await import(join(folder, "infra/tools/node/options.json"), { with: { type: "json" } })) as {
    readonly default: readonly string[];
  };
  expect(options.default).toContain("npm_config_registry");
  expect(options.default).not.toContain("npm_config_workspace");
});

it("says what to install if none is available, and lets the installation continue", async () => {
  const { stdout } = await postinstall("22.18.0", "process.exit(1)");
  expect(stdout).toMatch(/^Node 22\.18\.0 is too old .*Install Node 22\.19 or newer .*nodejs\.org/);
});

describe("the additional Node", () => {
  const asFallback = `--import=data:text/javascript,process.execPath="/clone/infra/tools/node/node_modules/node/bin/node"`;
  const tables = "DefaultEndpointsProtocol=http;AccountName=a;AccountKey=a2V5;TableEndpoint=http://127.0.0.1:1/a;";
  const clouds = JSON.stringify({
    production: { tablesEndpoint: "https://a.table.core.windows.net", serviceBusNamespace: "a.servicebus.windows.net" },
  });
  const admin = ["infra/operator/admin/admin.ts", "alert", "list"];

  async function refused(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string | undefined> {
    const options = { cwd: root, env: { ...process.env, ...env } };
    const ended = promisify(execFile)(process.execPath, [asFallback, ...words], options);
    return ended.then(
      () => undefined,
      ({ stderr }: { readonly stderr: string }) => stderr.trim(),
    );
  }
  const refusal = /^This command uses Azure, .*install Node 22\.19 or newer[^\n]*$/;

  it("runs the project's scripts, except those that touch Azure", async () => {
    expect(await refused(["infra/tools/node-version.js"])).toBeUndefined();
    expect(await refused(["infra/tools/node-version.js", "--own"])).toMatch(refusal);
  });

  it("lets an operator work only on this machine", async () => {
    const folder = await mkdtemp(join(tmpdir(), "clouds-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "clouds.json"), clouds);
    expect(await refused([...admin, "--cloud", "production", "--clouds", join(folder, "clouds.json")])).toMatch(
      refusal,
    );
    const bus = "Endpoint=sb://a.servicebus.windows.net;SharedAccessKeyName=k;SharedAccessKey=k";
    expect(await refused(admin, { TABLES_CONNECTION: tables, SERVICE_BUS_CONNECTION: bus })).toMatch(refusal);
  });
});
