import { callFrom } from "../../support/calls.ts";
import { describe, expect, it } from "vitest";
import { aPlatform, aRequest, aTerminal, callBy, partnerId, terminalId } from "../../support/platform.ts";
import { recordReport } from "../../../shared/use-cases/payments/record-report.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { aPayment, approval, fetchNext, isFree } from "../../support/a-payment.ts";

describe("a payment on its terminal", () => {
  it("goes from pending through inProgress to authorized, and frees the terminal", async () => {
    const payment = await aPayment();
    await payment.fetch();
    await payment.sendReport("accepted");
    expect(await payment.now()).toMatchObject({ status: "inProgress", sequence: 2 });

    await payment.sendReport("authorized", { ...approval, card: { last4: "4242" } });

    expect(await payment.now()).toMatchObject({
      status: "authorized",
      amounts: { authorized: 12_550, captured: 0 },
      card: { last4: "4242" },
    });
    expect(await isFree(payment.platform)).toBe(true);
    expect(payment.events()).toEqual(["payment.inProgress", "payment.authorized"]);
  });

  it.each([
    ["at its end", "declined", {}],
    ["at its approval", "authorized", approval],
  ] as const)("frees its terminal %s, before any worker runs", async (_, type, report) => {
    const { platform, fetch, sendReport } = await aPayment();
    const messageId = (await fetch())?.messageId;
    await sendReport("accepted", { messageId });
    expect(await isFree(platform)).toBe(false);
    await sendReport(type, { messageId, ...report }, "wait");
    expect((await platform.deps.terminals.findClaim(terminalId)).holder).toBeUndefined();
    expect(await isFree(platform)).toBe(true);
  });

  it("that is already ended frees no terminal that the next payment holds", async () => {
    const { platform, sessionId, fetch, sendReport, now } = await aPayment({ captureMode: "automatic" });
    const messageId = (await fetch())?.messageId;
    await sendReport("accepted", { messageId });
    await sendReport("declined", { messageId });
    expect(await isFree(platform)).toBe(true); // another payment has it now
    await sendReport("authorized", approval);
    await sendReport("voided", { chargeId: approval.chargeId });
    expect(await now()).toMatchObject({ charges: [{ status: "reversed" }] });
    const { holder } = await platform.deps.terminals.findClaim(terminalId);
    expect(holder).toBeDefined();
    expect(holder?.sessionId).not.toBe(sessionId);
  });

  it("is captured at once with automatic capture", async () => {
    const payment = await aPayment({ captureMode: "automatic" });
    await payment.sendReport("accepted");
    await payment.sendReport("authorized", approval);
    expect(await payment.now()).toMatchObject({
      status: "captured",
      amounts: { authorized: 12_550, captured: 12_550 },
    });
  });

  it.each([
    ["declined", "declined", "terminalReported"],
    ["failed", "failed", "terminalReported"],
    ["cancelled", "cancelled", "cancelledByCustomer"],
  ] as const)("that the terminal reports as %s ends so, and frees the terminal", async (type, status, statusReason) => {
    const payment = await aPayment();
    await payment.sendReport("accepted");
    await payment.sendReport(type, { detail: "its own words" });
    expect(await payment.now()).toMatchObject({ status, statusReason, statusDetail: "its own words" });
    expect(await isFree(payment.platform)).toBe(true);
  });

  it.each([
    ["less", { amount: 12_549, currency: "SEK" }],
    ["more", { amount: 12_551, currency: "SEK" }],
    ["another currency", { amount: 12_550, currency: "EUR" }],
  ])("approved for %s than requested is voided", async (_, wrong) => {
    const payment = await aPayment({ captureMode: "automatic" });
    await payment.sendReport("accepted");
    await payment.sendReport("authorized", { chargeId: "charge-1", ...wrong });
    expect(await payment.now()).toMatchObject({
      status: "voidRequested",
      statusReason: "amountMismatch",
      amounts: { authorized: 0, captured: 0 },
      charges: [{ ...wrong, status: "reversing" }],
    });
    await payment.sendReport("voided", { chargeId: "charge-1" });
    expect(await payment.now()).toMatchObject({ status: "voided", statusReason: "amountMismatch" });
  });
});

