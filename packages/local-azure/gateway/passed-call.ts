import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer, Call } from "./call.ts";

/** A call through the gateway, as its caller sees it. The request to the backend is not included. */
export interface PassedCall {
  /** `context.RequestId`. */
  readonly id: string;
  /** Its arrival, in milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds until its response was written or the caller disconnected. */
  readonly ms: number;
  /** Like `operation`, undefined if no operation of an API matches. */
  readonly api: string | undefined;
  readonly operation: string | undefined;
  readonly method: string;
  /** The path as the caller sent it, with the query. */
  readonly path: string;
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  /** The part of the body that was read, as text, at most 64 KiB. Empty if the request was rejected before its body was needed. */
  readonly requestBody: string;
  /** 499 if the caller did not get the whole response. */
  readonly status: number;
  readonly responseHeaders: readonly (readonly [name: string, value: string])[];
  /** The first 64 KiB, as text. */
  readonly responseBody: string;
}

/** The gateway's data about a finished call, in addition to the request and the response. */
export interface Course {
  readonly at: number;
  /** The arrival by the monotonic clock, in milliseconds. */
  readonly began: number;
  call?: Call;
  body?: Uint8Array;
  answer?: Answer;
}

export const newCourse = (): Course => ({ at: Date.now(), began: performance.now() });

export function passedCall(course: Course, request: IncomingMessage, response: ServerResponse): PassedCall {
  const { call, at, began, body, answer } = course;
  return {
    id: call?.requestId ?? "",
    at,
    ms: performance.now() - began,
    api: call?.operation?.apiId,
    operation: call?.operation?.id,
    ...lineAndHeaders(request),
    requestBody: textOf(body),
    status: response.writableFinished ? response.statusCode : 499,
    responseHeaders: Object.entries(response.getHeaders()).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => [name, String(one)] as const),
    ),
    responseBody: textOf(answer?.body),
  };
}

const lineAndHeaders = ({ method = "GET", url: path = "", rawHeaders }: IncomingMessage) => ({
  method,
  path,
  requestHeaders: pairs(rawHeaders),
});

const MAX_BYTES = 64 * 1024;

const textOf = (body: string | Uint8Array | undefined): string =>
  Buffer.from(body ?? "")
    .subarray(0, MAX_BYTES)
    .toString();

/** The names and values that Node gives as one list. */
const pairs = (raw: readonly string[]): (readonly [string, string])[] =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""] as const] : []));
