import { describe, expect, it } from "vitest";
import { orderHold } from "../../../shared/domain/payment/record/order.ts";
import type { ChargeState } from "../../../shared/domain/payment/record/charge.ts";
import { isFinal, paymentStates, type Payment, type Refund } from "../../../shared/domain/payment/record/payment.ts";
import { decideReport } from "../../../shared/domain/payment/reports/reports.ts";
import type { Outcome } from "../../../shared/domain/payment/operator/resolution.ts";
import { pointlessMessages } from "../../../shared/domain/payment/operator/decide-resolution.ts";
import { voucherFate } from "../../../shared/domain/payment/life/voucher-use.ts";
import { aCharge, aPaymentIn, now } from "../../support/a-payment.ts";
import { alertsOf, changeBy, context, eventsOf, resolved, voidsOf } from "./a-resolution.ts";

const final = paymentStates.filter(isFinal);
const withoutMoney = final.filter((state) => state !== "captured");
const paid = { of: "payment", outcome: "paid" } as const;
const unpaid = { of: "payment", outcome: "unpaid" } as const;
const charge = (outcome: "kept" | "reversed", chargeId = "charge-1") => ({ of: "charge", outcome, chargeId }) as const;
const refund = (more: Partial<Refund> = {}): Refund => ({
  refundId: "f1",
  idAsReceived: "F1",
  names: [],
  amount: 2_550,
  reason: "",
  status: "succeeded",
  commandId: "c3",
  sequence: 3,
  createdAt: now,
  updatedAt: now,
  ...more,
});
const discount = {
  discountId: "d1",
  amount: 100,
  voucherTokenId: "t1",
  reserved: true,
  status: "applied",
  commandId: "c2",
  createdAt: now,
  updatedAt: now,
} as const;

describe("a correction", () => {
  const corrections = [
    ...withoutMoney.map((state) => [aPaymentIn(state, { charges: [] }), paid] as const),
    [aPaymentIn("captured"), unpaid],
    [aPaymentIn("captured"), { ...paid, amount: 100 }],
    [aPaymentIn("captured"), charge("reversed")],
    [aPaymentIn("declined", { charges: [aCharge("reversed")] }), charge("kept")],
    [aPaymentIn("captured", { refunds: [refund()] }), { of: "refund", refundId: "f1", outcome: "failed" }],
  ] as const;

  it.each(corrections)(
    "leaves status and end unchanged, redeems a voucher that paid, sends a webhook and is in the history: %#",
    (payment, said) => {
      const before = { ...payment, discounts: [discount] };
      const change = changeBy(before, said);
      expect(change.payment).toMatchObject({ status: before.status, discounts: [discount] });
      expect(change.payment.statusReason).toBe(before.statusReason);
      const isPaid = said === paid;
      expect(voucherFate(change.payment, "d1")).toBe(isPaid ? "spent" : voucherFate(before, "d1"));
      expect(change.effects.some(({ kind }) => kind === "voucherOutcome")).toBe(isPaid);
      expect(change.entry).toMatchObject({
        event: "corrected",
        by: "operator",
        operator: { by: "ada", why: "the acquirer's list" },
        from: before.status,
        to: before.status,
      });
      expect(eventsOf(change).filter((type) => type.startsWith("payment."))).toHaveLength(1);
      expect(eventsOf(change).join()).toContain("payment.corrected");
    },
  );

  it.each(corrections)("is refused without an open alert: %#", (payment, said) => {
    expect(resolved(payment, said, false)).toMatchObject({
      error: { code: "invalid_state", detail: expect.stringContaining("open alert") as string },
    });
  });

  it.each([unpaid, { ...paid, amount: 100 }, charge("reversed")])(
    "of captured money waits for a pending refund: %j",
    (said) => {
      const payment = aPaymentIn("captured", { refunds: [refund({ status: "pending" })] });
      expect(resolved(payment, said)).toMatchObject({
        error: { code: "invalid_state", detail: expect.stringContaining("refund is pending") as string },
      });
    },
  );

  it.each([
    [aPaymentIn("captured"), paid],
    [aPaymentIn("declined"), unpaid],
    [aPaymentIn("captured"), charge("kept")],
    [aPaymentIn("voided"), charge("reversed")],
    [aPaymentIn("captured", { refunds: [refund()] }), { of: "refund", refundId: "F1", outcome: "succeeded" }],
  ] as const)("is refused when it states what is already recorded: %#", (payment, said) => {
    expect(resolved(payment, said)).toMatchObject({ error: { code: "invalid_state", currentStatus: payment.status } });
  });
});

