import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Verdict } from "./api-documents.ts";

// The responses that the black-box tests received, kept in files. Each worker writes its own file, and the last suite reads all of them.

const folder = resolve(import.meta.dirname, "../../.local/answers");

/** Removes the responses of an earlier run. */
export function forgetAnswers(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

export function keepAnswer(verdict: Verdict): void {
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(verdict)}\n`);
}

export function keptAnswers(): readonly Verdict[] {
  if (!existsSync(folder)) throw new Error("Nothing was answered yet: run the black-box tests first (--project e2e).");
  return readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Verdict),
  );
}
