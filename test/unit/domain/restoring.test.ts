import { describe, expect, it } from "vitest";
import { advance, type Change } from "../../../shared/domain/payment/life/advance.ts";
import { requestCancel } from "../../../shared/domain/payment/requests/cancel.ts";
import { requestCapture } from "../../../shared/domain/payment/requests/capture.ts";
import { restoringCell } from "../../../shared/domain/payment/life/restoring.ts";
import { everyRuleFor, ruleFor } from "../../../shared/domain/payment/life/rule-for.ts";
import { rulesFor } from "../../../shared/domain/payment/life/transitions.ts";
import { paymentEvents } from "../../../shared/domain/payment/record/events.ts";
import { isFinal, paymentStates, type Payment, type Refund } from "../../../shared/domain/payment/record/payment.ts";
import { decideReport } from "../../../shared/domain/payment/reports/reports.ts";
import { doubtsOf } from "../../../shared/domain/payment/life/timeouts.ts";
import type { Report } from "../../../shared/domain/payment/record/report.ts";
import { aCharge, aPaymentIn, approval, now, timings } from "../../support/a-payment.ts";
import { alertsOf, context } from "./a-resolution.ts";

/** The sequence of the query that a restore sent. */
const QUERY = 1_005;
const restored = (status: Parameters<typeof aPaymentIn>[0], more: Partial<Payment> = {}) =>
  aPaymentIn(status, { sequence: QUERY, statusReason: "outcomeUnknown", restored: QUERY, ...more });

const aPendingRefund: Refund = {
  refundId: "f1",
  idAsReceived: "F1",
  names: [],
  amount: 100,
  reason: "",
  status: "pending",
  statusReason: "outcomeUnknown",
  commandId: "m1",
  sequence: 2,
  createdAt: now,
  updatedAt: now,
};

const sendReport = (payment: Payment, report: Omit<Report, "reportId">, answered?: number): Change =>
  decideReport(payment, { reportId: "r1", ...report }, context, answered);

describe("until the query of a restore is answered", () => {
  it.each(["accepted", "stillRunning"] as const)(
    "an earlier report of %s does not start the payment, so no deadline makes its approval late",
    (type) => {
      const { payment, effects } = sendReport(restored("reconciling"), { type }, 1);
      expect(payment).toMatchObject({ status: "reconciling", restored: QUERY });
      expect(effects).toEqual([]);
      expect(sendReport(payment, { type: "stillRunning" }, QUERY).payment).toMatchObject({ status: "inProgress" });
    },
  );

  it("the void of a second card's charge does not end a payment whose own charge the books lack", () => {
    const running = restored("reconciling", { captureMode: "automatic" });
    const change = sendReport(running, { type: "voided", chargeId: "charge-2" });
    expect(change.payment).toMatchObject({ status: "reconciling", restored: QUERY });
    expect(alertsOf(change)).toEqual([]);
    expect(sendReport(change.payment, { type: "authorized", ...approval }, QUERY).payment).toMatchObject({
      status: "captured",
      charges: [{ chargeId: "charge-1", status: "captured" }],
    });
  });

  it("a void that answers the query ends it", () => {
    const { payment } = sendReport(restored("reconciling"), { type: "voided", chargeId: "charge-1" }, QUERY);
    expect(payment.status).toBe("voided");
  });

  it("a payment whose own charge is being given back is not paid by another charge that is reported as captured", () => {
    const charges = [aCharge("reversing", { reversal: { sequence: 4, since: now } })];
    const change = sendReport(restored("voidRequested", { charges }), {
      type: "captured",
      ...approval,
      chargeId: "charge-2",
    });
    expect(change.payment).toMatchObject({ status: "voidRequested", charges });
    expect(alertsOf(change)).toEqual(["contradictingReport charge-2"]);
  });

  it("an alert is raised after a day even if a repeated approval has confirmed the authorization", () => {
    const { payment } = sendReport(restored("authorized"), { type: "authorized", ...approval });
    expect(payment).toMatchObject({ status: "authorized", restored: QUERY });
    expect(doubtsOf(payment, undefined)).toEqual([{ alert: "outcomeUnknown" }]);
  });
});

