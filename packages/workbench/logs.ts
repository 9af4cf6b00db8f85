import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endSignal, isColoured, newScript, runScript, wholeNumber } from "../../infra/tools/script.ts";
import { invocation, typed } from "../../infra/tools/typed-command.ts";
import { findStack, isOnFixedPorts } from "./stack/directories.ts";
import { findStackPath, runsAt } from "../../infra/tools/running-stacks.ts";
import { demoNames } from "./logs/demo-names.ts";
import { eventIn, liveLog, levels } from "./logs/live-log.ts";
import { tailOf, type Tail } from "./logs/tail.ts";
import { wantedLines, type Wanted } from "./logs/wanted.ts";

// `npm run logs` shows the log of the running stack's app, as `npm start` does.

interface Words extends Wanted {
  readonly follow?: true;
  readonly lines: number;
  readonly everyLine?: true;
  readonly json?: true;
  readonly stack?: string;
}

const EVERY_MS = 200;

async function showLogs(words: Words): Promise<void> {
  const path = await findStackPath(words.stack);
  const folder = join(dirname(path), "logs");
  const signal = endSignal();
  const { learn, isWanted } = wantedLines(words);
  const textOf = words.json ? jsonOf : await readable(words, path);
  const tails = new Map<string, Tail>();
  const newTexts = async () => {
    const lines = await newLines(folder, tails);
    lines.forEach(learn);
    return lines.filter(isWanted).flatMap((line) => textOf(line) ?? []);
  };
  const print = (text: string): void => console.log(text);
  (await newTexts()).slice(-words.lines).forEach(print);
  const watch = watchStack(path);
  while (words.follow && !signal.aborted) {
    await watch();
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {}); // an aborted signal is seen above
    (await newTexts()).forEach(print);
  }
}

/** The lines of one request are few, so they are always shown in full. */
async function readable({ everyLine, request }: Words, path: string): Promise<(line: string) => string | undefined> {
  const isFull = everyLine === true || request !== undefined;
  return liveLog({ isColoured: isColoured(), names: demoNames(await findStack(path)), isFull });
}

/** Tells the user when the stack has ended. Throws if no later stack will write to its folder. */
function watchStack(path: string): () => Promise<void> {
  let isRunning = true;
  return async () => {
    const before = isRunning;
    isRunning = await runsAt(path);
    if (!before || isRunning) return;
    if (!isOnFixedPorts(path)) throw new Error("The stack has ended.");
    console.error("The stack has ended. Waiting for its next start; Ctrl-C ends this.");
  };
}

/** The lines that the app's hosts have written since the last call. Each host has a file; several files are merged by time. */
async function newLines(folder: string, tails: Map<string, Tail>): Promise<readonly string[]> {
  const files = (await readdir(folder).catch(() => [])).filter((name) => /^functions(-[\w-]+)?\.log$/.test(name));
  for (const file of files) if (!tails.has(file)) tails.set(file, tailOf(join(folder, file)));
  const read = await Promise.all([...tails.values()].map((tail) => tail.read()));
  return read.length === 1 ? (read[0] ?? []) : read.flat().toSorted((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
}

function timeOf(line: string): string {
  const time = eventIn(line)?.["time"];
  return typeof time === "string" ? time : "";
}

const jsonOf = (line: string): string => JSON.stringify(eventIn(line));

export const script = newScript(invocation("logs"), "Shows the log of the running app, one line for each step.", [
  typed("logs", "--follow"),
  typed("logs", "--level warning"),
  typed("logs", "--request 6fa0d5a7-7ae4-4a51-8f8e-95a4c1a3a9b1 --json"),
]);
script
  .option("-f, --follow", "follows new lines, also after the stack is started again")
  .option("--lines <count>", "shows at most this many of the lines so far", wholeNumber, 100)
  .option("--every-line", "shows every line with all its members, also workers and repeated reads")
  .option("--request <id>", "shows every line of this request (x-request-id), and of all that it caused")
  .option("--session <id>", "shows the lines about this payment")
  .addOption(
    script.createOption("--level <level>", "shows this level and the levels above").choices(levels).default(levels[0]),
  )
  .option("--json", "prints every line as the app writes it, one JSON object per line")
  .option("--stack <file>", "the stack.json of the stack, if several are running")
  .action(showLogs);

if (import.meta.main) await runScript(script);
