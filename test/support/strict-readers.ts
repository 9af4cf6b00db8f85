import { join } from "node:path";
import { buildCsharp, dotnetIsPresent, runCsharp } from "../../packages/local-azure/gateway/test/csharp.ts";
import type { Received } from "./answers.ts";
import { hasPython, runPython, withoutPython } from "./python.ts";
import { skippedIf } from "./skipped.ts";

// Programs in other languages that read responses and webhooks. They refuse what some program of a partner could not read.

const folder = join(import.meta.dirname, "strict-readers");

/** The complaint about each, or null if the program can read it. */
type Complaints = readonly (string | null)[];

interface StrictReader {
  /** With the reason at its end if its tests are skipped. */
  readonly name: string;
  readonly isSkipped: boolean;
  readonly read: (received: readonly Received[]) => Promise<Complaints>;
}

export const strictReaders: readonly StrictReader[] = [
  {
    name: `Python${withoutPython}`,
    isSkipped: !hasPython,
    read: async (received) => runPython([join(folder, "strict_reader.py")], JSON.stringify(received)) as Complaints,
  },
  {
    name: `C#${skippedIf(!dotnetIsPresent, "there is no dotnet on this machine")}`,
    isSkipped: !dotnetIsPresent,
    async read(received) {
      await buildCsharp(folder);
      return (await runCsharp("StrictReader", [], received)) as Complaints;
    },
  },
];