describe("a capture that the terminal made after the export", () => {
  it("is booked as reported if the books hold an earlier request of another amount, with an alert", () => {
    for (const status of ["authorized", "captureRequested", "voidRequested"] as const) {
      const change = sendReport(
        restored(status, { captureAmount: 5_000 }),
        { type: "captured", ...approval, amount: 12_550 },
        QUERY,
      );
      expect(change.payment).toMatchObject({ status: "captured", amounts: { captured: 12_550 }, restored: undefined });
      expect(alertsOf(change)).toEqual(["amountDiffers charge-1"]);
    }
  });

  it("needs no alert if its amount is the requested one", () => {
    const asked = restored("captureRequested", { captureAmount: 5_000 });
    const change = sendReport(asked, { type: "captured", ...approval, amount: 5_000 }, QUERY);
    expect(change.payment).toMatchObject({ status: "captured", amounts: { captured: 5_000 } });
    expect(alertsOf(change)).toEqual([]);
  });
});

describe("the rows of a restoring payment", () => {
  const pairs = paymentStates.flatMap((state) => paymentEvents.map((event) => [state, event] as const));
  const waiting = pairs.filter(([state, event]) => restoringCell(state, event) === "waits");
  /** The states to which a restore leads. */
  const states = new Set(paymentStates.flatMap((state) => rulesFor(state, "restored").map(({ to }) => to)));

  it("belong to the states to which a restore leads, and lead to no other open state before the query is answered", () => {
    expect(new Set(pairs.flatMap(([state, event]) => (restoringCell(state, event) ? [state] : [])))).toEqual(states);
    const left = pairs.filter(
      ([state, event]) =>
        states.has(state) &&
        restoringCell(state, event) !== "waits" &&
        everyRuleFor(state, event).some(({ to }) => !states.has(to) && !isFinal(to)),
    );
    expect(left).toEqual([]);
  });

  it.each(waiting)("let %s, %s wait, unless it answers the query", (state, event) => {
    const payment = restored(state, { awaiting: { commandId: "c3", sequence: 3 } });
    for (const answered of [undefined, 1, 3])
      expect(ruleFor(payment, event, { now, timings, answered })).toBeUndefined();
    for (const asked of [payment, { ...payment, restored: undefined }])
      expect(ruleFor(asked, event, { now, timings, answered: QUERY })).toBeDefined();
  });
});

describe("a report that is ahead of the books", () => {
  it.each([
    ["reconciling", "captured", "captured"],
    ["reconciling", "voided", "voided"],
    ["authorized", "captured", "captured"],
    ["authorized", "voided", "voided"],
    ["captureRequested", "voided", "voided"],
    ["voidRequested", "captured", "captured"],
    ["captureRequested", "authorized", "authorized"],
    ["captureRequested", "captureFailed", "authorized"],
    ["voidRequested", "voidFailed", "voidRequested"],
  ] as const)("while %s, %s leads to %s", (state, type, to) => {
    const change = sendReport(restored(state), { type, ...approval }, QUERY);
    expect(change.payment).toMatchObject({ status: to, restored: undefined });
    expect(alertsOf(change)).toEqual([]);
  });

  it("that tells of a void again ends the contradiction, and the payment waits only for its other charge", () => {
    const charges = [aCharge("authorized", { contradicted: true }), aCharge("inDoubt", { chargeId: "charge-2" })];
    const { payment } = sendReport(
      restored("authorized", { charges }),
      { type: "voided", chargeId: "charge-1" },
      QUERY,
    );
    expect(payment).toMatchObject({ status: "voidRequested", charges: [{ status: "voided" }, { status: "inDoubt" }] });
    expect(payment.charges[0]?.contradicted).toBeUndefined();
  });

  it.each(["authorized", "captureFailed", "voidFailed"] as const)(
    "that says %s confirms the authorization, and its capture deadline is set again",
    (type) => {
      const { payment } = sendReport(restored("authorized"), { type, ...approval }, QUERY);
      expect(payment.status).toBe("authorized");
      expect(payment.deadlines).toMatchObject([{ name: "capture" }]);
    },
  );

  it("keeps an approval of an amount that the books do not explain, unless they hold a cancel", () => {
    const other = { type: "authorized", ...approval, amount: 10_000 } as const;
    const kept = sendReport(restored("reconciling"), other, QUERY);
    expect(kept.payment).toMatchObject({ status: "authorized", amounts: { authorized: 10_000 } });
    expect(alertsOf(kept)).toEqual(["amountDiffers charge-1"]);
    const cancelled = restored("reconciling", { cancelRequestedBy: "partner" });
    expect(sendReport(cancelled, other, QUERY).payment.status).toBe("voidRequested");
  });

  it.each(["automatic", "manual"] as const)(
    "keeps no approval if the books hold a cancel, although only the restore made it late: %s",
    (captureMode) => {
      const cancelled = restored("reconciling", { captureMode, cancelRequestedBy: "partner" });
      const { payment } = sendReport(cancelled, { type: "authorized", ...approval }, QUERY);
      expect(payment).toMatchObject({ status: "voidRequested", statusReason: "lateApproval" });
    },
  );
});

