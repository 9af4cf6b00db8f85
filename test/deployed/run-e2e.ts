import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { runScript, UsageError } from "../../infra/tools/script.ts";
import { asEnvironment, type Deployed } from "./deployed.ts";
import { deployedScript } from "./options.ts";
import { summaryOf, type TestReport } from "./summary.ts";
import { lacksOf, readSettings, type Settings } from "./settings.ts";

// `npm run e2e` runs the black-box tests on a running platform, one after the other, through its gateway. `npm run admin -- e2e-settings
// <file>` writes the file. A test is left out if the platform or the settings lack something that it needs. Left-out tests are counted by
// reason.

const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));

async function main({ baseUrl, settings: path }: Deployed): Promise<void> {
  const settings = resolve(path);
  const read = await settingsFrom(settings);
  const directory = await mkdtemp(join(tmpdir(), "e2e-"));
  try {
    const report = join(directory, "report.json");
    const words = ["run", "--project", "e2e", "--no-file-parallelism", "--maxConcurrency", "1"];
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const env = { ...process.env, ...asEnvironment({ baseUrl, settings }, read.webhooks) };
    const child = spawn(process.execPath, [vitest, ...words, ...reporters], { env, stdio: "inherit" });
    await once(child, "close");
    const results = JSON.parse(await readFile(report, "utf8")) as TestReport;
    const { lines, isPassed } = summaryOf(results, lacksOf(read));
    for (const line of lines) console.log(line);
    process.exitCode = isPassed && child.exitCode === 0 ? 0 : 1;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Throws `UsageError` if the file does not exist or holds no settings. */
async function settingsFrom(path: string): Promise<Settings> {
  try {
    return await readSettings(path);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

export const script = deployedScript(main);

if (import.meta.main) await runScript(script);
