import { describe, expect, it } from "vitest";
import { keptAnswers } from "../support/answers.ts";
import { words } from "../../infra/documents/problems/page.ts";
import { parts, type PageWords } from "../../infra/documents/problems/words/page-words.ts";
import { documentedResponses } from "../support/api-documents.ts";

// Runs after the black-box tests, on the responses that they received.

const answers = keptAnswers();

const timesOf = (operationId: string, status: string, code?: string): number =>
  answers.filter((a) => a.operationId === operationId && a.status === status && (code === undefined || a.code === code))
    .length;

/** Every operation, with the number of times that each of its documented statuses occurred. */
function matrix(): string {
  const statuses = [...new Set(documentedResponses.map(({ status }) => status))].toSorted();
  const names = [...new Set(documentedResponses.map(({ operationId }) => operationId))];
  const width = Math.max(...names.map((name) => name.length));
  const cell = (name: string, status: string) =>
    documentedResponses.some((r) => r.operationId === name && r.status === status) ? timesOf(name, status) : "";
  const row = (first: string, cells: readonly (string | number)[]) =>
    first.padEnd(width) + cells.map((value) => String(value).padStart(6)).join("");
  const rows = names.map((name) =>
    row(
      name,
      statuses.map((status) => cell(name, status)),
    ),
  );
  return [row("", statuses), ...rows].join("\n");
}

/** The parts of each received problem that not every problem has, by its code. */
const carried = Map.groupBy(
  answers.flatMap(({ operationId, received }) => {
    const problem = problemIn(received?.body);
    if (!received || !problem) return [];
    const names = [...Object.keys(problem), ...Object.keys(received.headers)].map((name) => name.toLowerCase());
    const has = parts.filter((part) => names.includes(part.toLowerCase()));
    return [{ operationId, code: problem.code, has }];
  }),
  ({ code }) => code,
);

function problemIn(base64 = ""): { readonly code: string } | undefined {
  const text = Buffer.from(base64, "base64").toString();
  if (!text.startsWith("{")) return undefined;
  const body = JSON.parse(text) as object;
  return "code" in body && "retryable" in body ? (body as { readonly code: string }) : undefined;
}

describe("the responses that the black-box tests received", () => {
  it("are many, and all documented", () => {
    console.log(`\n${matrix()}\n`);
    expect(answers.length).toBeGreaterThan(100);
    expect(answers.filter(({ complaints }) => complaints.length > 0)).toEqual([]);
  });

  it("cover every operation and every documented status", () => {
    const missing = documentedResponses.filter(({ operationId, status }) => timesOf(operationId, status) === 0);
    expect(missing.map(({ operationId, status }) => `${operationId} ${status}`)).toEqual([]);
  });

  it("cover every documented code", () => {
    const missing = documentedResponses.flatMap(({ operationId, status, codes }) =>
      codes.filter((code) => timesOf(operationId, status, code) === 0).map((code) => `${operationId} ${code}`),
    );
    expect(missing).toEqual([]);
  });

  it.each(Object.entries<PageWords>(words))("carry what the page about %s promises", (code, promise) => {
    const { always = [], sometimes = [] } = promise;
    const seen = carried.get(code) ?? [];
    const broken = seen.filter(
      ({ has }) =>
        always.some((part) => !has.includes(part)) ||
        has.some((part) => !always.includes(part) && !sometimes.includes(part)),
    );
    expect(broken).toEqual([]);
    const met = new Set(seen.flatMap(({ has }) => has));
    const unmet = [...always, ...sometimes].filter((part) => !met.has(part));
    expect({ isReceived: seen.length > 0, unmet }).toEqual({ isReceived: true, unmet: [] });
  });
});
