import { randomUUID } from "node:crypto";
import { HttpRequest, InvocationContext } from "@azure/functions";
import { describe, expect, it } from "vitest";
import { report } from "../../../functions/terminals/report.ts";
import { hashSecret } from "../../../shared/auth/credentials.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { aPlatform, aRequest, aTerminal, callBy, partnerId, terminalId } from "../../support/platform.ts";

const pepper = "a pepper of some length";
const day = "2026-11-21";
const subject = { kind: "terminal", partnerId, terminalId, day } as const;

/** A terminal whose key is known, and what it reports over HTTP. */
async function aReporter() {
  const platform = await aPlatform();
  const { deps } = platform;
  const known = await deps.terminals.find(terminalId);
  const terminal = aTerminal({ keyHash: hashSecret("secret", pepper), pepperId: "p" });
  await deps.terminals.save(terminal, known?.etag);
  const http = {
    peppers: { p: pepper },
    rehashKey: () => {},
    checkBasic: async () => "wrong" as const,
    responseTimeoutMs: 3_000,
  };
  const handler = report.handler({ ...deps, ...http });
  const keyID = terminalId.replaceAll("-", "");
  return {
    ...platform,
    /** The status that a report is answered with. */
    async tell(body: object, secret = "secret"): Promise<number | undefined> {
      const text = JSON.stringify(body);
      const headers = {
        "x-terminal-key": `tk_${keyID}_${secret}`,
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(text)),
      };
      const request = new HttpRequest({ method: "POST", url: "http://t/report", headers, body: { string: text } });
      return (await handler(request, new InvocationContext())).status;
    },
    ofDay: async () => (await deps.alerts.find({ subject, kind: "orphanReport" }))?.alert,
  };
}

const approval = () => ({
  reportID: randomUUID(),
  type: "authorized",
  sessionID: randomUUID(),
  chargeID: randomUUID(),
  amount: 125.5,
  currency: "SEK",
});

describe("a report about money that is refused", () => {
  it("for an unknown session is stored with its content, and raises an alert", async () => {
    const { tell, pass, ofDay, log, deps } = await aReporter();
    const sent = { ...approval(), acquirer: { rrn: "632610304512" } };
    expect(await tell(sent)).toBe(404);
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
    const { tell, pass, ofDay } = await aReporter();
    expect(await tell({ ...approval(), ...more })).toBe(422);
    await pass();
    expect(await ofDay()).toMatchObject({ count: 1, reports: [{ refusedAs: "validation_failed", wrong: [wrong] }] });
  });

  it("under an identifier that another report has counts for nothing, is taken, and the alert has both", async () => {
    const { tell, pass, ofDay, deps } = await aReporter();
    const { sessionId } = aRequest();
    await requestPayment(deps, callBy(deps), aRequest({ sessionId }));
    await pass();
    const first = { ...approval(), sessionID: sessionId };
    const second = { ...first, chargeID: randomUUID(), amount: 20 };
    expect(await tell(first)).toBe(200);
    // Another spelling of the same content is the same report.
    expect(await tell({ note: "told again", ...first, chargeID: first.chargeID.toUpperCase() })).toBe(200);
    await pass();
    expect(await ofDay()).toBeUndefined();
    for (let i = 0; i < 2; i++) expect(await tell(second)).toBe(200);
    await pass();
    expect(await ofDay()).toMatchObject({
      count: 1,
      detail: `reused_report_id chargeId amount (before: authorized ${first.chargeID} 12550 SEK)`,
      reports: [{ reported: { chargeID: second.chargeID, amount: "20" } }],
    });
    const stored = await deps.payments.find({ partnerId, sessionId });
    expect(stored?.payment.charges.map(({ chargeId }) => chargeId)).toEqual([first.chargeID]);
  });

  it("is counted once however often it is repeated, and reopens a closed alert only with new content", async () => {
    const { tell, pass, ofDay } = await aReporter();
    const sent = approval();
    for (let i = 0; i < 3; i++) expect(await tell(sent)).toBe(404);
    await pass(60);
    expect(await tell({ ...sent, note: "told again" })).toBe(404);
    await pass(60);
    expect(await ofDay()).toMatchObject({ count: 1 });
    expect(await tell(approval())).toBe(404);
    await pass(60);
    expect(await ofDay()).toMatchObject({ count: 2, reports: [{}, {}] });
  });

  it("is one of twenty that are stored and logged a day; further ones are counted, and the next day has its own twenty", async () => {
    const { tell, pass, ofDay, log, deps } = await aReporter();
    for (let i = 0; i < 23; i++) await tell(approval());
    await pass();
    const alert = await ofDay();
    expect({ count: alert?.count, kept: alert?.reports.length, lines: log.of("alertRaised").length }).toEqual({
      count: 23,
      kept: 20,
      lines: 20,
    });
    await pass(24 * 3600);
    await tell(approval());
    await pass();
    const names = (await deps.alerts.of(terminalId)).map(({ alert: { subject } }) => subject);
    expect(names).toEqual([subject, { ...subject, day: "2026-11-22" }]);
  });

  it("is stored once the tables respond again", async () => {
    const { tell, pass, ofDay, deps } = await aReporter();
    await tell(approval());
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
    const { tell, pass, ofDay, deps } = await aReporter();
    const { send } = deps.bareAlerts;
    deps.bareAlerts.send = () => Promise.reject(new Unavailable("the bus is away"));
    const sent = approval();
    expect(await tell(sent)).toBe(503);
    deps.bareAlerts.send = send;
    expect(await tell(sent)).toBe(404);
    await pass();
    expect(await ofDay()).toMatchObject({ count: 1 });
  });
});

describe("no operator is called for a report", () => {
  it.each([
    ["of progress in a session that nobody knows", { type: "accepted" }, 404],
    ["of progress that is wrong", { type: "stillRunning", sessionID: "x" }, 422],
    ["of a start that is wrong", { type: "started", memory: "perhaps" }, 422],
  ])("%s", async (_, more, status) => {
    const { tell, alertsWaiting } = await aReporter();
    expect(await tell({ reportID: randomUUID(), sessionID: randomUUID(), ...more })).toBe(status);
    expect(alertsWaiting).toEqual([]);
  });

  it("of a terminal whose key is wrong", async () => {
    const { tell, alertsWaiting } = await aReporter();
    expect(await tell(approval(), "guessed")).toBe(401);
    expect(await tell({ type: "authorized" }, "guessed")).toBe(401);
    expect(alertsWaiting).toEqual([]);
  });
});