describe("an ended payment that was paid after all", () => {
  it.each(withoutMoney)("%s: the captured amount is recorded and can be refunded", (state) => {
    const { payment } = changeBy(aPaymentIn(state, { charges: [] }), { ...paid, amount: 100 });
    expect(payment).toMatchObject({ status: state, amounts: { authorized: 10_000, captured: 10_000 } });
    expect(orderHold(payment)).toBe("approved");
  });

  it.each(["declined", "failed", "cancelled", "notStarted"] as const)("contradicts that no money moved: %s", (type) => {
    const ended = aPaymentIn("declined", { charges: [] });
    const { payment } = changeBy(ended, paid);
    const alerts = (of: Payment) => decideReport(of, { reportId: "r1", type }, context, undefined).effects;
    const detail = `${type} while the payment is declined, and 125.50 SEK was recorded`;
    expect(alerts(payment)).toEqual([{ kind: "alert", alert: "contradictingReport", about: undefined, detail }]);
    expect(alerts(changeBy(payment, unpaid).payment)).toEqual([]);
  });

  it("and that decision is reversed: nothing was authorized either", () => {
    const { payment } = changeBy(aPaymentIn("declined"), { ...paid, amount: 57 });
    expect(changeBy(payment, unpaid).payment.amounts).toMatchObject({ authorized: 0, captured: 0 });
  });

  it("uses a charge that was recorded as given back, and reverses another one", () => {
    const charges = [aCharge("reversed"), aCharge("reversalFailed", { chargeId: "charge-2", amount: 9_000 })];
    const change = changeBy(aPaymentIn("cancelled", { charges }), { ...paid, chargeId: "charge-1" });
    expect(change.payment.charges.map(({ status }) => status)).toEqual(["captured", "reversing"]);
    expect(voidsOf(change)).toEqual(["charge-2"]);
    expect(alertsOf(change)).toEqual(["unwantedApproval charge-2"]);
    expect(change.payment.amounts).toMatchObject({ captured: 12_550 });
  });

  it("is confirmed by the first reported charge of that amount", () => {
    const { payment } = changeBy(aPaymentIn("expired", { charges: [] }), paid);
    const chargeReport = {
      reportId: "r1",
      type: "captured",
      chargeId: "late",
      amount: 12_550,
      currency: "SEK",
    } as const;
    const change = decideReport(payment, chargeReport, context, undefined);
    expect(change.payment).toMatchObject({ charges: [{ status: "captured" }], amounts: { captured: 12_550 } });
    expect(change.effects).toEqual([]);
  });
});

describe("a captured payment from which no money was taken", () => {
  it("holds no money, and its charges are reversed", () => {
    const kept = aCharge("kept", { chargeId: "charge-2", amount: 5_000 });
    const payment = aPaymentIn("captured", { charges: [aCharge("captured"), kept] });
    const before = { ...payment, amounts: { ...payment.amounts, captured: 17_550 } };
    const change = changeBy(before, unpaid);
    expect(change.payment.amounts.captured).toBe(0);
    expect(change.payment.charges.map(({ status }) => status)).toEqual(["reversing", "reversing"]);
    expect(orderHold(change.payment)).toBe("givingBack");
  });

  it("is not given back as a whole if a part of it was refunded", () => {
    const payment = aPaymentIn("captured", { refunds: [refund()] });
    expect(resolved(payment, unpaid)).toMatchObject({
      error: { code: "invalid_state", detail: expect.stringContaining("was refunded") as string },
    });
    // But the operator may record that the acquirer shows the whole charge back, because this sends no message.
    const change = changeBy(payment, charge("reversed"));
    expect(change.payment).toMatchObject({ amounts: { captured: 0 }, charges: [{ status: "reversed" }] });
    expect(voidsOf(change)).toEqual([]);
  });
});

