import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApp } from "../../infra/tools/build.ts";
import { startStack } from "../../packages/workbench/stack/stack.ts";
import { runScript } from "../../infra/tools/script.ts";
import { hostileScript, type Options } from "./options.ts";
import { run, type Findings } from "./run.ts";

// `npm run hostile` sends hostile requests, generated from the OpenAPI documents, to the gateway and directly to the functions host of a
// running stack. The same seed draws the same requests, except for new identifiers.

async function main(options: Options): Promise<boolean> {
  await buildApp();
  const directory = await mkdtemp(join(tmpdir(), "hostile-"));
  try {
    const stack = await startStack({ ports: "free", directory, paceMs: 5 });
    try {
      const isClean = report(options, await run(stack, options));
      if (!isClean) await showTroubles(directory);
      return isClean;
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function report({ seed }: Options, { counts, violations, sent, accepted, raw, seconds, growth }: Findings): boolean {
  for (const [what, times] of [...counts].toSorted(([a], [b]) => a.localeCompare(b)))
    console.log(`${String(times).padStart(8)}  ${what}`);
  console.log(`\n${growth.join("\n")}\n`);
  const rate = (sent / seconds).toFixed(0);
  console.log(
    `seed ${seed}: ${sent} requests and ${raw} raw ones in ${seconds.toFixed(0)} s (${rate}/s), ${accepted} payments let in`,
  );
  for (const [what, times] of [...violations].slice(0, 100)) console.error(`VIOLATION (${times} times): ${what}`);
  const proves = sent > 0 && raw > 0;
  if (!proves) console.error("The run sent nothing: it proves nothing.");
  console.log(violations.size === 0 ? "no violation" : `${violations.size} kinds of violation`);
  return proves && violations.size === 0;
}

/** Prints the lines of the app's log that explain a 5xx. */
async function showTroubles(directory: string): Promise<void> {
  const lines = (await readFile(join(directory, "logs", "functions.log"), "utf8")).split("\n");
  const isTrouble = (line: string) => /"(?:dependencyUnavailable|requestFailed|versionAhead)"/.test(line);
  for (const line of lines.filter(isTrouble).slice(0, 20)) console.error(line);
}

export const script = hostileScript(
  async (options) => {
    process.exitCode = (await main(options)) ? 0 : 1;
  },
  1 + (Date.now() % 1_000_000),
);

if (import.meta.main) await runScript(script);
