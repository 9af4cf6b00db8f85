import { createHash, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { MAX_LINES } from "../../../shared/domain/payment/record/record-limits.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { approval, aReporter } from "../../support/a-reporter.ts";
import type { inMemoryRows } from "../../support/in-memory-rows.ts";
import { capturePayment } from "../../../shared/use-cases/payments/capture-payment.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { cardNumbers, readableDigits, spellings } from "../../support/card-spellings.ts";
import { aRequest, callBy, partnerId, terminalId } from "../../support/platform.ts";

const day = "2026-11-21";
const subject = { kind: "terminal", partnerId, terminalId, day } as const;

describe("a report about money that is refused", () => {
  it("for an unknown session is stored with its content, and raises an alert", async () => {
    const { sendReport, pass, ofDay, log, deps } = await aReporter();
    const sent = { ...approval(), acquirer: { rrn: "632610304512" } };
    expect(await sendReport(sent)).toBe(404);
    await pass();
    const { sessionID, chargeID } = sent;
    expect(await ofDay()).toMatchObject({
      status: "open",
      count: 1,
      detail: "payment_not_found",
      reports: [
        { refusedAs: "payment_not_found", reported: { sessionID, chargeID, amount: "125.5", currency: "SEK" } },
      ],
    });
    expect(await deps.alerts.listOpen()).toHaveLength(1);
    const line = { alert: "orphanReport", partner: partnerId, terminal: terminalId, day };
    const logged = log.of("alertRaised");
    expect(logged).toMatchObject([line]);
    expect(JSON.stringify(logged)).not.toContain(sent.chargeID);
  });

  it.each([
    ["chargeID", { chargeID: undefined }],
    ["sessionID", { sessionID: "till 4" }],
    ["amount", { amount: "125,50" }],
    ["currency", { currency: "kronor" }],
    ["type", { type: "Authorized" }],
    ["reportID", { reportID: 7 }],
  ])("for its %s is stored, and the alert shows what was wrong", async (wrong, more) => {
    const { sendReport, pass, ofDay } = await aReporter();
    expect(await sendReport({ ...approval(), ...more })).toBe(422);
    await pass();
    expect(await ofDay()).toMatchObject({ count: 1, reports: [{ refusedAs: "validation_failed", wrong: [wrong] }] });
  });

  it("under an identifier that another report has counts for nothing, is accepted, and the alert has both", async () => {
    const { sendReport, pass, ofDay, deps } = await aReporter();
    const { sessionId } = aRequest();
    await requestPayment(deps, callBy(deps), aRequest({ sessionId }));
    await pass();
    const first = { ...approval(), sessionID: sessionId };
    const second = { ...first, chargeID: randomUUID(), amount: 20 };
    expect(await sendReport(first)).toBe(200);
    // Another spelling of the same content is the same report.
    expect(await sendReport({ note: "told again", ...first, chargeID: first.chargeID.toUpperCase() })).toBe(200);
    await pass();
    expect(await ofDay()).toBeUndefined();
    for (let i = 0; i < 2; i++) expect(await sendReport(second)).toBe(200);
    await pass();
    expect(await ofDay()).toMatchObject({
      count: 1,
      detail: `reused_report_id chargeId amount (before: authorized ${first.chargeID} 12550 SEK)`,
      reports: [{ reported: { chargeID: second.chargeID, amount: "20" } }],
    });
    const stored = await deps.payments.find({ partnerId, terminalId, sessionId });
    expect(stored?.payment.charges.map(({ chargeId }) => chargeId)).toEqual([first.chargeID]);
  });

  it("under an identifier that another report has is still an answer: its message is not delivered again", async () => {
    const { sendReport, pass, deps } = await aReporter();
    const { sessionId } = aRequest();
    await requestPayment(deps, callBy(deps), aRequest({ sessionId }));
    await pass();
    const messageOf = async () => (await deps.inboxes.unanswered(terminalId))[0]?.messageId;
    const approved = { ...approval(), sessionID: sessionId, messageID: await messageOf() };
    expect(await sendReport(approved)).toBe(200);
    await capturePayment(deps, callBy(deps), { sessionId, terminalId });
    await pass();
    expect(await messageOf()).not.toBe(approved.messageID);
    expect(await sendReport({ ...approved, type: "captureFailed", messageID: await messageOf() })).toBe(200);
    expect(await messageOf()).toBeUndefined();
    const stored = await deps.payments.find({ partnerId, terminalId, sessionId });
    expect(stored?.payment.status).toBe("captureRequested");
  });

  it("is counted once however often it is repeated, and reopens a closed alert only with new content", async () => {
    const { sendReport, pass, ofDay } = await aReporter();
    const sent = approval();
    for (let i = 0; i < 3; i++) expect(await sendReport(sent)).toBe(404);
    await pass(60);
    expect(await sendReport({ ...sent, note: "told again" })).toBe(404);
    await pass(60);
    expect(await ofDay()).toMatchObject({ count: 1 });
    expect(await sendReport(approval())).toBe(404);
    await pass(60);
    expect(await ofDay()).toMatchObject({ count: 2, reports: [{}, {}] });
  });

  it("is one of twenty that are stored a day; the log has the members of further ones, and the next day has its own twenty", async () => {
    const { sendReport, pass, ofDay, log, deps } = await aReporter();
    for (let i = 0; i < 22; i++) await sendReport(approval());
    await pass();
    const last = { ...approval(), businessDay: "2026-11-21", detail: "do not honour", refundID: "none" };
    await sendReport(last);
    await pass();
    const { reportID, sessionID, chargeID } = last;
    const names = { reportType: "authorized", reportID, session: sessionID, chargeID, businessDay: "2026-11-21" };
    expect(log.of("reportCounted").at(-1)).toMatchObject({ ...names, amount: "125.5", currency: "SEK" });
    expect(log.of("reportCounted").at(-1)).not.toHaveProperty("refundID");
    const alert = await ofDay();
    expect({ count: alert?.count, kept: alert?.reports.length, lines: log.of("alertRaised").length }).toEqual({
      count: 23,
      kept: 20,
      lines: 20,
    });
    await pass(24 * 3600);
    await sendReport(approval());
    await pass();
    const subjects = (await deps.alerts.of(terminalId)).map(({ alert: { subject } }) => subject);
    expect(subjects).toEqual([subject, { ...subject, day: "2026-11-22" }]);
  });

  it("is stored once the tables respond again", async () => {
    const { sendReport, pass, ofDay, deps } = await aReporter();
    await sendReport(approval());
    const { save } = deps.alerts;
    let outage = 12;
    deps.alerts.save = async (...given) => {
      if (outage-- > 0) throw new Unavailable("503");
      return save(...given);
    };
    await pass(600);
    expect(await ofDay()).toBeUndefined();
    await pass(3600);
    expect(await ofDay()).toMatchObject({ count: 1 });
  });

  it("gets 503 while the queue is unavailable too, so that the terminal reports again", async () => {
    const { sendReport, pass, ofDay, deps } = await aReporter();
    const { send } = deps.bareAlerts;
    deps.bareAlerts.send = () => Promise.reject(new Unavailable("the bus is away"));
    const sent = approval();
    expect(await sendReport(sent)).toBe(503);
    deps.bareAlerts.send = send;
    expect(await sendReport(sent)).toBe(404);
    await pass();
    expect(await ofDay()).toMatchObject({ count: 1 });
  });
});

/** The report with a member replaced by a text that JSON.stringify would not write. */
const written = (member: string, text: string, more: object = {}): string =>
  JSON.stringify({ ...approval(), ...more, [member]: "#" }).replace('"#"', text);

describe("a report that cannot be read", () => {
  it.each([
    ["is no JSON", 400, "not JSON", {}],
    ["is not declared as JSON, and is none", 415, "not JSON", { "content-type": "text/json" }],
    ["has half a character in a member's name", 400, '{"\\ud83d":1}', {}],
    ["is nested too deeply", 400, "[".repeat(100), {}],
    ["is compressed", 415, "\u001f\u0008 as gzip begins", { "content-encoding": "gzip" }],
  ])(
    "(it %s) gets its refusal, and raises an alert with its type, length and digest",
    async (_, status, text, more) => {
      const { sendReport, pass, ofDay } = await aReporter();
      for (let i = 0; i < 2; i++) expect(await sendReport(text, "secret", more)).toBe(status);
      await pass();
      const contentType = "application/json";
      const reported = { contentType, ...("content-type" in more && { contentType: "text/json" }) };
      const digest = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
      expect(await ofDay()).toMatchObject({
        count: 1,
        reports: [{ reported: { ...reported, digest, length: `${text.length}` } }],
      });
      // An attacker can compute the plain digest of a card number.
      expect(JSON.stringify(await ofDay())).not.toContain(createHash("sha256").update(text).digest("hex"));
    },
  );

  it("that the gateway kept back gets its refusal, and raises an alert", async () => {
    const { sendReport, pass, ofDay } = await aReporter();
    const [code, length] = ["body_too_large", "70000"];
    expect(
      await sendReport("", "secret", { "x-body-refused": code, "x-body-length": length, "content-length": "0" }),
    ).toBe(413);
    await pass();
    const reported = { contentType: "application/json", length };
    expect(await ofDay()).toMatchObject({ count: 1, detail: code, reports: [{ refusedAs: code, reported }] });
  });

  it("keeps its content if only an amount is inexact or a name is repeated, with each value", async () => {
    const { sendReport, pass, ofDay } = await aReporter();
    expect(await sendReport(written("amount", "125.50000000000000001"))).toBe(400);
    expect(await sendReport(written("amount", '125.5,"amount":20'))).toBe(400);
    expect(await sendReport(written("type", '"captured","type":"authorized"'))).toBe(400);
    await pass();
    expect((await ofDay())?.reports).toMatchObject([
      { refusedAs: "invalid_json", wrong: ["amount"], reported: { amount: "125.…0001" } },
      { refusedAs: "invalid_json", wrong: ["amount"], reported: { amount: "doubtful: 125.5 / 20", currency: "SEK" } },
      { refusedAs: "invalid_json", wrong: ["type"], reported: { type: "doubtful: captured / authorized" } },
    ]);
  });

  it.each<[string, string, Record<string, string>?]>([
    ["the value of an unknown member", written("timestampNs", "1763977200123456789")],
    ["a name within an unknown member", written("more", '{"a":1,"a":2}')],
    ["a number among the texts", written("acquirer", '{"rrn":632610304512632610}')],
    ["its compression, which its header claims wrongly", written("detail", '"plain"'), { "content-encoding": "gzip" }],
    ["its type, which its header claims wrongly", written("detail", '"plain"'), { "content-type": "text/json" }],
    ["its type, whose header cannot be read", written("detail", '"plain"'), { "content-type": "?" }],
  ])("is recorded nevertheless if the doubt is about %s", async (_, text, more = {}) => {
    const { sendReport, pass, deps, alertsWaiting } = await aReporter();
    const { sessionId } = aRequest();
    await requestPayment(deps, callBy(deps), aRequest({ sessionId }));
    await pass();
    const { sessionID } = JSON.parse(text) as { sessionID: string };
    expect(await sendReport(text.replace(sessionID, sessionId), "secret", more)).toBe(200);
    expect(alertsWaiting).toEqual([]);
    expect((await deps.payments.find({ partnerId, terminalId, sessionId }))?.payment.charges).toHaveLength(1);
  });

  it("shows its card number nowhere: not in an alert, a queue or the log", async () => {
    const { sendReport, pass, deps, log, alertsWaiting } = await aReporter();
    const card = "4242424242424242";
    const longer = `${card}424`;
    const texts = [
      written("detail", `"card ${card}"`, { amount: "x" }),
      written("amount", longer),
      written("chargeID", `"${card}","chargeID":"${card}"`),
      written("acquirer", `{"rrn":"${card}","rrn":${longer}}`),
      `PAN=${card}`,
    ];
    for (const text of texts) expect(await sendReport(text)).toBeGreaterThanOrEqual(400);
    const waiting = JSON.stringify(alertsWaiting);
    await pass();
    const alert = JSON.stringify(await deps.alerts.of(terminalId));
    expect(alert).toContain("…4242");
    for (const place of [waiting, alert, JSON.stringify(log.lines)]) expect(place).not.toContain("424242424242");
  });
});

it("an accepted report shows card data nowhere, and one alert is raised", async () => {
  const stored: ReturnType<typeof inMemoryRows>[] = [];
  const { sendReport, pass, deps, log, queued, webhooksSent } = await aReporter((rows) => void stored.push(rows));
  const { sessionId } = aRequest();
  await requestPayment(deps, callBy(deps), aRequest({ sessionId }));
  await pass();
  const lines = Object.values(cardNumbers).flatMap((number) =>
    spellings(number).map((card) => `CARD ${card}=29121011234567 125.50`),
  );
  const [detail = "", brand = "", entryMode = ""] = lines;
  const texts = {
    detail: `${detail}; cvc 123`,
    card: { brand: `Visa ${brand}`, entryMode: `chip ${entryMode}`, last4: "1111" },
    receipt: { customer: lines.slice(0, MAX_LINES), merchant: lines.slice(-MAX_LINES) },
  };
  const sent = { ...approval(), sessionID: sessionId, ...texts };
  for (const report of [sent, sent, { ...sent, reportID: randomUUID() }]) expect(await sendReport(report)).toBe(200);
  const waiting = JSON.stringify(queued);
  await pass();
  const alerts = (await deps.alerts.of(terminalId)).map(({ alert }) => alert);
  expect(alerts).toMatchObject([{ kind: "cardNumberReported", count: 1, detail: "in detail, card, receipt" }]);
  const rows: unknown[] = [];
  for (const table of stored) for await (const row of table.rowsAfter()) rows.push(row);
  const kept = JSON.stringify([rows, webhooksSent, log.lines, waiting]);
  expect(kept).toContain("CARD …1111 125.50");
  const digits = readableDigits(kept);
  for (const number of [...Object.values(cardNumbers), "29121011234567", "cvc123"])
    expect(digits).not.toContain(number);
});

describe("no alert is raised for a report", () => {
  it.each([
    ["of progress in a session that nobody knows", { type: "accepted" }, 404],
    ["of progress that is wrong", { type: "stillRunning", sessionID: "x" }, 422],
    ["of a start that is wrong", { type: "started", memory: "perhaps" }, 422],
  ])("%s", async (_, more, status) => {
    const { sendReport, alertsWaiting } = await aReporter();
    expect(await sendReport({ reportID: randomUUID(), sessionID: randomUUID(), ...more })).toBe(status);
    expect(alertsWaiting).toEqual([]);
  });

  it("from a terminal whose key is wrong", async () => {
    const { sendReport, alertsWaiting } = await aReporter();
    expect(await sendReport(approval(), "guessed")).toBe(401);
    expect(await sendReport({ type: "authorized" }, "guessed")).toBe(401);
    expect(alertsWaiting).toEqual([]);
  });
});
