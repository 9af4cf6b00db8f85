import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { AzureRequest } from "../../../infra/azure/hooks/azure.ts";
import { listening } from "../../../packages/local-azure/common/test/listening.ts";
import { root } from "../../support/rooms.ts";
import { skippedIf } from "../../support/skipped.ts";
import { azureYaml, hooksOf, isClone, withoutClone } from "./azd.ts";
import { fakeAzure, place } from "./fake-azure.ts";

// Each hook of azure.yaml runs as azd runs it, in a clean clone. No package is installed, and only azd has an identity. Stand-ins for npm,
// azd and az record their calls. Requests to Azure go to a server on loopback.

const isWindows = process.platform === "win32";
const isFallback = existsSync(join(root, "node_modules/.bin/node"));
const canRun = isClone && !isWindows && !isFallback;
const because =
  withoutClone ||
  skippedIf(isWindows, "the stand-ins of npm, azd and az are scripts for sh") ||
  skippedIf(isFallback, "the hooks refuse the Node that `npm ci` brought");

const token = `e30.${Buffer.from('{"oid":"deployer"}').toString("base64url")}.of-azd`;
let folder: string;
const clone = () => join(folder, "clone");
const calls = () =>
  existsSync(join(folder, "calls")) ? readFileSync(join(folder, "calls"), "utf8").trim().split("\n") : [];

/** A program that records its arguments, and then does this. */
function standIn(name: string, does: string): void {
  const file = join(folder, "bin", name);
  writeFileSync(file, `#!/bin/sh\necho "${name} $*" >> "${join(folder, "calls")}"\n${does}\n`);
  chmodSync(file, 0o755);
}

