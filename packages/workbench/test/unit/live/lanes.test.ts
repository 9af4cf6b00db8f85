import { describe, expect, it } from "vitest";
import { lanesOf, type LaneCall, type LaneSpan } from "../../../live/lanes.ts";

const span = (spanId: string, parentSpanId: string, name: string, more: Partial<LaneSpan> = {}): LaneSpan => ({
  spanId,
  parentSpanId,
  name,
  from: 0,
  to: 1,
  attributes: {},
  failed: false,
  ...more,
});
const call = (id: string, more: Partial<LaneCall>): LaneCall => ({
  id,
  at: 0,
  ms: 10,
  api: "partners",
  operation: "pos-payment-request",
  method: "POST",
  status: 202,
  reportType: undefined,
  messageId: undefined,
  ...more,
});

/** A payment from the request to the webhook of its approval. */
const calls = [
  call("request", { requestId: "r1" }),
  call("poll", { at: 5, ms: 60, api: "terminals", operation: "next-message" }),
  call("report", {
    at: 200,
    api: "terminals",
    operation: "report",
    reportType: "captured",
    messageId: "m1",
    requestId: "r2",
  }),
];
const spans = [
  span("f1", "", "pos-payment-request", {
    from: 2,
    to: 9,
    attributes: { "http.response.status_code": 202, "payment.request_id": "r1" },
  }),
  span("s1", "f1", "send terminal-messages", { from: 3, to: 4, attributes: { "payment.effect": "message" } }),
  span("d1", "f1", "send deadlines", {
    from: 3,
    to: 4,
    attributes: { "payment.effect": "deadline~acceptance", "payment.due_at": "2026-11-21T10:00:30.000Z" },
  }),
  span("w1", "s1", "process terminal-messages", {
    from: 20,
    to: 40,
    attributes: { "payment.effect": "message", "payment.outcome": "done" },
  }),
  span("t1", "w1", "group Terminals", { from: 21, to: 30 }),
  span("m1s", "w1", "next-message", {
    from: 50,
    to: 60,
    attributes: { "payment.message": "payment", "payment.command_id": "m1" },
  }),
  span("f2", "w1", "report", {
    from: 203,
    to: 209,
    attributes: { "http.response.status_code": 200, "payment.request_id": "r2" },
  }),
  span("s2", "f2", "send webhook-deliveries", { from: 205, to: 206 }),
  span("w2", "s2", "process webhook-deliveries", { from: 215, to: 240 }),
  span("h1", "w2", "webhook attempt", {
    from: 216,
    to: 230,
    failed: true,
    attributes: { "payment.event_id": "e1", "http.response.status_code": 500 },
  }),
];
const eventTypes = new Map([["e1", "payment.captured"]]);
const drawn = (more: Partial<Parameters<typeof lanesOf>[0]> = {}) => lanesOf({ spans, calls, eventTypes, ...more });

describe("the swim lanes of a payment", () => {
  it("lead from the partner through every lane to the webhook, each item with its cause", () => {
    const { items, left } = drawn();
    expect(left).toBe(0);
    const byId = new Map(items.map((item) => [item.id, item]));
    const way: string[] = [];
    for (let item = byId.get("h1"); item; item = byId.get(item.cause ?? "")) way.push(`${item.lane} ${item.title}`);
    expect(way).toEqual([
      "webhook payment.captured",
      "worker webhook-deliveries",
      "queue webhook-deliveries",
      "function report",
      "gateway report",
      "terminal captured",
      "terminal payment",
      "worker terminal-messages",
      "queue terminal-messages",
      "function pos-payment-request",
      "gateway pos-payment-request",
      "partner POST pos-payment-request",
    ]);
  });

  it("are in the order of time, and show a failed attempt with its status", () => {
    const { items } = drawn();
    expect(items.map(({ from }) => from)).toEqual(items.map(({ from }) => from).toSorted((a, b) => a - b));
    expect(items.find(({ id }) => id === "h1")).toMatchObject({ hasFailed: true, detail: "500", from: 216, to: 230 });
  });

  it("show a message in its queue from its sending to the start of its worker, and one that waits without an end", () => {
    const { items } = drawn();
    expect(items.find(({ id }) => id === "s1")).toMatchObject({ lane: "queue", from: 4, to: 20, detail: "message" });
    expect(items.find(({ id }) => id === "d1")).toMatchObject({
      to: undefined,
      detail: "deadline~acceptance, due at 2026-11-21T10:00:30.000Z",
    });
  });

  it("mark a deadline's wait, and a deadline whose reason had passed, as timers", () => {
    const ranAs = (id: string, outcome: string) =>
      span(id, "d1", "process deadlines", { from: 30_000, to: 30_010, attributes: { "payment.outcome": outcome } });
    const { items } = drawn({ spans: [...spans, ranAs("late", "pointless"), ranAs("due", "done")] });
    expect(items.filter(({ isTimer }) => isTimer).map(({ id }) => id)).toEqual(["d1", "late"]);
  });

  it("leave out polls and calls of the tables: a message is drawn where the terminal received it", () => {
    const { items } = drawn();
    expect(items.map(({ title }) => title)).not.toContain("group Terminals");
    expect(items.filter(({ lane }) => lane === "terminal")).toMatchObject([
      { title: "payment", from: 60, to: 60, cause: "w1" },
      { title: "captured", from: 200, to: 200, cause: "m1s" },
    ]);
  });

  it("draw duplicates once", () => {
    expect(drawn({ spans: [...spans, ...spans], calls: [...calls, ...calls] })).toEqual(drawn());
  });

  it("show a second delivery as another run of the same message", () => {
    const again = span("w1b", "s1", "process terminal-messages", { from: 10_020, to: 10_030 });
    const { items } = drawn({ spans: [...spans, again] });
    expect(items.find(({ id }) => id === "w1b")).toMatchObject({ lane: "worker", cause: "s1" });
    expect(items.find(({ id }) => id === "s1")?.to).toBe(20);
  });

  it("are drawn from calls alone if there are no traces, and from nothing", () => {
    expect(drawn({ spans: [] }).items.map(({ lane }) => lane)).toEqual(["partner", "gateway", "terminal", "gateway"]);
    expect(drawn({ spans: [], calls: [] })).toEqual({ items: [], left: 0 });
  });

  it("keep beginning and end of a payment that was retried for days, and say how much is left out", () => {
    const attempts = Array.from({ length: 1_000 }, (_, i) =>
      span(`a${i}`, i === 0 ? "w2" : `a${i - 1}`, "process webhook-retries", { from: 300 + i, to: 300 + i }),
    );
    const { items, left } = drawn({ spans: [...spans, ...attempts] });
    expect(items).toHaveLength(300);
    expect(left).toBe(1_000 + 13 - 300);
    expect([items.at(0)?.lane, items.at(-1)?.id]).toEqual(["partner", "a999"]);
    const ids = new Set(items.map(({ id }) => id));
    expect(items.filter(({ cause }) => cause !== undefined && !ids.has(cause))).toEqual([]);
  });

  it("end even if spans name each other as parents", () => {
    const circle = [span("x", "y", "inner"), span("y", "x", "inner"), span("z", "x", "process mails")];
    expect(lanesOf({ spans: circle, calls: [], eventTypes }).items).toMatchObject([{ id: "z", lane: "worker" }]);
  });
});
