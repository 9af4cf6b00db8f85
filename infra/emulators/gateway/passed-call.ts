import type { IncomingMessage, ServerResponse } from "node:http";
import type { Answer, Call } from "./call.ts";

/** A call that passed the gateway, as its caller sees it: what goes to the backend is no part of it. */
export interface PassedCall {
  /** `context.RequestId`. */
  readonly id: string;
  /** Its arrival, in milliseconds since 1970. */
  readonly at: number;
  /** Until its response was written, or the caller disconnected. */
  readonly ms: number;
  /** Undefined, as `operation`, where no operation of an API matches. */
  readonly api: string | undefined;
  readonly operation: string | undefined;
  readonly method: string;
  /** As the caller sent it, with the query. */
  readonly path: string;
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  /** What was read of it, as text: nothing of a request that was refused before its body was needed. 64 KiB at most. */
  readonly requestBody: string;
  /** 499 where the caller did not get the whole response. */
  readonly status: number;
  readonly responseHeaders: readonly (readonly [name: string, value: string])[];
  /** As text; its first 64 KiB. */
  readonly responseBody: string;
}

/** What the gateway knows of a call when it is over, beside request and response themselves. */
export interface Course {
  readonly at: number;
  /** The arrival by the clock that no one sets, in milliseconds. */
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
