import { describe, expect, it } from "vitest";
import { sampleEvents } from "../../../infra/documents/openapi/samples/sample-events.ts";
import { samplePayment } from "../../../infra/documents/openapi/samples/samples.ts";
import { complaintsAboutWebhook, judge, type SeenResponse } from "../../support/api-documents.ts";

// Tests the check of the black-box tests: it accepts exactly the documented responses.

const requestId = "0f8fad5b-d9cb-469f-a165-70867728950e";
const problem = {
  type: "about:blank",
  title: "The terminal is busy with another payment",
  status: 409,
  instance: "/pos-payment-request",
  code: "terminal_busy",
  requestID: requestId,
  retryable: true,
};
const headers = { "x-request-id": requestId, "cache-control": "no-store", "content-type": "application/json" };

interface Received extends Partial<Pick<SeenResponse, "method" | "url" | "status">> {
  readonly headers?: Record<string, string>;
  readonly without?: string;
  readonly body?: unknown;
}

function complaints({ body = samplePayment(), without, headers: more, ...seen }: Received) {
  const all = new Headers({ ...headers, ...more });
  if (without !== undefined) all.delete(without);
  const url = "http://127.0.0.1:7080/pos-payment-request";
  return judge({ method: "POST", url, status: 202, ...seen, headers: all, body: JSON.stringify(body) }).complaints;
}

describe("a response that is documented", () => {
  it.each<[string, Received]>([
    ["a success", {}],
    ["a replay", { headers: { "Idempotent-Replayed": "true" } }],
    ["a problem", { status: 409, headers: { "Retry-After": "3" }, body: problem }],
    [
      "a problem in its own content type",
      { status: 409, headers: { "content-type": "application/problem+json" }, body: problem },
    ],
    ["one to another spelling of the path", { url: "http://127.0.0.1:7080/POS-payment-request" }],
  ])("passes: %s", (_, exchange) => {
    expect(complaints(exchange)).toEqual([]);
  });
});

describe("a response that is not documented", () => {
  it.each<[string, Received, RegExp]>([
    ["a status", { status: 201 }, /status 201/],
    ["a member more", { body: { ...samplePayment(), extra: 1 } }, /additional properties/],
    [
      "a member more, further in",
      { body: samplePayment({ card: { brand: "Visa", pan: "4242" } as object }) },
      /card.*additional properties/,
    ],
    ["a member less", { body: { ...samplePayment(), status: undefined } }, /required property 'status'/],
    [
      "a value of another type",
      { body: { ...samplePayment(), totalAmountInclVat: "125.50" } },
      /totalAmountInclVat must be number/,
    ],
    ["a state that there is none of", { body: { ...samplePayment(), status: "paid" } }, /x-extensible-enum/],
    ["an identifier that is none", { body: samplePayment({ sessionID: "1" }) }, /sessionID must match format/],
    ["no header where there must be one", { without: "x-request-id" }, /x-request-id is missing/],
    ["a header more", { headers: { "x-powered-by": "us" } }, /x-powered-by is not documented/],
    ["a header with another value", { headers: { "cache-control": "public" } }, /cache-control/],
    ["another content type", { headers: { "content-type": "text/html" } }, /text\/html/],
    [
      "a code of another operation",
      { status: 409, body: { ...problem, code: "ambiguous_target" } },
      /code ambiguous_target/,
    ],
    [
      "no Retry-After with a 503",
      { status: 503, body: { ...problem, status: 503, code: "dependency_unavailable" } },
      /retry-after is missing/,
    ],
    ["an operation", { method: "DELETE" }, /no operation/],
    [
      "a body where there is none",
      { method: "GET", url: "http://127.0.0.1:7080/terminals/next-message", status: 204 },
      /none is documented/,
    ],
  ])("is reported: %s", (_, exchange, complaint) => {
    expect(complaints(exchange).join("; ")).toMatch(complaint);
  });
});

describe("a webhook", () => {
  const event = sampleEvents.payment;

  it("passes only as it is documented", () => {
    for (const sample of Object.values(sampleEvents))
      expect(complaintsAboutWebhook(JSON.stringify(sample))).toEqual([]);
    for (const other of [{ type: "payment.paid" }, { type: "terminal.moved" }, { data: {} }, { extra: 1 }]) {
      expect(complaintsAboutWebhook(JSON.stringify({ ...event, ...other }))).toHaveLength(1);
    }
  });
});
