import { randomUUID } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import { dayOf } from "../../shared/domain/time.ts";
import { operatorOf } from "../support/admin.ts";
import { partnerFor, partnerOn } from "../support/partner.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const { partner, cancel, capture, onAutopilot, pay, read, refund, refused, request, silent, timeline, until } =
  partnerFor("timeline");

describe("a payment's timeline", () => {
  it("shows every change: its actor, time, states and duration", async () => {
    const body = onAutopilot();
    await pay(body);
    await until(body.sessionID, "authorized");
    await capture(body);
    await until(body.sessionID, "captured");
    await refund(body, 25.5);
    await expect.poll(async () => (await read(body.sessionID)).amounts.refunded).toBe(25.5);

    const { sessionID, status, entries } = await timeline(body.sessionID);
    expect({ sessionID, status }).toEqual({ sessionID: body.sessionID, status: "captured" });
    expect(entries.map(({ sequence, by, event, from, to }) => [sequence, by, event, from, to])).toEqual([
      [1, "partner", "request", undefined, "pending"],
      [2, "terminal", "accepted", "pending", "inProgress"],
      [3, "terminal", "authorized", "inProgress", "authorized"],
      [4, "partner", "capture", "authorized", "captureRequested"],
      [5, "terminal", "captured", "captureRequested", "captured"],
      [6, "partner", "refund", "captured", "captured"],
      [7, "terminal", "refunded", "captured", "captured"],
    ]);
    const payment = await read(body.sessionID);
    expect(entries[0]).toMatchObject({ at: payment.createdAt, latencyMs: 0 });
    expect(entries.at(-1)?.at).toBe(payment.updatedAt);
    expect(entries.reduce((ms, entry) => ms + entry.latencyMs, 0)).toBe(
      Date.parse(payment.updatedAt) - Date.parse(payment.createdAt),
    );
    expect(entries.every((entry) => !entry.recordedOnly)).toBe(true);
    expect(entries.filter((entry) => entry.by === "terminal").every((entry) => entry.reportID)).toBe(true);
  });

  it("shows reasons: those of the platform, and the terminal's own text", async () => {
    const body = onAutopilot({ totalAmountInclVat: 100.01 });
    await pay(body);
    await until(body.sessionID, "declined");
    expect((await timeline(body.sessionID)).entries.at(-1)).toMatchObject({
      by: "terminal",
      event: "declined",
      reason: "terminalReported",
      detail: "insufficient funds",
    });
  });

  it("shows a late report without a change of state", async () => {
    await silent.online();
    const body = request();
    await pay(body);
    const message = await silent.begin(body.sessionID);
    await silent.sendReport(message, "declined");
    const reportID = randomUUID();
    expect(await silent.sendReport(message, "cancelled", { reportID })).toBe(200);
    expect(await silent.sendReport(message, "cancelled", { reportID })).toBe(200); // the same report again, so it is a replay

    const { entries } = await timeline(body.sessionID);
    expect(entries.slice(2)).toMatchObject([
      { sequence: 3, event: "declined", to: "declined", recordedOnly: false },
      { sequence: 4, event: "cancelled", from: "declined", to: "declined", recordedOnly: true, reportID },
    ]);
    expect(await read(body.sessionID)).toMatchObject({ status: "declined", statusReason: "terminalReported" });
  });

  it("shows an approval after the end, and its reversal", async () => {
    await silent.online();
    const body = request();
    await pay(body);
    const message = await silent.begin(body.sessionID);
    await cancel(body);
    await silent.sendReport(await silent.reach("cancel", body.sessionID), "cancelled");
    await silent.sendReport(message, "authorized");
    const voiding = await silent.reach("void", body.sessionID);
    expect(voiding).toMatchObject({ amount: 125.5, currency: "SEK" });
    await silent.sendReport(voiding, "voided");
    expect(await read(body.sessionID)).toMatchObject({ status: "cancelled", amounts: { captured: 0 } });
    expect((await timeline(body.sessionID)).entries.slice(-2)).toMatchObject([
      { event: "authorized", to: "cancelled", recordedOnly: true },
      { event: "reversed", to: "cancelled", recordedOnly: false },
    ]);
  });

  it.each([
    ["an identifier that nobody used", randomUUID(), "payment_not_found"],
    ["no identifier", "nonsense", "payment_not_found"],
    ["many letters beyond ASCII", encodeURIComponent("ö".repeat(60)), "not_found"], // our paths contain no percent sign
  ])("is 404 for an unknown payment: %s", async (_, id, code) => {
    for (const path of [`/pos-payment/${id}`, `/pos-payment/${id}/timeline`])
      expect(await refused("GET", path)).toMatchObject({ status: 404, body: { code } });
  });
});

