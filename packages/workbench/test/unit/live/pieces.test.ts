import { describe, expect, it } from "vitest";
import { newFaultBoard } from "../../../../local-azure/faults/board.ts";
import { clearFaults, faultView, setFault } from "../../../live/faults.ts";
import { attemptIn } from "../../../live/log-lines.ts";
import { readMail } from "../../../live/mails.ts";
import { newTraces } from "../../../live/traces.ts";

const SESSION = "9d3b6f0a-1c5e-4a67-8f0e-2b7c4d5e6f70";
const OTHER = "1d3b6f0a-1c5e-4a67-8f0e-2b7c4d5e6f70";
const PARTNER = "5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10";

describe("the app's log line of an attempt", () => {
  const line = `information webhook-retries {"event":"webhookAttempt","time":"2026-11-21T10:00:00.000Z","eventID":"${SESSION}_2","attempt":1,"outcome":"status","status":500`;

  it("says when the next one comes, and whether the event is given up", () => {
    const nextAt = Date.UTC(2026, 10, 21, 10, 0, 5);
    expect(attemptIn(`${line},"dueMs":5000,"ms":3}`)).toMatchObject({
      eventId: `${SESSION}_2`,
      nextAt,
      isGivenUp: false,
    });
    expect(attemptIn(`${line},"ms":3}`)).toMatchObject({ nextAt: undefined, isGivenUp: true });
    const delivered = line.replace('"outcome":"status"', '"outcome":"delivered"');
    expect(attemptIn(`${delivered},"ms":3}`)).toMatchObject({ nextAt: undefined, isGivenUp: false });
  });

  it.each(["", "no JSON", line, '{"event":"webhookAttempt"}', '{"event":"request","status":200}'])(
    "is not found in %j",
    (other) => expect(attemptIn(other)).toBeUndefined(),
  );
});

describe("a caught mail", () => {
  const mail = {
    id: "mail",
    at: 1,
    address: "a@shop.example",
    subject: "Your voucher",
    headers: { from: "Demo Kiosk <vouchers@kiosk.example>" },
    text: "text",
    html: '<img src="cid:code@qr"><img src=\'cid:none\'><img src="cid:page">',
    attachments: [
      { filename: "code.png", contentType: "image/png", contentId: "code@qr", base64: "AAAA" },
      { filename: "page.svg", contentType: "image/svg+xml", contentId: "page", base64: "AAAA" },
    ],
  };

  it("shows its own pictures in its HTML, and none that could run code", () => {
    const { detail, html } = readMail(mail);
    expect(html).toBe('<img src="data:image/png;base64,AAAA"><img src=\'cid:none\'><img src="cid:page">');
    expect(detail.pictures).toEqual([{ name: "code.png", url: "data:image/png;base64,AAAA" }]);
    expect(detail).toMatchObject({ from: "Demo Kiosk <vouchers@kiosk.example>", subject: "Your voucher" });
  });
});

describe("the spans of a session", () => {
  const span = (spanId: string, traceId: string, sessionId?: string, more = {}) => ({
    traceId,
    spanId,
    parentSpanId: "",
    name: "report",
    from: 0,
    to: 1,
    failed: false,
    attributes: { "payment.partner_id": PARTNER, ...(sessionId && { "payment.session_id": sessionId }), ...more },
  });

  it("are those of its traces, by the payment's history and by its identifiers, without calls of the tables", () => {
    const traces = newTraces();
    const named = traces.add([
      span("a", "request", SESSION),
      span("b", "request"),
      span("c", "cancel", SESSION.toUpperCase()),
      span("d", "deadline"),
      span("e", "other", OTHER),
      span("f", "request", SESSION, { "db.system.name": "azure.table_storage" }),
    ]);
    expect(named).toEqual([SESSION, OTHER].map((sessionId) => ({ partnerId: PARTNER, sessionId })));
    expect(traces.ofSession(SESSION, ["deadline"]).map(({ spanId }) => spanId)).toEqual(["d", "a", "b", "c"]);
  });

  it("are not those of another session in the same trace", () => {
    const traces = newTraces();
    traces.add([span("a", "shared", SESSION), span("b", "shared", OTHER), span("c", "shared")]);
    expect(traces.ofSession(SESSION, []).map(({ spanId }) => spanId)).toEqual(["a", "c"]);
  });
});

describe("faults from the page", () => {
  it("are set on all, or on one by its name, and removed by the name under which they are shown", async () => {
    const board = newFaultBoard();
    await setFault(board, { service: "tables", kind: "slow", seconds: 5, milliseconds: 300 });
    await setFault(board, { service: "queues", name: "mails", kind: "silent", seconds: 5 });
    expect(board.list().map(faultView)).toMatchObject([
      { id: "all tables", target: "all tables", kind: "slow", milliseconds: 300 },
      { id: "queue mails", target: "queue mails", kind: "silent" },
    ]);
    await clearFaults(board, "all tables");
    await clearFaults(board, "table Payments"); // the fault has ended
    expect(board.list().map(faultView)).toMatchObject([{ id: "queue mails" }]);
    await clearFaults(board);
    expect(board.list()).toEqual([]);
  });

  it.each([
    [{ service: "tables", name: "Nothing", kind: "away" }, "There is no Nothing among the tables"],
    [{ service: "queues", name: "Payments", kind: "away" }, "There is no Payments among the queues"],
    [{ service: "tables", kind: "full" }, "Only queues can be full"],
    [{ service: "tables", kind: "on fire" }, "There is no such fault."],
  ] as const)("are refused in a sentence: %j", async (input, sentence) => {
    const board = newFaultBoard();
    await expect(setFault(board, { ...input, seconds: 5 })).rejects.toThrow(sentence);
    expect(board.list()).toEqual([]);
  });
});