const output = async (program: string, words: readonly string[], cwd: string) => {
  const child = spawn(program, words, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  return text(child.stdout);
};

beforeAll(async () => {
  if (!canRun) return;
  folder = mkdtempSync(join(tmpdir(), "hooks-"));
  // A clone has every file except the ignored ones.
  const files = await output("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], root);
  for (const file of files.split("\0"))
    if (/^(functions|shared|infra|clients|package)/.test(file) && existsSync(join(root, file)))
      cpSync(join(root, file), join(clone(), file));
  cpSync(join(root, "azure.yaml"), join(clone(), "azure.yaml"));
  cpSync(join(root, "test/tools/azure/loopback-azure.js"), join(folder, "bin/loopback-azure.mjs"));
  const npm = (await output("sh", ["-c", "command -v npm"], folder)).trim();
  standIn(
    "npm",
    `[ "$1" = ci ] && exec ln -s "${join(root, "node_modules")}" "${join(clone(), "node_modules")}"\nexec "${npm}" "$@"`,
  );
  standIn("azd", `echo '{"token":"${token}","expiresOn":"2099-01-01T00:00:00Z"}'`);
  standIn("az", "exit 1");
});
afterAll(() => canRun && rmSync(folder, { recursive: true, force: true }));

/** Azure on loopback. */
async function loopbackAzure(
  answer: (request: AzureRequest) => Promise<{ status: number; body: unknown }>,
): Promise<string> {
  const server = createServer((request: IncomingMessage, response) => {
    void (async () => {
      const body = await text(request);
      const { method = "", headers } = request;
      const url = String(headers["x-asked-of"]);
      if (headers.authorization !== `Bearer ${token}`) return response.writeHead(401).end();
      const given = await answer({
        method: method as AzureRequest["method"],
        url,
        ...(body && { body: JSON.parse(body) }),
      });
      return response.writeHead(given.status).end(JSON.stringify(given.body ?? {}));
    })();
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

/** Runs the hook of a step as azd does, with these outputs of the templates as variables. Returns its output, and the recorded calls. */
async function ran(step: string, azure: string, outputs: Readonly<Record<string, string>>) {
  const placed = hooksOf(azureYaml).find((one) => one.step === step);
  if (!placed) throw new Error(`azure.yaml has no hook at ${step}`);
  rmSync(join(folder, "calls"), { force: true });
  const { HOME = "", PATH = "" } = process.env;
  const path = [dirname(process.execPath), ...PATH.split(delimiter).filter((one) => !one.includes("node_modules"))];
  const child = spawn(placed.hook.posix.shell, ["-c", placed.hook.posix.run], {
    cwd: join(clone(), placed.folder),
    env: {
      HOME,
      PATH: [join(folder, "bin"), ...path].join(delimiter),
      NODE_OPTIONS: `--import=${join(folder, "bin/loopback-azure.mjs")}`,
      LOOPBACK_AZURE: azure,
      AZURE_ENV_NAME: "dev",
      AZURE_SUBSCRIPTION_ID: place.subscriptionId,
      AZURE_RESOURCE_GROUP: place.resourceGroup,
      AZURE_LOCATION: "swedencentral",
      ...outputs,
    },
  });
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return {
    said: `${out}${errors}`,
    code: code as number,
    called: calls().filter((call) => !call.startsWith("azd auth token")),
  };
}

const ofFoundation = { settingsVault: "kv-app", keysVault: "kv-keys" };

it.skipIf(!canRun)(`the hooks, in the order of a first deployment and of a second one${because}`, async () => {
  const { azure, calls: asked, stored } = fakeAzure();
  const at = await loopbackAzure((request) => azure.send(request));

  // `azd provision`: no hook of packaging runs before.
  const first = await ran("postprovision-foundation", at, ofFoundation);
  expect(first).toMatchObject({ code: 0, called: ["npm run --silent azure:secrets", "npm ci --ignore-scripts"] });
  expect(first.said).toMatch(/Secrets made: kv-app\/KEY-PEPPERS, .*kv-keys\/host--masterKey--master/);
  const values = [...stored("kv-app").values(), ...stored("kv-keys").values()];
  expect(values.length).toBeGreaterThan(20);
  expect(values.filter((value) => first.said.includes(value))).toEqual([]);
  expect(asked.slice(0, 2).toSorted()).toEqual(["GET vaults/kv-app/secrets", "GET vaults/kv-keys/secrets"]);

  // `azd up`, from another clean clone. The packages come first, so the hook of the secrets installs none, and all of them are there.
  const before = asked.length;
  rmSync(join(clone(), "node_modules"));
  expect(await ran("cmdhook-prepackage", at, {})).toMatchObject({
    code: 0,
    called: ["npm run --silent azure:packages", "npm ci --ignore-scripts"],
  });
  const second = await ran("postprovision-foundation", at, ofFoundation);
  expect(second).toMatchObject({ code: 0, called: ["npm run --silent azure:secrets"] });
  expect(second.said).toContain("Every secret was there.");
  expect(asked.slice(before).filter((call) => /^(PUT|POST)/.test(call))).toEqual([]);

  const gatewayUrl = await gateway();
  const outputs = { ...ofFoundation, gatewayUrl, keyVault: "kv-app", functionApp: "func", apiManagement: "apim" };
  const smoke = await ran("cmdhook-postdeploy", await loopbackAzure(async () => ({ status: 403, body: {} })), outputs);
  expect(smoke).toMatchObject({ code: 0, called: ["npm run --silent azure:smoke"] });
  expect(smoke.said).toMatch(/Not asked: .*\n\d+ checks passed, 0 failed\.\n$/);
});

/** A healthy gateway, as callers without a valid key see it. */
async function gateway(): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const { length } = await text(request);
      const answer = (status: number, body: unknown) =>
        response
          .writeHead(status, { "content-type": "application/problem+json", "x-request-id": "r" })
          .end(JSON.stringify(body));
      if (request.url === "/probes/health") answer(200, { status: "alive" });
      else if (request.url === "/outside") answer(404, { code: "not_found" });
      else if (length > 65_536) answer(413, { code: "body_too_large" });
      else if (request.headers["content-type"] === "text/plain") answer(415, { code: "unsupported_media_type" });
      else answer(401, { code: "invalid_credentials" });
    })();
  });
  return `http://127.0.0.1:${await listening(server)}`;
}
