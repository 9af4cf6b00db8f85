import { execFile, spawnSync } from "node:child_process";
import { copyFile, cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { noCsharpClient, writeCsharpClient } from "../../infra/documents/openapi/csharp-client.ts";
import { buildModules } from "../../infra/tools/build-package.ts";
import { clientTool, withoutClientTools } from "./client-tool.ts";
import { withoutPython } from "./python.ts";
import { root } from "./rooms.ts";
import { skippedIf } from "./skipped.ts";

/** A sample program: it requests a payment, reads list and feed, or receives webhooks. */
export type Mode = "pay" | "read" | "receive";

/** A language in which the guide shows a partner's programs. */
export interface Language {
  /** With the reason at its end if its tests are skipped. */
  readonly name: string;
  readonly isSkipped: boolean;
  /** Its receiver is that of another language. */
  readonly borrowsReceiver?: true;
  /** Prepares an empty folder for the programs. The folder is removed afterwards. */
  readonly prepare: (folder: string) => Promise<unknown>;
  readonly command: (mode: Mode, folder: string) => readonly string[];
}

const run = promisify(execFile);
const document = join(root, "docs/openapi/partners.json");
const example = (path: string): string => join(root, "examples", path);
const isInstalled = (command: string): boolean => spawnSync(command, ["--version"]).status === 0;

const noCsharp = await noCsharpClient();

async function prepareCsharp(folder: string): Promise<void> {
  await cp(example("csharp"), folder, { recursive: true });
  await writeCsharpClient(join(folder, "Partners.cs"));
  const options = ["--nologo", "-v", "q", "-p:UseSharedCompilation=false", "-o", join(folder, "out")];
  await run("dotnet", ["build", ...options, folder], { env: { ...process.env, MSBUILDDISABLENODEREUSE: "1" } });
}

async function prepareHeyApi(folder: string): Promise<void> {
  const generator = join(clientTool("@hey-api/openapi-ts"), "bin/run.js");
  const sdk = join(folder, "sdk");
  const plugins = ["-p", "@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"];
  await run(process.execPath, [generator, "-i", document, "-o", sdk, ...plugins, "--no-log-file", "--silent"]);
  await copyFile(join(root, "test/support/hey-api/shop.js"), join(folder, "shop.js"));
  await mkdir(join(folder, "out"));
  await build({
    entryPoints: [join(folder, "shop.js")],
    outfile: join(folder, "out/shop.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    nodePaths: [join(root, "node_modules")],
  });
}

const typescriptFiles: Readonly<Record<Mode, string>> = { pay: "pay.ts", read: "read.ts", receive: "receiver.ts" };
const prepareTypescript = () => buildModules(fileURLToPath(new URL("../../clients/partners", import.meta.url)));
const inTypescript = (mode: Mode) => [process.execPath, example(`receiver/${typescriptFiles[mode]}`)];

const language = (name: string, without: string, rest: Omit<Language, "name" | "isSkipped">): Language => ({
  name: `${name}${without}`,
  isSkipped: without !== "",
  ...rest,
});

export const languages: readonly Language[] = [
  language("TypeScript", "", {
    prepare: prepareTypescript,
    command: inTypescript,
  }),
  language("TypeScript, with a client that hey-api generates", withoutClientTools, {
    borrowsReceiver: true,
    prepare: (folder) => Promise.all([prepareTypescript(), prepareHeyApi(folder)]),
    command: (mode, folder) =>
      mode === "receive" ? inTypescript(mode) : [process.execPath, join(folder, "out/shop.mjs"), mode],
  }),
  language("C#, with a client that NSwag generates", skippedIf(noCsharp !== undefined, noCsharp ?? ""), {
    prepare: prepareCsharp,
    command: (mode, folder) => ["dotnet", join(folder, "out/shop.dll"), mode],
  }),
  language("Python", withoutPython, {
    prepare: async () => {},
    command: (mode) => ["python3", example(`python/${mode}.py`)],
  }),
];

/** Whether shell programs can run here. */
export const withoutShell = skippedIf(
  process.platform === "win32" || !isInstalled("curl") || spawnSync("openssl", ["version"]).status !== 0,
  "there is no shell with curl and openssl on this machine",
);
