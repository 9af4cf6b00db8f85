import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildApp } from "../../infra/tools/build.ts";
import { endSignal, newScript, runScript } from "../../infra/tools/script.ts";
import { demonstrate } from "./demo/demonstrate.ts";
import { findStack } from "./stack/directories.ts";
import { isStackRunning } from "../../infra/tools/running-stacks.ts";
import { startStack, type Stack } from "./stack/stack.ts";
import { newProgress } from "./start/progress.ts";

// `npm run demo` shows one payment as a timeline, from the partner's request to the webhook at the partner's server.

async function demo({ stack: named }: { readonly stack?: string }): Promise<void> {
  const signal = endSignal();
  if (named === undefined && !(await isStackRunning())) return onItsOwn(signal);
  if (named === undefined) console.log("On the running stack.");
  finish(await demonstrate(await findStack(named), signal));
}

/** Starts a stack for the demonstration, and ends it afterwards. */
async function onItsOwn(signal: AbortSignal): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "terminal-payments-"));
  try {
    const stack = await startOwn(directory);
    try {
      finish(await demonstrate(stack.file, signal));
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function startOwn(directory: string): Promise<Stack> {
  const progress = newProgress();
  try {
    await buildApp();
    progress.ready("the built app");
    return await startStack({ ports: "free", directory, onReady: progress.ready });
  } finally {
    progress.end();
  }
}

function finish(isDone: boolean): void {
  if (!isDone) process.exitCode ??= 1;
}

export const script = newScript(
  "npm run demo --",
  "Shows one payment from the request to the signed webhook, on the running stack or else on its own.",
  ["npm run demo"],
)
  .option("--stack <file>", "the stack.json of the stack, if several are running")
  .action(demo);

if (import.meta.main) await runScript(script);