describe("an operator", () => {
  const { printed, shown } = operatorOf(inject("stack"));
  const ofPartner = ["--partner", partner.partnerID];

  it("learns why a payment ended from the identifier of one response, and sees the whole payment", async () => {
    const body = onAutopilot({ totalAmountInclVat: 100.01 });
    const requestID = (await pay(body)).headers.get("x-request-id") ?? "";
    await until(body.sessionID, "declined");
    const why = await printed("payment", "why", requestID);
    expect(why.notes).toEqual([]);
    expect(why.out).toContain(`Payment ${body.sessionID} of partner ${partner.partnerID}`);
    expect(why.out).toContain(`request ${requestID}`);
    expect(why.out.trimEnd().split("\n").at(-1)).toBe(
      'It is declined because the terminal reported this outcome (terminalReported). The merchant has no money from this payment. The terminal\'s words: "insufficient funds".',
    );
    expect(await shown("payment", "why", body.sessionID.toUpperCase())).toContain("It is declined because");

    const of = [...ofPartner, "--session", body.sessionID];
    expect(await shown("payment", "show", ...of)).toMatchObject({
      partnerID: partner.partnerID,
      status: "declined",
      effects: expect.arrayContaining([{ change: 1, effect: "message", state: "over", at: expect.any(String) }]),
      alerts: [],
      inbox: [],
    });
    expect(await shown("payment", "timeline", ...of)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ by: "terminal", what: "declined", detail: "insufficient funds" }),
      ]),
    );
    const listed = await printed("payment", "list", "--status", "declined", "--terminal", body.pointOfServiceID);
    expect(listed.out).toContain(`${body.sessionID}  declined  terminalReported  0.00 of 100.01 SEK`);
  });

  it("sees with one command which key of a partner made each request, and when and from where it was last used", async () => {
    const stack = inject("stack");
    const { apikey = "", keyID = "" } = await shown<Record<string, string>>(
      "key",
      "create",
      ...ofPartner,
      "--scopes",
      "refunds",
    );
    const other = partnerOn(stack, { ...partner, apikey });
    const body = onAutopilot();
    await pay(body);
    await until(body.sessionID, "authorized");
    await capture(body);
    await until(body.sessionID, "captured");
    await refund(body, 5);
    expect((await other.refund(body, 3)).status).toBe(202);

    const [, own = ""] = partner.apikey.split("_");
    const lastUsed = /[\d-]{10} from 127\.0\.0\.0\/24/;
    const is = (key: string) => expect.stringMatching(`^${key} \\(active; last used ${lastUsed.source}\\)$`) as string;
    const timelineOf = ["payment", "timeline", ...ofPartner, "--session", body.sessionID];
    const keysOf = async () =>
      (await shown<{ readonly by: string; readonly what: string; readonly key?: string }[]>(...timelineOf))
        .filter(({ by }) => by === "partner")
        .map(({ what, key }) => [what, key]);
    await expect.poll(keysOf).toEqual([
      ["request", is(own)],
      ["capture", is(own)],
      ["refund", is(own)],
      ["refund", is(keyID)],
    ]);
    const told = await timeline(body.sessionID);
    expect(JSON.stringify(told)).not.toContain(keyID);
    const [from, to] = [0, -1].map((i) => dayOf(told.entries.at(i)?.at ?? ""));
    const { out, notes } = await printed("payment", "list", "--key", keyID, "--from", `${from}`, "--to", `${to}`);
    expect(out).toMatch(
      new RegExp(
        `^sessionID .* byKey +terminal\\n${body.sessionID} .* change=\\d+ what=refund at=[^, ]+  Autopilot of Demo Kiosk$`,
      ),
    );
    expect(notes[0]).toMatch(/^[1-9]\d* payments of partner .*, 1 of them by this key\.$/);
    expect(await shown("key", "list", ...ofPartner)).toMatchObject([
      { keyID, lastUsed: expect.stringMatching(lastUsed) as string },
      { keyID: own, lastUsed: expect.stringMatching(lastUsed) as string },
    ]);
  });

  it("sees which payment holds a terminal, until it has ended", async () => {
    await silent.online();
    const body = request();
    await pay(body);
    const show = () => shown<{ payment?: object }>("terminal", "show", body.pointOfServiceID);
    const { partnerID } = partner;
    expect((await show()).payment).toEqual({ partnerID, sessionID: body.sessionID, status: "pending" });
    expect(await cancel(body)).toMatchObject({ status: 200 });
    expect((await show()).payment).toBeUndefined();
  });

  it("gets one sentence for a request that changed no payment", async () => {
    const unknown = await refused("GET", `/pos-payment/${randomUUID()}`);
    await expect(shown("payment", "why", unknown.body.requestID ?? "", "--day", "2026-11-21")).rejects.toThrow(
      /^No payment has this session, and this request changed no payment on 2026-11-21\./,
    );
  });
});

