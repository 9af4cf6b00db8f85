import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { endAnswer } from "../common/bounded-server.ts";

/** The header with which any request sets a fault. */
const FAULT_HEADER = "x-sandbox-fault";
const grammar = /^(?<service>tables|queues)=(?<seconds>[1-9]|[1-5]\d|60)s$/;

/**
 * Sets the fault that a request's header names before the request is carried out, for all callers: `tables=10s` or `queues=10s` cuts the
 * connections to all tables or queues for 1 to 60 seconds. Any other value is 400. `answer` gets the request without the header. A page of
 * another origin cannot send it, because no CORS response allows it.
 *
 * @param faultSwitch the address of the switch for faults
 */
export function withFaultHeader(answer: RequestListener, faultSwitch: string): RequestListener {
  return (request, response) => {
    const values = request.headersDistinct[FAULT_HEADER];
    if (!values) return answer(request, response);
    delete request.headersDistinct[FAULT_HEADER];
    const { service = "", seconds } = grammar.exec(values.join(", "))?.groups ?? {};
    if (seconds === undefined) return refuse(request, response, notUnderstood);
    setFault(`${faultSwitch}/${service}`, Number(seconds)).then(
      () => response.destroyed || answer(request, response),
      (error: unknown) => refuse(request, response, notSet(error)),
    );
  };
}

/** Resolves when the fault is in force. */
async function setFault(url: string, seconds: number): Promise<void> {
  const response = await fetch(url, { method: "PUT", body: JSON.stringify({ kind: "away", seconds }) });
  if (!response.ok) throw new Error(`The switch for faults says: ${await response.text()}`);
}

/** The members of a problem that depend on its cause. */
interface Reason {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly retryable: boolean;
}

const notUnderstood: Reason = {
  status: 400,
  code: "invalid_sandbox_fault",
  title: `The header ${FAULT_HEADER} is wrong`,
  detail: `It must be tables=<seconds>s or queues=<seconds>s, with 1 to 60 seconds, such as tables=10s.`,
  retryable: false,
};

const notSet = (error: unknown): Reason => ({
  status: 500,
  code: "internal_error",
  title: "The fault was not set",
  detail: error instanceof Error ? error.message : String(error),
  retryable: true,
});

/** Responds with a problem that has the members of every API's problems. */
function refuse(request: IncomingMessage, response: ServerResponse, reason: Reason): void {
  const requestID = randomUUID();
  response.statusCode = reason.status;
  response.setHeader("content-type", "application/json");
  response.setHeader("x-request-id", requestID);
  const instance = (request.url ?? "/").split("?")[0];
  endAnswer(request, response, JSON.stringify({ type: "about:blank", ...reason, instance, requestID }));
}