describe("a reversed charge", () => {
  const wrong = { chargeId: "charge-1", amount: 12_549, currency: "SEK" };

  it("has an event if the payment stays as it is, because another charge is still to be given back", async () => {
    const payment = await aPayment();
    await payment.sendReport("accepted");
    await payment.sendReport("authorized", approval);
    await payment.sendReport("authorized", { ...approval, chargeId: "second" });
    await payment.cancel();
    await payment.sendReport("voided", { chargeId: approval.chargeId });
    expect(await payment.now()).toMatchObject({
      status: "voidRequested",
      charges: [{ status: "voided" }, { status: "reversing" }],
    });
    expect(payment.events().at(-1)).toBe("reversal.succeeded");
    await payment.sendReport("voided", { chargeId: "second" });
    expect(payment.events().slice(-2)).toEqual(["reversal.succeeded", "payment.voided"]);
  });

  it("is tried after 0, 6, 18, 42, 90 and 186 hours, and calls an operator from the fourth failure on; the payment can never be captured", async () => {
    const payment = await aPayment();
    await payment.sendReport("accepted", { messageId: (await payment.fetch())?.messageId });
    await payment.sendReport("authorized", wrong);
    for (const [failed, pause] of [6, 12, 24, 48, 96, 6].entries()) {
      const message = await payment.fetch();
      expect(message).toMatchObject({ message: { type: "void", chargeId: "charge-1", amount: 12_549 } });
      await payment.sendReport("voidFailed", { chargeId: "charge-1", messageId: message?.messageId });
      expect(await payment.capture()).toMatchObject({ ok: false, error: { code: "invalid_state" } });
      const alerts = await payment.platform.deps.alerts.listOpen();
      expect(alerts.map(({ kind, count }) => [kind, count])).toEqual(
        failed < 3 ? [] : [["reversalFailed", failed - 2]],
      );
      await payment.platform.pass(pause * 3600 - 60);
      expect(await payment.fetch()).toBeUndefined(); // no message is delivered before the next try
      await payment.platform.pass(60);
    }
    expect(await payment.now()).toMatchObject({
      status: "voidRequested",
      charges: [{ status: "reversalFailed", tries: 6 }],
    });
    expect(payment.events()).toEqual(expect.arrayContaining(["reversal.requested", "reversal.failed"]));

    await payment.sendReport("voided", { chargeId: "charge-1" });
    expect(await payment.now()).toMatchObject({ status: "voided", charges: [{ status: "reversed" }] });
    expect(payment.events()).toContain("reversal.succeeded");
  });

  it("stays due while its terminal is offline, with the same message", async () => {
    const payment = await aPayment();
    await payment.sendReport("accepted");
    await payment.sendReport("authorized", wrong);
    await payment.platform.pass(72 * 3600);
    expect(await payment.now()).toMatchObject({
      status: "voidRequested",
      charges: [{ status: "reversing", tries: 0 }],
    });
    const waiting = await payment.platform.deps.inboxes.unanswered(terminalId);
    expect(waiting.filter((row) => row.message.type === "void")).toHaveLength(1);
    await payment.sendReport("voided", { chargeId: "charge-1" });
    expect(await payment.now()).toMatchObject({ status: "voided" });
  });

  it("of a second card leaves a captured payment captured, with its own money", async () => {
    const payment = await aPayment({ captureMode: "automatic" });
    await payment.sendReport("accepted");
    await payment.sendReport("authorized", approval);
    await payment.sendReport("authorized", { ...approval, chargeId: "charge-2" });
    await payment.sendReport("voided", { chargeId: "charge-2" });
    expect(await payment.now()).toMatchObject({
      status: "captured",
      amounts: { captured: 12_550 },
      charges: [
        { chargeId: "charge-1", status: "captured" },
        { chargeId: "charge-2", status: "reversed" },
      ],
    });
  });
});

