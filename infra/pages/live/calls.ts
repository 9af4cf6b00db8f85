import type { PassedCall } from "../../emulators/gateway/gateway.ts";
import type { CallDetail, CallView } from "./views/calls.ts";

/** What of a call's bodies is read: the rest is shown as it is. */
interface ReadBody {
  readonly sessionID?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly messageID?: unknown;
}

/** A call as the page shows it, and what the swim lanes need of it beside. */
export interface ReadCall extends Omit<CallDetail, "curl"> {
  /** Of a terminal's report. */
  readonly reportType: string | undefined;
  /** The message that a report answers. */
  readonly messageId: string | undefined;
}

/** A terminal's poll that got no message: there are hundreds an hour, and none of them is news. */
const isEmptyPoll = ({ operation, status }: PassedCall): boolean => operation === "next-message" && status === 204;

/**
 * A call that passed the gateway; undefined for a poll without a message. The session is the one that its path, its body or its response
 * names, in lower case.
 */
export function readCall(passed: PassedCall): ReadCall | undefined {
  if (isEmptyPoll(passed)) return undefined;
  const { id, at, ms, api, operation, method, path, status } = passed;
  return {
    id,
    at,
    ms: Math.round(ms),
    api: apiOf(api),
    operation: operation ?? "unknown operation",
    method,
    path,
    status,
    ...namesIn(passed),
    requestHeaders: passed.requestHeaders,
    requestBody: passed.requestBody,
    responseHeaders: passed.responseHeaders,
    responseBody: passed.responseBody,
  };
}

/** Consumers' two operations are an API of API Management each, and one to who looks. */
const apiOf = (api = ""): string => (api.startsWith("landing-page") ? "consumer" : api);

/** What a call says in its headers and bodies, of which nothing is certain to be there. */
function namesIn({ path, operation, status, requestBody, responseBody, responseHeaders }: PassedCall) {
  const [sent, got] = [membersOf(requestBody), membersOf(responseBody)];
  const problem = status >= 400 ? textOf(got.code) : undefined;
  const requestId = responseHeaders.find(([name]) => name.toLowerCase() === "x-request-id")?.[1];
  const sessionId = sessionIn(path) ?? textOf(sent.sessionID) ?? textOf(got.sessionID);
  return {
    ...(problem !== undefined && { problem }),
    ...(requestId !== undefined && { requestId }),
    ...(sessionId !== undefined && { sessionId: sessionId.toLowerCase() }),
    reportType: operation === "report" ? textOf(sent.type) : undefined,
    messageId: textOf(sent.messageID),
  };
}

/** The line of the list. */
export function callView(call: ReadCall): CallView {
  const { requestHeaders: _, requestBody: __, responseHeaders: ___, responseBody: ____, ...rest } = call;
  const { reportType: _____, messageId: ______, ...view } = rest;
  return view;
}

const LONGEST_NAME = 200;

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" && value.length <= LONGEST_NAME ? value : undefined;

function sessionIn(path: string): string | undefined {
  const [, found] = /\/pos-payment\/([0-9a-f-]{36})(?:[/?]|$)/i.exec(path) ?? [];
  return found;
}

function membersOf(body: string): ReadBody {
  try {
    return Object(JSON.parse(body)) as ReadBody;
  } catch {
    return {}; // no JSON: it is shown as it is
  }
}
