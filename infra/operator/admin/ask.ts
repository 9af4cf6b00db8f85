import { createInterface } from "node:readline/promises";

/** Waits for the operator's `yes` on the terminal. Any other reply means no. The question is written to stderr. */
export async function isConfirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
