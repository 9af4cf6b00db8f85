import { describe, expect, it } from "vitest";
import type { Change } from "../../../shared/domain/payment/life/advance.ts";
import { amountHeld, ownCaptured } from "../../../shared/domain/payment/record/kept-money.ts";
import { isGivenBack, type Charge } from "../../../shared/domain/payment/record/charge.ts";
import type { Discount, Payment, Refund } from "../../../shared/domain/payment/record/payment.ts";
import { counting, type Report } from "../../../shared/domain/payment/record/report.ts";
import { decideReport } from "../../../shared/domain/payment/reports/reports.ts";
import type { Said } from "../../../shared/domain/payment/record/said.ts";
import { after } from "../../../shared/domain/time.ts";
import { aCharge, aPaymentIn, now, timings } from "../../support/a-payment.ts";
import { fc } from "../../support/drawn.ts";
import { alertsOf, context } from "./a-resolution.ts";
import { happenings, start } from "./happenings.ts";

const reported = (payment: Payment, report: Partial<Report> & Pick<Report, "type">): Change =>
  decideReport(payment, counting(payment, { reportId: "r1", currency: "SEK", ...report }), context, undefined);
const refund = (refundId: string, more: Partial<Refund> = {}): Refund => ({
  refundId,
  idAsReceived: refundId,
  names: [],
  amount: 3_000,
  reason: "",
  status: "pending",
  commandId: `command of ${refundId}`,
  sequence: 3,
  createdAt: now,
  updatedAt: now,
  ...more,
});

describe("a report that names two objects", () => {
  it("concerns the refund that it names, and only that one is concluded, with an alert", () => {
    const payment = aPaymentIn("captured", { refunds: [refund("a"), refund("b")] });
    const change = reported(payment, { type: "refunded", messageId: "command of a", refundId: "b", amount: 3_000 });
    expect(change.payment.refunds.map(({ status }) => status)).toEqual(["pending", "succeeded"]);
    expect(alertsOf(change)).toEqual(["contradictingReport b"]);
    expect(change.entry.messageId).toBeUndefined();
  });

  it("concerns the discount that it names", () => {
    const discount = (discountId: string): Discount => ({
      discountId,
      amount: 100,
      status: "requested",
      commandId: `command of ${discountId}`,
      createdAt: now,
      updatedAt: now,
    });
    const payment = aPaymentIn("inProgress", { discounts: [discount("a"), discount("b")] });
    const change = reported(payment, { type: "discountApplied", messageId: "command of a", discountId: "b" });
    expect(change.payment.discounts.map(({ status }) => status)).toEqual(["requested", "applied"]);
    expect(alertsOf(change)).toEqual(["contradictingReport b"]);
  });

  it("raises no alert if its message requested the named object", () => {
    const payment = aPaymentIn("captured", { refunds: [refund("a"), refund("b")] });
    const change = reported(payment, {
      type: "refunded",
      messageId: "command of b",
      refundId: "B".toLowerCase(),
      amount: 3_000,
    });
    expect(change.payment.refunds.map(({ status }) => status)).toEqual(["pending", "succeeded"]);
    expect(alertsOf(change)).toEqual([]);
  });
});

describe("an approval whose amount contradicts the terminal's own answer to a discount", () => {
  const answered = (status: "applied" | "refused"): Payment => {
    const times = { createdAt: now, updatedAt: now };
    const discount = { discountId: "d1", amount: 2_000, status, commandId: "c2", ...times } as const;
    const discounted = status === "applied" ? 2_000 : 0;
    const amounts = { requested: 12_550, discounted, authorized: 0, captured: 0 };
    return aPaymentIn("inProgress", { discounts: [discount], amounts });
  };

  it.each([
    ["refused", 10_550, "authorized while the discount d1 is refused"],
    ["applied", 12_550, "authorized while the discount d1 is applied"],
  ] as const)("is voided, with an alert: %s, and %d charged", (status, amount, detail) => {
    const change = reported(answered(status), { type: "authorized", chargeId: "charge-1", amount });
    expect(change.payment).toMatchObject({ status: "voidRequested", statusReason: "amountMismatch" });
    expect(change.effects).toContainEqual({ kind: "alert", alert: "contradictingReport", about: "charge-1", detail });
  });

  it("is voided without an alert if no discount explains it", () => {
    const change = reported(answered("refused"), { type: "authorized", chargeId: "charge-1", amount: 11_000 });
    expect(change.payment).toMatchObject({ statusReason: "amountMismatch" });
    expect(alertsOf(change)).toEqual([]);
  });
});

