import { describe, expect, it } from "vitest";
import { closeAlert, raiseAlert, type Alert } from "../../../shared/domain/alert.ts";
import { isAboutMoney, reportedMembers, type OrphanReport } from "../../../shared/domain/orphan-report.ts";
import { after } from "../../../shared/domain/time.ts";
import { now } from "../../support/a-payment.ts";
import { fc } from "../../support/drawn.ts";

describe("a refused report", () => {
  it.each([
    ["of money", { type: "captureFailed" }, true],
    ["of money, in another spelling", { type: " Authorized" }, true],
    ["of a type that nobody knows, with an amount", { type: "approved", amount: 1 }, true],
    ["of a type that nobody knows, with a charge", { type: 7, chargeID: "c" }, true],
    ["of a type that is no text, with a charge", { type: { toString: 1 }, chargeID: "c" }, true],
    ["without a type, with a refund", { refundID: "r" }, true],
    ["of progress, with an amount", { type: "amountLocked", amount: 1 }, false],
    ["of a start", { type: "started", amount: 1 }, false],
    ["of nothing", { type: "approved" }, false],
    ["that is no object", "authorized", false],
    ["that is empty", undefined, false],
  ])("%s", (_, sent, expected) => {
    expect(isAboutMoney(sent)).toBe(expected);
  });

  it("keeps its known members and no others", () => {
    const secrets = { pan: "4242424242424242", track2: ";4242424242424242=2912101", pin: { block: "AB" } };
    const sent = {
      type: "authorized",
      amount: { value: 125.5, currency: "SEK" },
      card: { last4: "4242", cvv: "123", number: "4242424242424242" },
      acquirer: { rrn: "632610304512", mid: "123456789012345" },
      receipt: { customer: ["PAN 4242424242424242"] },
      ...secrets,
    };
    expect(reportedMembers(sent)).toEqual({
      type: "authorized",
      amount: '{"value":125.5,"currency":"SEK"}',
      "card.last4": "4242",
      "acquirer.rrn": "632610304512",
      "acquirer.mid": "…2345",
    });
  });

  it.each([
    ["4242424242424242", "…4242"],
    [4_242_424_242_424_242, "…4242"],
    ["card 4242 4242-4242 4242.", "card …4242."],
    ["632610304512", "632610304512"],
    ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000001"],
    ["a\u0000b\u001b[31m\u2028c\ud800", "a b [31m c\ufffd"],
  ])("keeps no card number and no control character: %j", (detail, keptDetail) => {
    expect(reportedMembers({ type: "authorized", detail })).toMatchObject({ detail: keptDetail });
  });

  it("keeps at most about two thousand characters of any report", () => {
    const text = fc.string({ unit: "binary", minLength: 1000, maxLength: 3000 });
    const member = fc.oneof(text, fc.jsonValue());
    const sent = fc.record({ type: member, detail: member, amount: member, card: fc.record({ brand: member }) });
    fc.assert(
      fc.property(sent, (report) => {
        expect(JSON.stringify(reportedMembers(report)).length).toBeLessThan(2_000);
      }),
      { numRuns: 30 },
    );
  });
});

describe("a terminal's refused reports of one day", () => {
  const subject = { kind: "terminal", partnerId: "p", terminalId: "t", day: "2026-11-21" } as const;
  const identity = { subject, kind: "orphanReport" } as const;
  const raised = (count: number, from?: Alert, first = 0): Alert => {
    let alert = from;
    for (let i = first; i < first + count; i++) {
      const at = after(now, i);
      const report: OrphanReport = { cause: `c${i}`, at, refusedAs: "payment_not_found", wrong: [], reported: {} };
      alert = raiseAlert(identity, alert, { by: { cause: report.cause }, at, report }) ?? alert;
    }
    if (!alert) throw new Error("nothing raised it");
    return alert;
  };
  const keptIn = (alert: Alert | undefined) => alert?.reports.map(({ cause }) => cause);
  const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `c${from + i}`);

  it("are all counted, and the first twenty are kept", () => {
    const alert = raised(25);
    expect(alert.count).toBe(25);
    expect(keptIn(alert)).toEqual(names(0, 20));
    expect(raised(25, alert).count).toBe(25);
  });

  it("replace those that an operator has seen", () => {
    const closed = closeAlert(raised(18), { by: "ada", why: "seen", at: now });
    if (!closed) throw new Error("not closed");
    const again = raised(10, closed, 18);
    expect(again).toMatchObject({ status: "open", count: 28 });
    expect(keptIn(again)).toEqual(names(8, 28));
    expect(keptIn(raised(20, again, 28))).toEqual(names(18, 38));
  });
});
