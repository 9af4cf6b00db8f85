import type { HttpResponseInit } from "@azure/functions";
import { toProblemObject, problems, type Problem } from "../contracts/problem.ts";

/** What an endpoint answers, before it becomes an HTTP response. */
export type Answer =
  | { readonly status: number; readonly body?: unknown; readonly replayed?: boolean }
  | { readonly problem: Problem };

export const answer = (status: 200 | 202, body: unknown, replayed = false): Answer => ({ status, body, replayed });
export const noContent: Answer = { status: 204 };
export const refusal = (problem: Problem): Answer => ({ problem });

/** The request as far as an answer repeats it. */
export interface Asked {
  readonly requestId: string;
  readonly path: string;
  readonly accept: string | null;
}

/** JSON in every case; a problem carries `Retry-After` where waiting helps. (Decisions 3, 7 and 8) */
export function toResponse(given: Answer, asked: Asked): HttpResponseInit {
  const headers: Record<string, string> = { "x-request-id": asked.requestId, "cache-control": "no-store" };
  if (!("problem" in given)) {
    if (given.replayed) headers["idempotent-replayed"] = "true";
    if (given.body === undefined) return { status: given.status, headers };
    headers["content-type"] = "application/json";
    return { status: given.status, headers, body: JSON.stringify(given.body) };
  }
  const { problem } = given;
  const { status } = problems[problem.code];
  headers["content-type"] = asked.accept?.includes("application/problem+json")
    ? "application/problem+json"
    : "application/json";
  const retryAfter = problem.retryAfterSeconds ?? (status === 503 || status === 429 ? 1 : undefined);
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
  return { status, headers, body: JSON.stringify(toProblemObject(problem, asked.path, asked.requestId)) };
}
