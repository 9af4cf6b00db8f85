import { describe, expect, it } from "vitest";
import type { Announcement } from "../../../shared/ports/announcements.ts";
import type { BareAlert } from "../../../shared/ports/bare-alerts.ts";
import type { RawMessage } from "../../../shared/ports/raw-messages.ts";
import { tracedQueues } from "../../../shared/adapters/tracing/traced-queues.ts";
import { partnerId, terminalId } from "../../support/platform.ts";
import { among, inATrace, recordSpans, TRACEPARENT } from "./recorded-spans.ts";

const spans = recordSpans();
const { named, outer } = among(spans);
const sessionId = "eeeeeeee-0000-4000-8000-000000000001";

describe("queues", () => {
  const announcement: Announcement = {
    v: 1,
    subject: { kind: "payment", partnerId, terminalId, sessionId },
    commandId: "c1",
    effect: "webhook~payment.captured",
    attempt: 2,
    traceparent: TRACEPARENT,
  };
  const queued = () => {
    const sent: (Announcement | BareAlert | RawMessage)[] = [];
    const send = async (_: unknown, message: Announcement | RawMessage) => void sent.push(message);
    const ports = { announcements: { send }, rawMessages: { send } };
    const bareAlerts = { send: async (alert: BareAlert) => void sent.push(alert) };
    return { sent, ...tracedQueues({ ...ports, bareAlerts }) };
  };

  it("send a message on with the context of the span that sent it", async () => {
    const { announcements, bareAlerts, sent } = queued();
    await inATrace(async () => {
      await announcements.send("webhook-retries", announcement, "2026-11-21T10:00:05.000Z");
      const raised = {
        subject: { kind: "platform" },
        kind: "deadLetter",
        detail: "words",
        cause: "c",
        at: "",
      } as const;
      await bareAlerts.send({ v: 1, raised });
    });
    const span = named("send webhook-retries");
    expect(span).toMatchObject({
      kind: "producer",
      parentId: outer(),
      attributes: {
        "messaging.destination.name": "webhook-retries",
        "payment.session_id": sessionId,
        "payment.effect": "webhook~payment.captured",
        "payment.attempt": 2,
        "payment.due_at": "2026-11-21T10:00:05.000Z",
      },
    });
    expect(sent[0]).toEqual({ ...announcement, traceparent: span.traceparent });
    expect(sent[1]).toMatchObject({ traceparent: named("send operator-alerts").traceparent });
    expect(JSON.stringify(spans())).not.toContain("words");
  });

  it("leave a message unchanged outside a trace, and a raw one always", async () => {
    const { announcements, rawMessages, sent } = queued();
    await announcements.send("deadlines", announcement);
    const raw = { body: Buffer.from("{}"), contentType: undefined, properties: {} };
    await inATrace(() => rawMessages.send("deadlines", raw, "2026-11-21T10:00:05.000Z"));
    expect(sent).toEqual([announcement, raw]);
    expect(spans().map(({ name }) => name)).toEqual(["send deadlines", "outer"]);
  });
});
