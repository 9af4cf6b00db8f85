import { createInterface } from "node:readline/promises";

/** Asks the operator to confirm with yes; every other reply means no. Without a terminal to ask on, `--yes` is required. */
export async function isConfirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Error("No terminal is attached for the confirmation: say --yes, or --dry-run to see what it would do.");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
