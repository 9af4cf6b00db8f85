import { describe, expect, it } from "vitest";
import type { Change } from "../../../shared/domain/payment/life/advance.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { decideReport } from "../../../shared/domain/payment/reports/reports.ts";
import { doubtsOf } from "../../../shared/domain/payment/life/timeouts.ts";
import type { Report } from "../../../shared/domain/payment/record/report.ts";
import { aCharge, aPaymentIn, approval } from "../../support/a-payment.ts";
import { alertsOf, context } from "./a-resolution.ts";

/** The sequence of the query that a restore sent. */
const QUERY = 1_005;
const restored = (status: Parameters<typeof aPaymentIn>[0], more: Partial<Payment> = {}) =>
  aPaymentIn(status, { sequence: QUERY, statusReason: "outcomeUnknown", restored: QUERY, ...more });

const tell = (payment: Payment, report: Omit<Report, "reportId">, answered?: number): Change =>
  decideReport(payment, { reportId: "r1", ...report }, context, answered);

describe("until the query of a restore is answered", () => {
  it.each(["accepted", "stillRunning"] as const)(
    "an earlier report of %s does not set the payment going, so no deadline makes its approval late",
    (type) => {
      const { payment, effects } = tell(restored("reconciling"), { type }, 1);
      expect(payment).toMatchObject({ status: "reconciling", restored: QUERY });
      expect(effects).toEqual([]);
      expect(tell(payment, { type: "stillRunning" }, QUERY).payment).toMatchObject({ status: "inProgress" });
    },
  );

  it("the void of a second card's charge does not end a payment whose own charge the books lack", () => {
    const running = restored("reconciling", { captureMode: "automatic" });
    const change = tell(running, { type: "voided", chargeId: "charge-2" });
    expect(change.payment).toMatchObject({ status: "reconciling", restored: QUERY });
    expect(alertsOf(change)).toEqual([]);
    expect(tell(change.payment, { type: "authorized", ...approval }, QUERY).payment).toMatchObject({
      status: "captured",
      charges: [{ chargeId: "charge-1", status: "captured" }],
    });
  });

  it("a void that answers the query ends it", () => {
    const { payment } = tell(restored("reconciling"), { type: "voided", chargeId: "charge-1" }, QUERY);
    expect(payment.status).toBe("voided");
  });

  it("a payment whose own charge is on its way back is not paid by another one that is reported as captured", () => {
    const charges = [aCharge("reversing", { reversal: { commandId: "c4", sequence: 4 } })];
    const change = tell(restored("voidRequested", { charges }), {
      type: "captured",
      ...approval,
      chargeId: "charge-2",
    });
    expect(change.payment).toMatchObject({ status: "voidRequested", charges });
    expect(alertsOf(change)).toEqual(["contradictingReport charge-2"]);
  });

  it("an operator is called after a day also where a repeated approval has confirmed the authorization", () => {
    const { payment } = tell(restored("authorized"), { type: "authorized", ...approval });
    expect(payment).toMatchObject({ status: "authorized", restored: QUERY });
    expect(doubtsOf(payment)).toEqual([{ alert: "outcomeUnknown" }]);
  });
});

describe("a capture that the terminal made after the export", () => {
  it("is booked as reported where the books hold an earlier request of another amount, with an alert", () => {
    for (const status of ["authorized", "captureRequested", "voidRequested"] as const) {
      const change = tell(
        restored(status, { captureAmount: 5_000 }),
        { type: "captured", ...approval, amount: 12_550 },
        QUERY,
      );
      expect(change.payment).toMatchObject({ status: "captured", amounts: { captured: 12_550 }, restored: undefined });
      expect(alertsOf(change)).toEqual(["amountDiffers charge-1"]);
    }
  });

  it("needs no alert where its amount is the requested one", () => {
    const asked = restored("captureRequested", { captureAmount: 5_000 });
    const change = tell(asked, { type: "captured", ...approval, amount: 5_000 }, QUERY);
    expect(change.payment).toMatchObject({ status: "captured", amounts: { captured: 5_000 } });
    expect(alertsOf(change)).toEqual([]);
  });
});
