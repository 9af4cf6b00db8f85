import { describe, expect, it } from "vitest";
import { keptAnswers } from "../support/answers.ts";
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
});
