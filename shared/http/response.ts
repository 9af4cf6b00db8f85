import type { HttpResponseInit } from "@azure/functions";
import { toProblemObject, problems, type Problem, type ProblemCode } from "../contracts/objects/problem.ts";
import type { Refusal } from "../domain/refusal.ts";
import type { Success, Successes } from "./contract.ts";

/** An endpoint's response, before it becomes an HTTP response. */
export type EndpointResponse =
  | { readonly status: number; readonly body?: unknown; readonly replayed?: boolean }
  | { readonly problem: Problem };

/** The responses that an endpoint's contract allows: each success with its own body, or a problem. */
export type ResponseOf<Promised extends Successes> =
  | {
      [Status in keyof Promised & number]: Promised[Status] extends Success<infer Body>
        ? { readonly status: Status; readonly body: Body; readonly replayed?: boolean }
        : { readonly status: Status };
    }[keyof Promised & number]
  | { readonly problem: Problem };

export const respond = <const Status extends 200 | 202, Body>(status: Status, body: Body, replayed = false) => ({
  status,
  body,
  replayed,
});
export const noContent = { status: 204 } as const;
/** A problem that a handler answers: only a refusal, since the other problems are found before it runs. */
export const refusal = <Refused extends Refusal>(problem: Refused) => ({ problem });

/** The problem codes among a handler's responses. */
export type RespondedCode<Responded> = Responded extends {
  readonly problem: { readonly code: infer Code extends ProblemCode };
}
  ? Code
  : never;

/** What a response repeats of its request, and what its problem refers to. */
export interface ReceivedRequest {
  readonly requestId: string;
  readonly path: string;
  readonly accept: string | null;
  /** The address of the problems' pages. */
  readonly pagesUrl: string | undefined;
}

/** JSON in every case; a problem carries `Retry-After` where waiting helps. (API behaviour 3, 7 and 8) */
export function toHttpResponse(given: EndpointResponse, received: ReceivedRequest): HttpResponseInit {
  const headers: Record<string, string> = { "x-request-id": received.requestId, "cache-control": "no-store" };
  if (!("problem" in given)) {
    if (given.replayed) headers["idempotent-replayed"] = "true";
    if (given.body === undefined) return { status: given.status, headers };
    headers["content-type"] = "application/json";
    return { status: given.status, headers, body: JSON.stringify(given.body) };
  }
  const { problem } = given;
  const { status } = problems[problem.code];
  headers["content-type"] = received.accept?.includes("application/problem+json")
    ? "application/problem+json"
    : "application/json";
  const retryAfter = problem.retryAfterSeconds ?? (status === 503 || status === 429 ? 1 : undefined);
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
  return { status, headers, body: JSON.stringify(toProblemObject(problem, placeOf(received))) };
}

const placeOf = ({ path, requestId, pagesUrl }: ReceivedRequest) => ({
  instance: path,
  requestID: requestId,
  pagesUrl,
});
