import { sentJson } from "../../domain/texts.ts";
import type { HttpResponseInit } from "@azure/functions";
import { toProblemObject, problems, type Problem, type ProblemCode } from "../../contracts/objects/problem.ts";
import type { Refusal } from "../../domain/refusal.ts";
import type { FileSuccess, Success, Successes } from "./contract.ts";

/** An endpoint's response, before it becomes an HTTP response. */
export type EndpointResponse =
  | { readonly status: number; readonly body?: unknown; readonly replayed?: boolean }
  | { readonly status: number; readonly csv: CsvFile }
  | { readonly problem: Problem };

/** A file of comma-separated values, and the name under which a browser stores it. */
export interface CsvFile {
  readonly name: string;
  readonly text: string;
  /** The query of the next page of the file, at the same path. Undefined for the last page. */
  readonly next?: Readonly<Record<string, string | number | undefined>> | undefined;
}

/** The responses that an endpoint's contract allows: each success with its own body, or a problem. */
export type ResponseOf<Promised extends Successes> =
  | {
      [Status in keyof Promised & number]: Promised[Status] extends Success<infer Body>
        ? { readonly status: Status; readonly body: Body; readonly replayed?: boolean }
        : Promised[Status] extends FileSuccess
          ? { readonly status: Status; readonly csv: CsvFile }
          : { readonly status: Status };
    }[keyof Promised & number]
  | { readonly problem: Problem };

export const respond = <const Status extends 200 | 202, Body>(status: Status, body: Body, replayed = false) => ({
  status,
  body,
  replayed,
});
export const respondCsv = (csv: CsvFile) => ({ status: 200, csv }) as const;
export const noContent = { status: 204 } as const;
/** A problem that a handler returns. It can only be a refusal, because the other problems are found before the handler runs. */
export const refusal = <Refused extends Refusal>(problem: Refused) => ({ problem });

/** The problem codes among a handler's responses. */
export type RespondedCode<Responded> = Responded extends {
  readonly problem: { readonly code: infer Code extends ProblemCode };
}
  ? Code
  : never;

/** The parts of the request that a response repeats, and the page that its problem refers to. */
export interface ReceivedRequest {
  readonly requestId: string;
  /** Below the base address. */
  readonly path: string;
  readonly accept: string | null;
  /** The address of the page of problems. */
  readonly pagesUrl: string | undefined;
}

/** Writes a response as JSON, or a file as CSV. A problem carries `Retry-After` if waiting helps. (API behaviour 3, 7 and 8) */
export function toHttpResponse(given: EndpointResponse, received: ReceivedRequest): HttpResponseInit {
  const { headers, ...response } =
    "problem" in given ? ofProblem(given.problem, received) : "csv" in given ? ofFile(given) : ofSuccess(given);
  return { ...response, headers: { "x-request-id": received.requestId, "cache-control": "no-store", ...headers } };
}

/** A response without the headers that every response has. */
interface Written {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function ofSuccess({ status, body, replayed }: Extract<EndpointResponse, { readonly replayed?: boolean }>): Written {
  const headers = replayed ? { "idempotent-replayed": "true" } : {};
  if (body === undefined) return { status, headers };
  return { status, headers: { ...headers, "content-type": "application/json" }, body: sentJson(body) };
}

const ofFile = ({ status, csv }: { readonly status: number; readonly csv: CsvFile }): Written => ({
  status,
  headers: {
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": `attachment; filename="${csv.name}"`,
    ...(csv.next && { link: `<?${queryText(csv.next)}>; rel="next"` }),
  },
  body: csv.text,
});

const queryText = (query: NonNullable<CsvFile["next"]>): string =>
  Object.entries(query)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodeURIComponent(value)}`))
    .join("&");

function ofProblem(problem: Problem, received: ReceivedRequest): Written {
  const { status } = problems[problem.code];
  const isProblemType = received.accept?.includes("application/problem+json") === true;
  const retryAfter = problem.retryAfterSeconds ?? (status === 503 || status === 429 ? 1 : undefined);
  return {
    status,
    headers: {
      "content-type": isProblemType ? "application/problem+json" : "application/json",
      ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
    },
    body: JSON.stringify(toProblemObject(problem, placeOf(received))),
  };
}

const placeOf = ({ path, requestId, pagesUrl }: ReceivedRequest) => ({
  instance: path,
  requestID: requestId,
  pagesUrl,
});