describe("a webhook", () => {
  it("is sent again byte for byte after a failure, and the timeline shows every attempt", async () => {
    const server = await startWebhookServer(partner.webhookSecret, (attempt) => (attempt === 1 ? 500 : 204));
    try {
      const body = onAutopilot({ totalAmountInclVat: 100.01, responseWebhookUrl: server.url });
      await pay(body);
      await until(body.sessionID, "declined");
      await expect.poll(() => server.received.length, { timeout: 15_000 }).toBe(3);
      const [failed] = server.received;
      const attempts = server.received.filter((r) => r.webhookId === failed?.webhookId);
      expect(attempts.map((r) => r.body)).toEqual([failed?.body, failed?.body]);
      expect(server.unverified).toEqual([]);
      expect(new Set(server.types(body.sessionID))).toEqual(new Set(["payment.inProgress", "payment.declined"]));

      await expect.poll(async () => (await timeline(body.sessionID)).webhooks).toHaveLength(3);
      const { webhooks } = await timeline(body.sessionID);
      expect(webhooks.filter((w) => w.webhookID === failed?.webhookId)).toMatchObject([
        { type: failed?.event.type, attempt: 1, outcome: "status", statusCode: 500 },
        { type: failed?.event.type, attempt: 2, outcome: "delivered", statusCode: 204 },
      ]);
      expect(webhooks.filter((w) => w.webhookID !== failed?.webhookId)).toMatchObject([
        { attempt: 1, outcome: "delivered", statusCode: 204 },
      ]);
      expect(webhooks.every((w) => w.latencyMs >= 0 && w.at >= (failed?.event.timestamp ?? ""))).toBe(true);

      const { shown } = operatorOf(inject("stack"));
      const ofPartner = ["webhook", "deliveries", "--partner", partner.partnerID];
      const late = { webhookID: failed?.webhookId, state: "delivered", attempts: 2, last: "delivered 204" };
      const ofSession = async (...words: string[]) =>
        (await shown<{ sessionID: string }[]>(...ofPartner, ...words)).filter((w) => w.sessionID === body.sessionID);
      expect(await ofSession("--failed")).toMatchObject([late]);
      expect(await ofSession()).toHaveLength(2);
    } finally {
      await server.close();
    }
  });

  it("is sent again byte for byte when the operator replays it, and the timeline shows that attempt", async () => {
    const server = await startWebhookServer(partner.webhookSecret);
    try {
      const body = onAutopilot({ totalAmountInclVat: 100.01, responseWebhookUrl: server.url });
      await pay(body);
      const declined = await server.until("payment.declined", body.sessionID);
      const { shown } = operatorOf(inject("stack"));
      const ofPayment = ["--partner", partner.partnerID, "--session", body.sessionID];
      const listed = () => shown<{ webhookID: string; attempt: number }[]>("webhook", "list", ...ofPayment);
      const attempts = async () => (await listed()).filter((w) => w.webhookID === declined.webhookId);
      await expect.poll(attempts).toMatchObject([{ attempt: 1, statusCode: 204 }]);
      const replayed = await shown<object[]>("webhook", "replay", ...ofPayment, "--webhook", declined.webhookId);
      expect(replayed).toMatchObject([{ webhookID: declined.webhookId, type: "payment.declined" }]);
      const deliveries = () => server.received.filter((r) => r.webhookId === declined.webhookId);
      await expect.poll(() => deliveries().map((r) => r.body)).toEqual([declined.body, declined.body]);
      expect(server.unverified).toEqual([]);
      await expect.poll(attempts).toMatchObject([
        { attempt: 1, statusCode: 204 },
        { attempt: 2, statusCode: 204 },
      ]);
      const unknown = shown("webhook", "replay", ...ofPayment, "--webhook", "none");
      await expect(unknown).rejects.toThrow("There is no such webhook.");
    } finally {
      await server.close();
    }
  });
});
