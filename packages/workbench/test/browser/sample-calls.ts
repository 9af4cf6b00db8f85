import { curlOf } from "../../live/curl.ts";
import type { CallDetail } from "../../live/views/calls.ts";
import { loopback } from "../../stack/stack-file.ts";
import { sampleStack } from "./sample-stack.ts";

const kinds = [
  { api: "partners", operation: "pos-payment", method: "GET", path: "/pos-payment/", status: 200 },
  {
    api: "partners",
    operation: "pos-payment-request",
    method: "POST",
    path: "/pos-payment-request",
    status: 202,
  },
  { api: "terminals", operation: "report", method: "POST", path: "/terminals/report", status: 200 },
  {
    api: "partners",
    operation: "pos-payment-request",
    method: "POST",
    path: "/pos-payment-request",
    status: 409,
  },
  { api: "terminals", operation: "next-message", method: "GET", path: "/terminals/next-message?wait=55", status: 200 },
  {
    api: "consumer",
    operation: "landing-page-request",
    method: "POST",
    path: "/landing-page-request",
    status: 202,
  },
  { api: "partners", operation: "add-discount", method: "POST", path: "/add-discount", status: 503 },
] as const;

/** Requests of all three APIs, the newest first. */
export function sampleCalls(options: {
  readonly at: number;
  readonly count: number;
  readonly id: (n: number) => string;
  say(where: string): string;
}): readonly CallDetail[] {
  const { id, say } = options;
  return Array.from({ length: options.count }, (_, i) => {
    const { api, operation, method, status, ...kind } = kinds[i % kinds.length] ?? kinds[0];
    const sessionId = id(100 + i);
    const path = operation === "pos-payment" ? kind.path + sessionId : kind.path;
    const headers = Object.entries(sampleStack.demo.headers);
    const body =
      method === "GET"
        ? ""
        : JSON.stringify({ sessionID: sessionId, merchantName: say("Demo Kiosk"), totalAmountInclVat: 125.5 });
    const problem = status === 409 ? "terminal_busy" : status === 503 ? "unavailable" : undefined;
    const response = problem
      ? { title: "Not now", status, code: problem, detail: say("The terminal has another payment."), retryable: true }
      : { sessionID: sessionId, status: "inProgress", totalAmountInclVat: 125.5 };
    return {
      id: `call-${i}`,
      at: options.at - i * 4_000,
      api,
      operation,
      method,
      path,
      status,
      ms: operation === "next-message" ? 12_480 + i : 31 + i * 3,
      ...(problem !== undefined && { problem }),
      requestId: id(900 + i),
      ...(api !== "consumer" && { sessionId }),
      requestHeaders: headers,
      requestBody: body,
      responseHeaders: [
        ["content-type", problem ? "application/problem+json" : "application/json"],
        ["x-request-id", id(900 + i)],
      ],
      responseBody: JSON.stringify(response),
      curl: curlOf({ method, url: loopback(7080) + path, headers, body }),
    };
  });
}
