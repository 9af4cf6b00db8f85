import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Verdict } from "./api-documents.ts";

// What the black-box tests were answered, kept in files: each worker writes its own, and the last suite reads them all.

const folder = resolve(import.meta.dirname, "../../.local/answers");

/** Forgets what an earlier run was answered. */
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
