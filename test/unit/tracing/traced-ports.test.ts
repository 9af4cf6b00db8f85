import { describe, expect, it } from "vitest";
import type { InboxMessage } from "../../../shared/domain/terminal-inbox.ts";
import type { Announcement } from "../../../shared/ports/announcements.ts";
import type { BareAlert } from "../../../shared/ports/bare-alerts.ts";
import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";
import type { MailReply, TokenMail } from "../../../shared/ports/mails.ts";
import type { RawMessage } from "../../../shared/ports/raw-messages.ts";
import type { Inboxes } from "../../../shared/ports/terminals.ts";
import type { WebhookRequest, WebhookResponse } from "../../../shared/ports/webhooks.ts";
import { inboxesTable } from "../../../shared/tables/inboxes-table.ts";
import type { Rows } from "../../../shared/tables/rows.ts";
import { eachTable } from "../../../shared/tables/table-ports.ts";
import { tracedInboxes } from "../../../shared/tracing/traced-inboxes.ts";
import { tracedLog } from "../../../shared/tracing/traced-log.ts";
import { tracedMails } from "../../../shared/tracing/traced-mails.ts";
import { tracedQueues } from "../../../shared/tracing/traced-queues.ts";
import { tracedTables } from "../../../shared/tracing/traced-tables.ts";
import { tracedWebhooks } from "../../../shared/tracing/traced-webhooks.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { partnerId, terminalId } from "../../support/platform.ts";
import { inATrace, recordSpans, TRACE_ID, TRACEPARENT } from "./recorded-spans.ts";

const spans = recordSpans();
const sessionId = "eeeeeeee-0000-4000-8000-000000000001";
const named = (name: string) => {
  const found = spans().find((span) => span.name === name);
  if (!found)
    throw new Error(
      `no span ${name} among ${spans()
        .map((span) => span.name)
        .join(", ")}`,
    );
  return found;
};
const outer = () => named("outer").traceparent.split("-")[2];

describe("tables", () => {
  const insert = (rowKey: string) => ({ kind: "insert", rowKey, columns: {} }) as const;
  const tables = () => tracedTables(eachTable(() => inMemoryRows()));

  it("have a span for each call, with the kinds of its rows and none of its keys", async () => {
    const { accessTokens } = tables();
    await inATrace(async () => {
      await accessTokens.submit("code~5ecret", [insert("code~5ecret"), insert("token")]);
      await accessTokens.get("code~5ecret", "code~5ecret");
      await accessTokens.withPrefix("code~5ecret", "code~");
    });
    expect(named("group AccessTokens")).toMatchObject({
      kind: "client",
      traceId: TRACE_ID,
      parentId: outer(),
      failed: false,
      attributes: { "db.collection.name": "AccessTokens", "payment.rows": ["insert code", "insert token"] },
    });
    expect(spans().map(({ name }) => name)).toEqual([
      "group AccessTokens",
      "get AccessTokens",
      "query AccessTokens",
      "outer",
    ]);
    expect(JSON.stringify(spans())).not.toContain("5ecret");
  });

  it("have none outside a trace, and the bells' have none at all", async () => {
    const { payments, bells } = tables();
    await payments.get("p", "session");
    await inATrace(() => bells.withPrefix("bells", "ringer~"));
    expect(spans().map(({ name }) => name)).toEqual(["outer"]);
  });

  it("name an error by its class alone, and a conflict as an outcome", async () => {
    const failing = (error: Error): Rows => ({
      ...inMemoryRows(),
      async get() {
        throw error;
      },
    });
    for (const error of [new Unavailable("the account's 5ecret"), new Conflict("EntityAlreadyExists")]) {
      const { payments } = tracedTables(eachTable(() => failing(error)));
      await inATrace(async () => expect(payments.get("p", "session")).rejects.toBe(error));
    }
    const [away, conflict] = spans().filter(({ name }) => name === "get Payments");
    expect(away).toMatchObject({ failed: true, attributes: { "error.type": "Unavailable" } });
    expect(conflict).toMatchObject({ failed: false, attributes: { "payment.outcome": "conflict" } });
    expect(JSON.stringify(spans())).not.toContain("5ecret");
  });
});

