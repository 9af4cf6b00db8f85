import type { PassedCall } from "../../local-azure/gateway/gateway.ts";
import type { CallDetail, CallView } from "./views/calls.ts";

/** The members of a call's bodies that are read here. The page shows the rest unchanged. */
interface ReadBody {
  readonly sessionID?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly messageID?: unknown;
}

/** A call as the page shows it, with the additional data that the swim lanes need. */
export interface ReadCall extends Omit<CallDetail, "curl"> {
  /** The type of a terminal's report. */
  readonly reportType: string | undefined;
  /** The message that a report answers. */
  readonly messageId: string | undefined;
}

/** A terminal's poll that got no message. There are hundreds an hour, so they are not shown. */
const isEmptyPoll = ({ operation, status }: PassedCall): boolean => operation === "next-message" && status === 204;

/**
 * A call that passed the gateway. Undefined for a poll without a message. Its path, body or response names the session, which is converted
 * to lower case.
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

/** In API Management each of the consumers' two operations is a separate API. The page shows them as one. */
const apiOf = (api = ""): string => (api.startsWith("landing-page") ? "consumer" : api);

/** The names in a call's headers and bodies. Each of them may be missing. */
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

/** The call as a line of the list. */
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
    return {}; // not JSON: it is shown unchanged
  }
}
