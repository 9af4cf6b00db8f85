import { describe, expect, it } from "vitest";
import { recordReport } from "../../../../shared/use-cases/payments/record-report.ts";
import { refundPayment } from "../../../../shared/use-cases/payments/refund-payment.ts";
import { aPaymentOn, approval } from "../../../support/a-payment.ts";
import { callFrom } from "../../../support/calls.ts";
import { fc } from "../../../support/drawn.ts";
import { aPlatform, aTerminal, callBy } from "../../../support/platform.ts";
import { rowsInTurn } from "../../../support/rows-in-turn.ts";
import { alertsOf, authorized, booked, CAPTURE_TIME, captured, charge, decide } from "../a-contradiction.ts";

const first = "aaaaaaaa-0000-4000-8000-000000000001";
const second = "aaaaaaaa-0000-4000-8000-000000000002";

describe("a void that failed, then voided", () => {
  it("counts, with an event and without an alert", async () => {
    const payment = await authorized();
    await payment.cancel();
    await payment.platform.pass();
    await payment.sendReport("voidFailed", { ...charge, messageId: (await payment.fetch())?.messageId });
    expect(await payment.capture()).toMatchObject({ ok: false, error: { code: "invalid_state" } });
    await payment.sendReport("voided", charge);
    expect(await payment.now()).toMatchObject({ status: "voided", statusReason: "cancelledByPartner" });
    expect(payment.events().at(-1)).toBe("payment.voided");
    expect(await alertsOf(payment)).toEqual([]);
  });
});

