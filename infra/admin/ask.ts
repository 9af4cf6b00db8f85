import { createInterface } from "node:readline/promises";

/** Asks the operator a question that is answered with yes or anything else; where nobody can be asked, `--yes` is demanded. */
export async function isConfirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Error("Nobody can be asked here: say --yes, or --dry-run to see what it would do.");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
