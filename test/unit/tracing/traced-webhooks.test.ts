import { describe, expect, it } from "vitest";
import type { WebhookRequest, WebhookResponse } from "../../../shared/ports/webhooks.ts";
import { tracedWebhooks } from "../../../shared/adapters/tracing/traced-webhooks.ts";
import { partnerId } from "../../support/platform.ts";
import { among, inATrace, recordSpans, TRACE_ID, TRACEPARENT } from "./recorded-spans.ts";

const spans = recordSpans();
const { named, outer } = among(spans);
const sessionId = "eeeeeeee-0000-4000-8000-000000000001";

describe("a webhook attempt", () => {
  const request: WebhookRequest = {
    partnerId,
    url: "https://user:5ecret@shop.example:8443/hooks/5ecret?key=5ecret",
    id: `${sessionId}_3`,
    at: "2026-11-21T10:00:00.000Z",
    body: '{"5ecret":1}',
    secrets: ["whsec_5ecret"],
    traceparent: TRACEPARENT,
  };
  const attempt = async (response: WebhookResponse | "postponed") => {
    const sent: WebhookRequest[] = [];
    const webhooks = tracedWebhooks({
      send: async (request) => (sent.push(request), response),
      challenge: async () => "postponed",
      nextAttemptAfter: () => 5,
    });
    await inATrace(async () => expect(await webhooks.send(request)).toBe(response));
    return sent;
  };

  it("is a span whose context the partner's server gets; it names the server's host and nothing else of its address", async () => {
    const sent = await attempt({ kind: "delivered", status: 204, ms: 3 });
    const span = named("webhook attempt");
    expect(sent).toEqual([{ ...request, traceparent: span.traceparent }]);
    expect(span).toMatchObject({ kind: "client", traceId: TRACE_ID, parentId: outer(), failed: false });
    expect(span.attributes).toMatchObject({
      "server.address": "shop.example",
      "server.port": 8443,
      "http.response.status_code": 204,
      "payment.partner_id": partnerId,
      "payment.event_id": `${sessionId}_3`,
      "payment.outcome": "delivered",
    });
    expect(JSON.stringify(spans())).not.toContain("5ecret");
  });

  it.each<[WebhookResponse | "postponed", boolean, string | undefined]>([
    [{ kind: "failed", reason: "time-out", ms: 15_000 }, true, "time-out"],
    [{ kind: "gone", status: 410, ms: 2 }, true, "gone"],
    ["postponed", false, undefined],
  ])("that ends with %j records that", async (response, failed, error) => {
    await attempt(response);
    const { attributes, ...span } = named("webhook attempt");
    expect({ failed: span.failed, error: attributes["error.type"] }).toEqual({ failed, error });
  });
});
