import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Verdict } from "./api-documents.ts";

// The responses and webhooks that the black-box tests received, kept in files. Each worker writes its own file, and the last suite reads all
// of them.

/** A response or webhook as it was received. */
export interface Received<Bytes = string> {
  readonly headers: Readonly<Record<string, string>>;
  /** In base64, unless it is a buffer. */
  readonly body: Bytes;
}

/** Without what was received if the body is empty, or if the worker kept the same one of this operation and status before. */
interface KeptAnswer extends Verdict {
  readonly received?: Received;
}

const folder = resolve(import.meta.dirname, "../../.local/answers");

/** Removes the responses of an earlier run. */
export function forgetAnswers(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

const digests = new Set<string>();

export function keepAnswer(verdict: Verdict, { headers, body }: Received<Buffer>): void {
  const { operationId, status } = verdict;
  const digest = createHash("sha256").update(`${operationId} ${status} `).update(body).digest("base64");
  const isNew = body.length > 0 && !digests.has(digest);
  digests.add(digest);
  const answer: KeptAnswer = { ...verdict, ...(isNew && { received: { headers, body: body.toString("base64") } }) };
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify(answer)}\n`);
}

export function keptAnswers(): readonly KeptAnswer[] {
  if (!existsSync(folder)) throw new Error("Nothing was answered yet: run the black-box tests first (--project e2e).");
  return readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as KeptAnswer),
  );
}
