import { Command, CommanderError, InvalidArgumentError } from "commander";
import { givenWords } from "./packed.ts";
import { takenByNpm } from "./typed-command.ts";

// How every script of package.json reads its arguments. `--help` prints the usage. Wrong arguments end the script with exit code 2. A
// failure ends it with 1 and one sentence.

/** A script's arguments, as a commander program. */
export type Script = Command;

/** The arguments of a command line are wrong. The process ends with exit code 2. */
export class UsageError extends Error {}

/**
 * The script as a commander program, still without options. `invocation` is what a user types, such as `npm run try --`. A script with
 * commands prints its usage if it gets no arguments.
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

/** The exit code of a process whose output has no reader any more. Shells use it for SIGPIPE. */
const UNREAD = 141;

/**
 * Runs the script's action with the arguments of this process, and sets its exit code. It is 0, or 2 for wrong arguments and for options
 * that npm took for itself, or 1 if the action throws. For another code the action sets `process.exitCode` itself. The process ends when
 * the reader of its output does, such as `head`.
 *
 * @param words the arguments after the script's name
 */
export async function runScript(script: Script, words: readonly string[] = givenWords()): Promise<void> {
  if (!process.stdout.listeners("error").includes(endUnread)) process.stdout.on("error", endUnread);
  const taken = takenByNpm(script, words);
  if (taken !== undefined) {
    console.error(taken);
    process.exitCode = 2;
    return;
  }
  try {
    await script.parseAsync(words, { from: "user" });
  } catch (error) {
    complain(script, error);
  }
}

function complain(script: Script, error: unknown): void {
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === "commander.help")) return;
  const isUsage = error instanceof CommanderError || error instanceof UsageError;
  console.error(isUsage ? `${usageSentence(error)} See ${script.name()} --help.` : messageOf(error));
  process.exitCode = isUsage ? 2 : 1;
}

function endUnread(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exitCode ??= UNREAD;
  if (ending) ending.abort();
  else process.exit();
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Commander's message as a sentence, followed by its suggestion in brackets. */
export function usageSentence({ message }: Error): string {
  const [error = "", ...suggestion] = message.replace(/^error: /, "").split("\n");
  const sentence = error.charAt(0).toUpperCase() + error.slice(1).replace(/\.?$/, ".");
  return [sentence, ...suggestion].join(" ");
}

let ending: AbortController | undefined;

/** A press of Ctrl-C arrives twice within this time: from the terminal, and from npm. A later one ends the process at once. */
const ONE_PRESS_MS = 500;
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Aborts at Ctrl-C, at SIGTERM, and when this process's output has no reader any more. A script that uses this signal then ends by itself,
 * and ends what it has started. Other scripts are ended at once.
 */
export function endSignal(): AbortSignal {
  if (ending) return ending.signal;
  const controller = (ending = new AbortController());
  const end = () => controller.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  const stopListening = () => SIGNALS.forEach((signal) => process.off(signal, end));
  controller.signal.addEventListener("abort", () => setTimeout(stopListening, ONE_PRESS_MS).unref());
  return controller.signal;
}

/** Whether this process's output may have colours: only on a terminal, without NO_COLOR or CI in the environment. */
export const isColoured = (): boolean =>
  process.stdout.isTTY && process.stdout.hasColors() && process.env["CI"] === undefined;

/** Reads the value of an option: a whole number of at least 1. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of at least 1.");
  return Number(text);
}

/** Reads the value of an option: a number above 0, such as `0.5`. */
export function positiveNumber(text: string): number {
  if (!/^\d{1,12}(\.\d{1,3})?$/.test(text) || Number(text) <= 0)
    throw new InvalidArgumentError("It must be a number above 0, such as 1 or 0.5.");
  return Number(text);
}
