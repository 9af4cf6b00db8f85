import { HttpRequest, InvocationContext, type HttpHandler } from "@azure/functions";
import { describe, expect, it } from "vitest";
import type { Announcement } from "../../../shared/ports/announcements.ts";
import { identifiersIn } from "../../../shared/adapters/tracing/identifiers.ts";
import { tracedEndpoint } from "../../../shared/adapters/tracing/traced-endpoint.ts";
import { tracedWorker } from "../../../shared/adapters/tracing/traced-worker.ts";
import { partnerId, terminalId } from "../../support/platform.ts";
import { PARENT_ID, recordSpans, TRACE_ID, TRACEPARENT } from "./recorded-spans.ts";

const spans = recordSpans();
const sessionId = "eeeeeeee-0000-4000-8000-000000000001";

describe("an endpoint's span", () => {
  const contract = { name: "pos-payment", method: "GET", route: "pos-payment/{session_id}" };
  const ask = async (traceparent: string | undefined, handler: HttpHandler, waitsSeconds?: number) => {
    const url = `http://127.0.0.1/pos-payment/${sessionId}`;
    const request = new HttpRequest({
      method: "GET",
      url,
      headers: { ...(traceparent !== undefined && { traceparent }) },
    });
    return tracedEndpoint({ ...contract, waitsSeconds }, handler)(request, new InvocationContext());
  };

  it("continues the caller's trace, and is the parent of everything that the request causes", async () => {
    let seen: string | null = null;
    await ask(TRACEPARENT, (request) => {
      seen = request.headers.get("traceparent");
      return { status: 202, body: "{}" };
    });
    const [span] = spans();
    expect(span).toMatchObject({
      name: "pos-payment",
      kind: "server",
      traceId: TRACE_ID,
      parentId: PARENT_ID,
      failed: false,
      attributes: {
        "http.request.method": "GET",
        "http.route": "/pos-payment/{session_id}",
        "http.response.status_code": 202,
      },
    });
    expect(seen).toBe(span?.traceparent);
  });

  it.each([undefined, "junk", `00-${"0".repeat(32)}-${PARENT_ID}-01`])(
    "begins a trace if the caller sent %s",
    async (sent) => {
      let seen: string | null = null;
      await ask(sent, (request) => {
        seen = request.headers.get("traceparent");
        return { status: 200 };
      });
      expect(spans()[0]).toMatchObject({ parentId: undefined, traceparent: seen });
    },
  );

  it("records nothing of a trace that its caller does not sample, and passes that on", async () => {
    let seen: string | null = null;
    await ask(`00-${TRACE_ID}-${PARENT_ID}-00`, (request) => {
      seen = request.headers.get("traceparent");
      return { status: 200 };
    });
    expect(seen).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`));
    expect(spans()).toEqual([]);
  });

  it.each([
    [404, "payment_not_found", false],
    [503, "dependency_unavailable", true],
  ])("names the problem of a %d, and has failed only if the platform itself failed", async (status, code, failed) => {
    await ask(TRACEPARENT, () => ({ status, body: JSON.stringify({ code }) }));
    expect(spans()[0]).toMatchObject({ failed, attributes: { "payment.problem": code } });
  });

  it("is not created for a long poll", async () => {
    await ask(TRACEPARENT, () => ({ status: 204 }), 20);
    expect(spans()).toEqual([]);
  });
});

describe("a worker's span", () => {
  const announcement: Announcement = {
    v: 1,
    subject: { kind: "payment", partnerId, terminalId, sessionId },
    commandId: "c1",
    effect: "message",
    traceparent: TRACEPARENT,
  };
  const deliver = async (message: unknown, deliveryCount: number, handle: (given: unknown) => void = () => {}) => {
    const triggerMetadata = { deliveryCount, enqueuedTimeUtc: "2026-11-21T10:00:00.000Z" };
    const worker = tracedWorker("terminal-messages", async (given) => handle(given));
    await worker(message, new InvocationContext({ triggerMetadata }));
  };

  it("continues its message's trace; a redelivery is another span under the same parent", async () => {
    const failed = new Error("the host's 5ecret");
    const first = deliver(announcement, 1, () => {
      throw failed;
    });
    await expect(first).rejects.toBe(failed);
    await deliver(announcement, 2, (given) => expect(given).toBe(announcement));
    expect(spans()).toMatchObject([
      { traceId: TRACE_ID, parentId: PARENT_ID, failed: true, attributes: { "error.type": "Error" } },
      { traceId: TRACE_ID, parentId: PARENT_ID, failed: false },
    ]);
    const counts = spans().map(({ attributes }) => attributes["messaging.servicebus.message.delivery_count"]);
    expect(counts).toEqual([1, 2]);
    expect(spans()[1]).toMatchObject({
      name: "process terminal-messages",
      kind: "consumer",
      attributes: {
        "payment.partner_id": partnerId,
        "payment.session_id": sessionId,
        "payment.effect": "message",
        "payment.command_id": "c1",
      },
    });
    expect(JSON.stringify(spans())).not.toContain("5ecret");
  });

  it("names nothing of a message that this version cannot read, but continues its trace", async () => {
    await deliver({ v: 2, word: "5ecret", traceparent: TRACEPARENT }, 1);
    expect(spans()[0]).toMatchObject({ traceId: TRACE_ID });
    await deliver("no JSON 5ecret", 1);
    expect(spans()[1]).toMatchObject({ parentId: undefined });
    expect(JSON.stringify(spans())).not.toContain("5ecret");
  });

  it("names the subject and the kind of an alert that has no command, and not its detail", async () => {
    const subject = { kind: "payment", partnerId, terminalId, sessionId };
    const raised = { subject, kind: "deadLetter", detail: "5ecret", cause: "c", at: "2026-11-21T10:00:00.000Z" };
    await deliver({ v: 1, raised, traceparent: TRACEPARENT }, 1);
    expect(spans()[0]).toMatchObject({
      attributes: { "payment.alert": "deadLetter", "payment.session_id": sessionId },
    });
    expect(JSON.stringify(spans())).not.toContain("5ecret");
  });
});

it("a span contains only texts in the form of an identifier, and no key, code or address instead", () => {
  const given = { partnerId, sessionId: "4242424242424242", terminalId: "someone@customer.example", apikey: sessionId };
  expect(identifiersIn(given)).toEqual({ "payment.partner_id": partnerId });
});
