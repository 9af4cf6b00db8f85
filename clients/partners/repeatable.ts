import type { Sent } from "../common/retries.ts";

/** For each end of an operation's path: whether these members and headers name the subject that the request creates or changes. */
const named: Readonly<Record<string, (member: (name: string) => boolean, sent: Sent) => boolean>> = {
  "/pos-payment-request": (has) => has("sessionID"),
  "/pos-payment-cancel": (has) => has("sessionID"),
  "/pos-payment-capture": (has) => has("sessionID"),
  "/pos-payment-refund": (has, { headers }) => has("refundID") || headers.has("idempotency-key"),
  "/add-discount": (has, { headers }) => has("sessionID") && (has("discountID") || headers.has("idempotency-key")),
  "/action-request-response": (has, { headers }) => has("actionRequestID") || headers.has("idempotency-key"),
  "/set-pos-status": (has, { url }) => has("pointOfServiceID") || new URL(url).searchParams.has("pointOfServiceID"),
};

/**
 * Whether the request can be sent again without any effect happening twice. That is true for a read, and for a request that names its
 * subject. If the platform chooses the subject, the second request may meet another payment, refund or action request.
 */
export function isRepeatable(sent: Sent): boolean {
  if (sent.method === "GET" || sent.method === "HEAD") return true;
  const { pathname } = new URL(sent.url);
  const isNamed = Object.entries(named).find(([path]) => pathname.endsWith(path))?.[1];
  if (isNamed === undefined) return false;
  const members = membersOf(sent.body);
  return isNamed((name) => typeof members[name] === "string" && members[name] !== "", sent);
}

function membersOf(body: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body ?? "{}")) as Record<string, unknown>;
  } catch {
    return {};
  }
}