describe("a void that nobody requested", () => {
  it("of a captured charge marks it: refunds are refused, and another charge is in doubt", async () => {
    const payment = await captured();
    await payment.sendReport("voided", charge);
    expect(await payment.now()).toMatchObject({
      status: "captured",
      charges: [{ status: "captured", contradicted: true }],
    });
    expect(payment.events().at(-1)).toBe("payment.contradicted");
    expect(await alertsOf(payment)).toEqual(["contradictingReport charge-1 1"]);
    expect(await payment.refund(10)).toMatchObject({ code: "invalid_state" });
    expect(await booked(payment)).toEqual(["capture 12550"]);

    await payment.sendReport("captured", approval);
    expect(await payment.refund(10)).toMatchObject({ code: "invalid_state" });
    await payment.sendReport("authorized", { ...approval, chargeId: "charge-2" });
    expect(await payment.now()).toMatchObject({ charges: [{}, { chargeId: "charge-2", status: "inDoubt" }] });
    expect(await payment.open()).toEqual([]);
  });

  it("keeps a refund that is requested at the same moment from its terminal, in any order of the table calls", async () => {
    const seen = new Set<string>();
    await fc.assert(fc.asyncProperty(fc.scheduler(), run), { numRuns: 80 });
    expect(seen).toEqual(new Set(["none", "failed"]));

    async function run(scheduler: fc.Scheduler) {
      const { open, race } = rowsInTurn((call) => scheduler.schedule(Promise.resolve()).then(call));
      const platform = await aPlatform({ open });
      const { deps } = platform;
      const payment = await aPaymentOn(platform, { captureMode: "automatic" });
      await payment.sendReport("authorized", approval);
      const { sessionId, terminalId } = payment;
      const refund = { sessionId, terminalId, currency: "SEK", refundAmount: 10, reason: "a return", refundId: first };
      const report = { reportId: second, type: "voided", ...charge } as const;
      race(true);
      const refunding = refundPayment(deps, callBy(deps), refund);
      const reporting = recordReport(deps, callFrom(deps, aTerminal({ terminalId })), sessionId, report);
      await scheduler.waitFor(Promise.all([refunding, reporting]));
      race(false);
      const { charges, refunds } = await payment.now();
      expect(charges).toMatchObject([{ contradicted: true }]);
      expect(await payment.open()).toEqual([]);
      seen.add(refunds[0]?.status ?? "none");
    }
  });

  it("of a captured charge ends with the operator's word for the booked amount, and then only raises alerts", async () => {
    const payment = await captured();
    await payment.sendReport("voided", charge);
    expect(await decide(payment, { of: "payment", outcome: "paid" })).toMatchObject({ ok: true });
    expect((await payment.now()).charges[0]?.contradicted).toBeUndefined();
    expect(await booked(payment)).toEqual(["capture 12550"]);
    await payment.sendReport("voided", charge);
    expect(await alertsOf(payment)).toEqual(["contradictingReport charge-1 2"]);
    expect(await payment.refund(10)).toMatchObject({ code: "ok" });
  });

  it("of a captured charge that an operator finds unpaid is given back without a message to the terminal", async () => {
    const payment = await captured();
    await payment.sendReport("voided", charge);
    expect(await decide(payment, { of: "payment", outcome: "unpaid" })).toMatchObject({ ok: true });
    expect(await payment.now()).toMatchObject({ amounts: { captured: 0 }, charges: [{ status: "reversed" }] });
    expect(await payment.open()).toEqual([]);
    expect(payment.events().slice(-2).toSorted()).toEqual(["payment.corrected", "reversal.succeeded"]);
  });

  it.each(["authorized", "captureRequested"])(
    "of a charge that is %s stops captures and voids until an operator decides",
    async (status) => {
      const payment = await authorized();
      if (status === "captureRequested") await payment.capture();
      await payment.platform.pass();
      await payment.sendReport("voided", charge);
      expect(await payment.now()).toMatchObject({ status, charges: [{ contradicted: true }] });
      expect(await payment.open()).toEqual([]);
      if (status === "authorized") expect(await payment.capture()).toMatchObject({ error: { code: "invalid_state" } });
      if (status === "authorized") expect(await payment.cancel()).toMatchObject({ error: { code: "invalid_state" } });
      await payment.platform.pass(CAPTURE_TIME);
      expect(await payment.open()).not.toContain("void");
      expect(await payment.open()).not.toContain("capture");
      expect(await decide(payment, { of: "payment", outcome: "unpaid" })).toMatchObject({ ok: true });
      expect(await payment.now()).toMatchObject({ status: "voided", charges: [{ status: "reversed" }] });
      expect(await payment.open()).not.toContain("void");
    },
  );

  it("fails a refund of the charge that the terminal has not fetched, and names one that it has", async () => {
    const payment = await captured();
    await payment.refund(10, { refundId: first });
    await payment.fetch();
    await payment.refund(20, { refundId: second });
    await payment.sendReport("voided", charge);
    expect(await payment.now()).toMatchObject({
      refunds: [{ status: "pending" }, { status: "failed", statusReason: "chargeContradicted" }],
    });
    expect(await alertsOf(payment)).toEqual([`contradictingReport ${first} 1`, "contradictingReport charge-1 1"]);
    expect(payment.events()).toContain("refund.failed");
    expect(await payment.open()).toEqual(["refund"]);
  });

  it("of a kept charge marks it once the terminal has confirmed that the merchant has it", async () => {
    const payment = await captured();
    const other = { ...approval, chargeId: "charge-2" };
    await payment.sendReport("authorized", { ...other, acquirer: { authorisationCode: "B2" } });
    expect(await decide(payment, { of: "charge", chargeId: "charge-2", outcome: "kept" })).toMatchObject({ ok: true });
    await payment.sendReport("voided", { chargeId: "charge-2" });
    expect((await payment.now()).charges[1]).not.toMatchObject({ contradicted: true }); // the operator's decision stands
    await payment.sendReport("captured", other);
    await payment.sendReport("voided", { chargeId: "charge-2" });
    expect((await payment.now()).charges[1]).toMatchObject({ status: "kept", contradicted: true });
    expect(await payment.refund(10)).toMatchObject({ code: "invalid_state" });
    expect(await decide(payment, { of: "charge", chargeId: "charge-2", outcome: "kept" })).toMatchObject({ ok: true });
    expect(await payment.refund(10)).toMatchObject({ code: "ok" });
  });
});
