import { emptyAnswer, type Call } from "../../call.ts";

/** A call as outbound policies see it, with a known operation and a response. */
export function aCall(changes: Partial<Call> = {}): Call {
  return {
    requestId: "4b0dd5a4-6c0e-4d7e-8a55-2f8f2a1b9c11",
    request: {
      method: "POST",
      path: "/pos-payment-request",
      query: "a=1&b=2&a=3",
      headers: new Map([["x-name", "value"]]),
      ipAddress: "127.0.0.1",
      body: undefined,
      hasBody: false,
      content: () => undefined,
      read: async () => new Uint8Array(),
    },
    operation: { apiId: "partners", id: "pos-payment-request", contentType: "application/json" },
    parameters: new Map([["session_id", "s1"]]),
    subscriptionId: "acme",
    variables: new Map(),
    backend: { baseUrl: undefined, path: "/pos-payment-request", query: "" },
    answer: emptyAnswer(202, "Accepted"),
    lastError: undefined,
    atEnd: [],
    cors: new Map(),
    ...changes,
  };
}