describe("queues", () => {
  const announcement: Announcement = {
    v: 1,
    subject: { kind: "payment", partnerId, sessionId },
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

  it("leave a message as it is outside a trace, and a raw one always", async () => {
    const { announcements, rawMessages, sent } = queued();
    await announcements.send("deadlines", announcement);
    const raw = { body: Buffer.from("{}"), contentType: undefined, properties: {} };
    await inATrace(() => rawMessages.send("deadlines", raw, "2026-11-21T10:00:05.000Z"));
    expect(sent).toEqual([announcement, raw]);
    expect(spans().map(({ name }) => name)).toEqual(["send deadlines", "outer"]);
  });
});

describe("inboxes", () => {
  const slot = { sessionId, sequence: 1, createdAt: "2026-11-21T10:00:00.000Z" };
  const message = { messageId: "m1", slot, message: { type: "cancel" } } as unknown as InboxMessage;
  const inbox = (): Inboxes => tracedInboxes(inboxesTable(tracedTables(eachTable(() => inMemoryRows())).terminals));

  it("carry the worker's span to the terminal; a message that is handed out is one span under it", async () => {
    const inboxes = inbox();
    await inATrace(() => inboxes.post(terminalId, message));
    const { traceparent } = named("outer");
    const [row] = await inboxes.unanswered(terminalId);
    if (!row) throw new Error("no message");
    expect(row.traceparent).toBe(traceparent);
    const before = spans().length;
    await inboxes.lease(terminalId, row, "2026-11-21T10:00:10.000Z");
    expect(spans().slice(before)).toEqual([
      expect.objectContaining({
        name: "next-message",
        traceId: TRACE_ID,
        parentId: outer(),
        attributes: {
          "payment.terminal_id": terminalId,
          "payment.session_id": sessionId,
          "payment.command_id": "m1",
          "payment.message": "cancel",
        },
      }),
    ]);
  });

  it("have no span for a message that another poll handed out first", async () => {
    const inboxes = inbox();
    await inATrace(() => inboxes.post(terminalId, message));
    const [row] = await inboxes.unanswered(terminalId);
    if (!row) throw new Error("no message");
    await inboxes.lease(terminalId, row, "2026-11-21T10:00:10.000Z");
    await expect(inboxes.lease(terminalId, row, "2026-11-21T10:00:10.000Z")).rejects.toThrow(Conflict);
    expect(spans().filter(({ name }) => name === "next-message")).toHaveLength(1);
  });
});

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
  ])("that ends with %j says so", async (response, failed, error) => {
    await attempt(response);
    const { attributes, ...span } = named("webhook attempt");
    expect({ failed: span.failed, error: attributes["error.type"] }).toEqual({ failed, error });
  });
});

it("a mail's span names nothing of the mail", async () => {
  const mail = { id: "5ecret", to: "5ecret@customer.example", code: "5ecret", pageName: "5ecret" } as TokenMail;
  const reply: MailReply = { kind: "refused", reason: "EENVELOPE 550" };
  const mails = tracedMails({ send: async () => reply, nextAttemptAfter: () => 5 });
  await inATrace(async () => expect(await mails.send(mail)).toBe(reply));
  expect(named("mail attempt")).toMatchObject({ failed: true, attributes: { "error.type": "EENVELOPE 550" } });
  expect(JSON.stringify(spans())).not.toMatch(/5ecret|customer/);
});

describe("the log", () => {
  const lines: unknown[] = [];
  const log = tracedLog({
    write: (event, line) => void lines.push([event, line]),
    within: (_names, _output, work) => work(),
    note: () => {},
  });

  it("names the request, its caller and its subject on the span, as in its lines", async () => {
    const names = { requestID: "request-1", traceparent: TRACEPARENT, function: "report" };
    await inATrace(() =>
      log.within(names, console, async () => {
        log.note({ partner: partnerId, terminal: terminalId });
        log.note({ session: sessionId });
        log.write("worker", { outcome: "again", dueMs: 5 });
        log.write("backOff", { error: "Unavailable: a 5ecret" });
        log.write("bellsImpaired", { tries: 1 });
      }),
    );
    expect(named("outer")).toMatchObject({
      attributes: {
        "payment.request_id": "request-1",
        "payment.partner_id": partnerId,
        "payment.terminal_id": terminalId,
        "payment.session_id": sessionId,
        "payment.outcome": "again",
      },
      events: ["backOff"],
    });
    expect(lines).toHaveLength(3);
    expect(JSON.stringify(spans())).not.toContain("5ecret");
  });

  it("is as before outside a trace", async () => {
    log.note({ partner: partnerId });
    log.write("slowCommit", { ms: 1 });
    expect(lines.at(-1)).toEqual(["slowCommit", { ms: 1 }]);
    expect(spans()).toEqual([]);
  });
});