describe("a charge that the merchant has kept", () => {
  const onItsWay: readonly ChargeState[] = ["reversing", "reversalFailed"];
  it.each(onItsWay.flatMap((status) => final.map((state) => [status, state] as const)))(
    "%s, of a payment that is %s: it counts in addition to the payment's own, and its void is withdrawn",
    (status, state) => {
      const own = aPaymentIn(state);
      const other = aCharge(status, {
        chargeId: "charge-2",
        amount: 5_000,
        reversal: { sequence: 7, since: now },
      });
      const payment = { ...own, charges: [...own.charges, other] };
      const said = charge("kept", "CHARGE-2");
      const decided = resolved(payment, said, false); // not a correction: it was still under way, or had failed
      expect(decided).toMatchObject({ ok: true });
      const change = changeBy(payment, said);
      expect(change.payment.charges.at(-1)?.status).toBe("kept");
      expect(change.payment.amounts.captured).toBe(own.amounts.captured + 5_000);
      expect(change.payment.status).toBe(state);
      expect(eventsOf(change)).toEqual(["payment.corrected charge-2"]);
      expect(pointlessMessages(payment, change)).toEqual(status === "reversing" ? [7] : []);
      expect(orderHold(change.payment)).toBe("approved");
    },
  );

  it("ends a payment that waited for it, and still counts when another one is captured", () => {
    const waiting = aPaymentIn("voidRequested", { charges: [aCharge("reversing", { amount: 9_000 })] });
    expect(changeBy(waiting, charge("kept")).payment).toMatchObject({ status: "voided", amounts: { captured: 9_000 } });

    const two = [aCharge("authorized"), aCharge("kept", { chargeId: "charge-2", amount: 5_000 })];
    const capturing = aPaymentIn("captureRequested", { charges: two });
    const chargeReport = {
      reportId: "r1",
      type: "captured",
      chargeId: "charge-1",
      amount: 12_550,
      currency: "SEK",
    } as const;
    expect(decideReport(capturing, chargeReport, context, undefined).payment.amounts.captured).toBe(17_550);
  });

  it.each(["voided", "captureFailed"] as const)("raises an alert when a report contradicts it: %s", (type) => {
    const payment = aPaymentIn("captured", { charges: [aCharge("captured"), aCharge("kept", { chargeId: "k" })] });
    const chargeReport = { reportId: "r1", type, chargeId: "k" };
    expect(alertsOf(decideReport(payment, chargeReport, context, undefined))).toEqual(["contradictingReport k"]);
  });

  it("is refused in another currency, for the payment's own charge, and if its money may have been refunded", () => {
    const euro = aCharge("reversing", { chargeId: "charge-2", currency: "EUR" });
    expect(resolved(aPaymentIn("declined", { charges: [euro] }), charge("kept", "charge-2"))).toMatchObject({
      error: { detail: expect.stringContaining("different currencies") as string },
    });
    expect(resolved(aPaymentIn("authorized"), charge("kept"))).toMatchObject({
      error: { detail: expect.stringContaining("Record whether the payment is paid") as string },
    });
    const { payment } = changeBy(aPaymentIn("captured", { refunds: [refund()] }), charge("reversed"));
    expect(resolved(payment, charge("kept"))).toMatchObject({
      error: { detail: expect.stringContaining("record that the payment is paid with this charge") as string },
    });
  });

  it("can be recorded as given back later", () => {
    const { payment } = changeBy(aPaymentIn("voided"), charge("kept"));
    const change = changeBy(payment, charge("reversed"));
    expect(change.payment).toMatchObject({ amounts: { captured: 0 }, charges: [{ status: "reversed" }] });
    expect(eventsOf(change)).toEqual(["payment.corrected", "reversal.succeeded charge-1"]);
  });
});

describe("the correction of a concluded refund", () => {
  it.each([
    ["succeeded", "failed"],
    ["failed", "succeeded"],
  ] as const)("from %s to %s changes the amounts, and brings a webhook of the refund", (status, outcome) => {
    const payment = aPaymentIn("captured", { refunds: [refund({ status, made: 2_000 })] });
    const change = changeBy(payment, { of: "refund", refundId: "F1", outcome });
    expect(change.payment.refunds).toMatchObject([{ status: outcome, statusReason: "settledByOperator" }]);
    expect(change.payment.refunds[0]?.made).toBeUndefined();
    expect(eventsOf(change)).toEqual(["payment.corrected", `refund.${outcome} f1`]);
  });

  it("names any amount up to the requested one, and the books keep it when only the day is named later", () => {
    const payment = aPaymentIn("captured", { refunds: [refund({ made: 2_000 })] });
    const said = { of: "refund", refundId: "F1", outcome: "succeeded" } as const;
    for (const amount of [20, undefined]) expect(resolved(payment, { ...said, amount })).toMatchObject({ ok: false });
    for (const amount of [0, 25.51])
      expect(resolved(payment, { ...said, amount })).toMatchObject({ error: { errors: [{ field: "amount" }] } });
    expect(changeBy(payment, { ...said, amount: 25.5 }).payment.refunds[0]?.made).toBeUndefined();
    const change = changeBy(payment, { ...said, amount: 21 });
    expect(change.payment.refunds).toMatchObject([{ made: 2_100, correction: { amount: -100 } }]);
    const dated = changeBy(change.payment, { ...said, businessDay: "2026-11-21" } as Outcome);
    expect(dated.payment.refunds).toMatchObject([
      { made: 2_100, correction: { amount: -100, businessDay: "2026-11-21" } },
    ]);
  });

  it("is refused for a refund that the payment does not have", () => {
    const said = { of: "refund", refundId: "nobody", outcome: "failed" } as const;
    expect(resolved(aPaymentIn("captured"), said)).toMatchObject({ error: { errors: [{ field: "refund" }] } });
  });
});