describe("money that is reported again with another amount or currency raises an alert", () => {
  it.each([{ amount: 1_000 }, { amount: 3_000, currency: "EUR" }])("a refund: %j", (more) => {
    const payment = aPaymentIn("captured", { refunds: [refund("a", { status: "succeeded" })] });
    const change = reported(payment, { type: "refunded", refundId: "a", ...more });
    expect(alertsOf(change)).toEqual(["amountDiffers a"]);
    expect(change.payment.refunds).toEqual(payment.refunds);
    expect(alertsOf(reported(payment, { type: "refunded", refundId: "a", amount: 3_000 }))).toEqual([]);
  });

  it.each([{ amount: 100 }, { amount: 5_000, currency: "EUR" }])("a capture of a kept charge: %j", (more) => {
    const charges = [aCharge("captured"), aCharge("kept", { chargeId: "charge-2", amount: 5_000 })];
    const payment = aPaymentIn("captured", {
      charges,
      amounts: { requested: 12_550, discounted: 0, authorized: 12_550, captured: 17_550 },
    });
    expect(alertsOf(reported(payment, { type: "captured", chargeId: "charge-2", ...more }))).toEqual([
      "amountDiffers charge-2",
    ]);
    expect(alertsOf(reported(payment, { type: "captured", chargeId: "charge-2", amount: 5_000 }))).toEqual([]);
  });
});

it.each(["manual", "automatic"] as const)(
  "an approval whose void was reported before is contradicted: %s",
  (captureMode) => {
    const voided = reported(aPaymentIn("inProgress", { captureMode }), { type: "voided", chargeId: "charge-1" });
    expect(alertsOf(voided)).toEqual(["contradictingReport charge-1"]);
    const approved = reported(voided.payment, { type: "authorized", chargeId: "charge-1", amount: 12_550 });
    expect(approved.payment.charges).toMatchObject([{ chargeId: "charge-1", contradicted: true }]);
    expect(alertsOf(approved)).toEqual(["contradictingReport charge-1"]);
    expect(approved.effects).toContainEqual(expect.objectContaining({ type: "payment.contradicted" }));
  },
);

describe("a known chargeID", () => {
  const acquirer = { authorisationCode: "A1", rrn: "1" };
  const card = { last4: "1111" };
  const payment = aPaymentIn("captured", { charges: [aCharge("captured", { acquirer, card })] });
  const again = { type: "authorized", chargeId: "charge-1", amount: 12_550 } as const;

  it.each([
    [{ acquirer: { authorisationCode: "A2", rrn: "1" } }, ["chargeChanged charge-1"]],
    [{ acquirer: { authorisationCode: "A1", rrn: "2" } }, ["chargeChanged charge-1"]],
    [{ acquirer, card: { last4: "2222" } }, ["chargeChanged charge-1"]],
    [{ acquirer: { rrn: "1", stan: "7" }, card: { brand: "Visa" } }, []],
    [{}, []],
  ])("is approved again as another charge only if a member that both have differs: %j", (more, alerts) => {
    expect(alertsOf(reported(payment, { ...again, ...more }))).toEqual(alerts);
  });

  it("may be captured under its own reference", () => {
    const capture = { type: "captured", chargeId: "charge-1", amount: 12_550, acquirer: { rrn: "2" } } as const;
    expect(alertsOf(reported(payment, capture))).toEqual([]);
    const ended = reported(aPaymentIn("declined"), capture).payment;
    expect(alertsOf(reported(ended, { ...again, acquirer }))).toEqual([]);
  });
});

/** The amount that an authorized charge keeps of a capture without a request, or one in doubt of its capture. */
const keptOn = ({ status, captured }: Charge): number | undefined =>
  status === "authorized" || status === "inDoubt" ? captured : undefined;

/** Whether the payment's record contains a report's money. A refund may be named only by its message. */
function isRecorded(
  payment: Payment,
  { type, chargeId, refundId, amount, currency }: Said,
  messageId: string | undefined,
): boolean {
  const charge = payment.charges.find((c) => c.chargeId === chargeId);
  const isOf = (recorded: number, of: string) => amount === undefined || (amount === recorded && currency === of);
  switch (type) {
    case "authorized":
      return charge !== undefined && isOf(charge.amount, charge.currency);
    case "captured":
      if (chargeId === undefined) return isOf(ownCaptured(payment), payment.currency);
      return charge !== undefined && isOf(keptOn(charge) ?? amountHeld(payment, charge), charge.currency);
    case "voided":
      return charge !== undefined && (isGivenBack(charge) || charge.contradicted === true);
    case "refunded": {
      const named = payment.refunds.find((r) =>
        refundId === undefined ? r.commandId === messageId : r.refundId === refundId,
      );
      return named?.status === "succeeded" && isOf(named.made ?? named.amount, payment.currency);
    }
    default:
      return true;
  }
}

const RUNS = Number(process.env["REPORT_RUNS"] ?? 2_000);

it("the record contains every reported movement of money, or the report raises an alert", () => {
  fc.assert(
    fc.property(start, happenings, (first, list) => {
      let payment = first;
      for (const [i, happen] of list.entries()) {
        const change = happen(payment, { now: after(now, i), commandId: `c${i + 2}`, timings });
        if (!change) continue;
        payment = change.payment;
        const { said, alerts, messageId } = change.entry;
        if (said && !alerts)
          expect({ said, isRecorded: isRecorded(payment, said, messageId) }).toEqual({ said, isRecorded: true });
      }
    }),
    { numRuns: RUNS },
  );
});