describe("a report", () => {
  it("repeated under one reportID changes the payment once", async () => {
    const payment = await aPayment();
    const report = { reportId: "ffffffff-0000-4000-8000-00000000aaaa" };
    await payment.sendReport("accepted", report);
    await payment.sendReport("accepted", report);
    expect(await payment.now()).toMatchObject({ status: "inProgress", sequence: 2 });
  });

  it("that comes too late is recorded in the history without a transition", async () => {
    const payment = await aPayment();
    await payment.sendReport("accepted");
    await payment.sendReport("declined");
    await payment.sendReport("accepted");
    const { status } = await payment.now();
    const history = await payment.platform.deps.payments.history(payment.key);
    expect(status).toBe("declined");
    expect(history.at(-1)).toMatchObject({ event: "accepted", from: "declined", to: "declined", recordedOnly: true });
  });

  it("of an approval after the end has the charge reversed, and raises an alert", async () => {
    const payment = await aPayment();
    await payment.sendReport("accepted");
    await payment.sendReport("declined");
    await payment.sendReport("authorized", { ...approval, acquirer: { authorisationCode: "A1" } });

    const { status } = await payment.now();
    const history = await payment.platform.deps.payments.history(payment.key);
    expect(status).toBe("declined");
    expect(history.at(-1)).toMatchObject({ alerts: [{ kind: "unwantedApproval", about: "charge-1" }] });
    const open = await payment.platform.deps.inboxes.unanswered(terminalId);
    expect(open.map((row) => row.message.type)).toContain("void");
  });

  it("of another partner's terminal finds no payment", async () => {
    const payment = await aPayment();
    const { sessionId } = await payment.now();
    const other = aTerminal({ terminalId: "cccccccc-0000-4000-8000-000000000002" });
    const report = { reportId: "ffffffff-0000-4000-8000-00000000bbbb", type: "accepted" } as const;
    const recorded = await recordReport(
      payment.platform.deps,
      callFrom(payment.platform.deps, other),
      sessionId,
      report,
    );
    expect(recorded).toMatchObject({ ok: false, error: { code: "payment_not_found" } });
  });
});

describe("a terminal's inbox", () => {
  it("delivers a message again only when its lease is over and it was not answered", async () => {
    const payment = await aPayment();
    const first = await payment.fetch();
    expect(first?.message.type).toBe("payment");
    expect(await payment.fetch()).toBeUndefined();

    await payment.platform.pass(11);
    const again = await payment.fetch();
    expect(again?.messageId).toBe(first?.messageId);

    await payment.sendReport("accepted", { messageId: first?.messageId });
    await payment.platform.pass(11);
    expect(await payment.fetch()).toBeUndefined();
    expect(await payment.platform.deps.inboxes.unanswered(terminalId)).toEqual([]); // no row is left behind
  });

  it("removes a message that was answered before its worker had finished", async () => {
    const platform = await aPlatform();
    const request = aRequest();
    await requestPayment(platform.deps, callBy(platform.deps), request);
    const { release } = platform.deps.inboxes;
    platform.deps.inboxes.release = async (...given) => {
      const isReleased = await release(...given);
      const row = await fetchNext(platform);
      if (row) {
        const report = {
          reportId: "ffffffff-0000-4000-8000-00000000cccc",
          type: "accepted",
          messageId: row.messageId,
        } as const;
        await recordReport(platform.deps, callFrom(platform.deps, aTerminal()), request.sessionId, report);
      }
      return isReleased;
    };
    await platform.pass();
    const stored = await platform.deps.payments.find({ partnerId, ...request });
    expect(stored?.payment).toMatchObject({ status: "inProgress" });
    expect(await platform.deps.inboxes.unanswered(terminalId)).toEqual([]);
  });
});
