import { Command, CommanderError, InvalidArgumentError } from "commander";

// How every script of package.json reads its words: `--help` prints the usage, wrong words end with 2, and what fails with 1 and one sentence.

/** A script's words, as a commander program. */
export type Script = Command;

/** Words of a command line that are wrong. The process ends with exit code 2. */
export class UsageError extends Error {}

/**
 * The script as a commander program without options yet. `invocation` is what a user types, such as `npm run try --`. A script with commands
 * that gets no word prints its usage.
 */
export const newScript = (invocation: string, does: string, examples: readonly string[] = []): Script =>
  new Command(invocation)
    .description(does)
    .allowExcessArguments(false)
    .addHelpText("after", examplesText(examples))
    .configureOutput({ writeErr: (text) => void process.stdout.write(text), outputError: () => {} })
    .exitOverride();

/** The end of a help text. */
export const examplesText = (examples: readonly string[]): string =>
  examples.length === 0 ? "" : ["\nExamples:", ...examples.map((one) => `  ${one}`)].join("\n");

/** The exit code of a process whose output has no reader any more, as shells have it of a SIGPIPE. */
const UNREAD = 141;

/**
 * Runs the script's action with the words of this process, and sets its exit code: 0, 2 for wrong words, 1 for what the action throws. An
 * action that ends with another code sets `process.exitCode` itself. The process ends when the reader of its output does, such as `head`.
 *
 * @param words what was typed behind the script's name
 */
export async function runScript(script: Script, words: readonly string[] = process.argv.slice(2)): Promise<void> {
  if (!process.stdout.listeners("error").includes(endUnread)) process.stdout.on("error", endUnread);
  try {
    await script.parseAsync(words, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && (error.exitCode === 0 || error.code === "commander.help")) return;
    const isUsage = error instanceof CommanderError || error instanceof UsageError;
    console.error(isUsage ? `${usageSentence(error)} See ${script.name()} --help.` : messageOf(error));
    process.exitCode = isUsage ? 2 : 1;
  }
}

function endUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exitCode ??= UNREAD;
  if (ending) ending.abort();
  else process.exit();
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Commander's message as a sentence. Its suggestion stands behind it, in brackets. */
export function usageSentence({ message }: Error): string {
  const [error = "", ...suggestion] = message.replace(/^error: /, "").split("\n");
  const sentence = error.charAt(0).toUpperCase() + error.slice(1).replace(/\.?$/, ".");
  return [sentence, ...suggestion].join(" ");
}

let ending: AbortController | undefined;

/**
 * Aborts at Ctrl-C, at SIGTERM, and when this process's output has no reader any more. A script that asks for it ends by itself then, and
 * what it has started with it; another one is ended at once.
 */
export function endSignal(): AbortSignal {
  if (ending) return ending.signal;
  const controller = (ending = new AbortController());
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

/** Whether this process's output may have colours: on a terminal, without NO_COLOR and CI in the environment. */
export const isColoured = (): boolean =>
  process.stdout.isTTY && process.stdout.hasColors() && process.env["CI"] === undefined;

/** Reads the value of an option: a whole number from 1 on. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError("It takes a whole number from 1 on.");
  return Number(text);
}

/** Reads the value of an option: a number above 0, such as `0.5`. */
export function positiveNumber(text: string): number {
  if (!/^\d{1,12}(\.\d{1,3})?$/.test(text) || Number(text) <= 0)
    throw new InvalidArgumentError("It takes a number above 0, such as 1 or 0.5.");
  return Number(text);
}