describe("the money of an authorization, before the query is answered", () => {
  const refused = { ok: false, error: { code: "invalid_state", currentStatus: "authorized" } };

  it("is neither captured nor given back at the partner's request, and is both if the query is answered", () => {
    for (const request of [
      (payment: Payment) => requestCapture(payment, {}, context),
      (payment: Payment) => requestCancel(payment, false, context),
    ]) {
      expect(request(restored("authorized"))).toMatchObject(refused);
      expect(request(restored("authorized", { restored: undefined }))).toMatchObject({ ok: true });
    }
  });

  it("is not given back if its capture deadline has passed: the answer sets that deadline again", () => {
    const overdue = { ...context, event: "captureOverdue", by: "platform" } as const;
    const payment = restored("authorized");
    expect(advance(payment, overdue)).toBeUndefined();
    const answer = sendReport(payment, { type: "authorized", ...approval }, QUERY);
    expect(advance(answer.payment, overdue)?.payment.status).toBe("voidRequested");
  });
});

describe("a report that answers the awaited message, and not the query", () => {
  const awaiting = { commandId: "c3", sequence: 3 };

  it("is decided as usual, and the payment is still restoring", () => {
    const failed = { type: "captureFailed", chargeId: "charge-1" } as const;
    const asked = restored("captureRequested", { awaiting });
    expect(sendReport(asked, failed, 3).payment).toMatchObject({ status: "authorized", restored: QUERY });
    expect(sendReport(asked, failed).payment).toMatchObject({ status: "captureRequested", restored: QUERY });
    expect(sendReport(asked, failed, QUERY).payment).toMatchObject({ status: "authorized", restored: undefined });
  });

  it("is a late approval, if it reports a captured charge that the books lack; but its void only waits", () => {
    const asked = restored("reconciling", { cancelRequestedBy: "partner", awaiting });
    const captured = sendReport(asked, { type: "captured", ...approval }, 3);
    expect(captured.payment).toMatchObject({ status: "voidRequested", statusReason: "lateApproval" });
    expect(sendReport(asked, { type: "captured", ...approval }).payment).toMatchObject({ status: "captured" });
    const voided = sendReport(asked, { type: "voided", chargeId: "charge-1" }, 3);
    expect(voided.payment).toMatchObject({ status: "reconciling", restored: QUERY });
    expect(alertsOf(voided)).toEqual([]);
  });

  it("ends a refund that is restoring, as does the answer to its query; another report may be older than the refund", () => {
    const refund = { ...aPendingRefund, restored: 1_006 };
    const after = (answered?: number) =>
      sendReport(aPaymentIn("captured", { refunds: [refund] }), { type: "refundFailed", refundId: "f1" }, answered);
    expect(after().payment.refunds).toMatchObject([{ status: "pending", restored: 1_006 }]);
    expect(after(1_006).payment.refunds).toMatchObject([{ status: "failed", restored: undefined }]);
    expect(after(refund.sequence).payment.refunds).toMatchObject([{ status: "failed", restored: undefined }]);
  });
});

it("an acknowledgement answers no query", () => {
  expect(sendReport(restored("reconciling"), { type: "acknowledged" }, QUERY).payment.restored).toBe(QUERY);
});
