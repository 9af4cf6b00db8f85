import { describe, expect, it } from "vitest";
import { bookingsOf } from "../../../shared/domain/payment/life/bookings.ts";
import { beginReversal } from "../../../shared/domain/payment/reports/charges.ts";
import type { Charge } from "../../../shared/domain/payment/record/charge.ts";
import type { Payment, PaymentState } from "../../../shared/domain/payment/record/payment.ts";
import { decideReport } from "../../../shared/domain/payment/reports/reports.ts";
import { requestRefund } from "../../../shared/domain/payment/requests/refund.ts";
import { pointlessMessages } from "../../../shared/domain/payment/operator/decide-resolution.ts";
import { aCharge, aPaymentIn, now } from "../../support/a-payment.ts";
import { alertsOf, changeBy, context, eventsOf, resolved, voidsOf } from "./a-resolution.ts";

const tried = (sequence: number) => ({ reversal: { sequence, since: now } });
const second = (more: Partial<Charge> = {}) => aCharge("reversing", { chargeId: "charge-2", ...tried(7), ...more });
const unsettled = ["reconciling", "authorized", "captureRequested", "voidRequested"] as const;
const statuses = (payment: { readonly charges: readonly Charge[] }) => payment.charges.map(({ status }) => status);
const paid = { of: "payment", outcome: "paid" } as const;
const unpaid = { of: "payment", outcome: "unpaid" } as const;

describe("a payment that an operator resolves as paid", () => {
  it("uses the known charge of that amount as its own, and reverses every other one", () => {
    const payment = aPaymentIn("voidRequested", {
      charges: [aCharge("reversing", { amount: 10_000, ...tried(5) }), second()],
    });
    const change = changeBy(payment, { ...paid, amount: 100 });
    expect(change.payment).toMatchObject({ status: "captured", amounts: { authorized: 10_000, captured: 10_000 } });
    expect(statuses(change.payment)).toEqual(["captured", "reversing"]);
    expect(alertsOf(change)).toEqual(["unwantedApproval charge-2"]);
    // The void of the other charge is under way. It stays in the inbox, and no second one is sent.
    expect(pointlessMessages(payment, change)).toEqual([5]);
    expect(voidsOf(change)).toEqual([]);
  });

  it("by another charge than the wanted one reverses the wanted one", () => {
    const payment = aPaymentIn("authorized", { charges: [aCharge("authorized"), second()] });
    const change = changeBy(payment, { ...paid, chargeId: "CHARGE-2" });
    expect(statuses(change.payment)).toEqual(["reversing", "captured"]);
    expect(voidsOf(change)).toEqual(["charge-1"]);
    expect(alertsOf(change)).toEqual(["unwantedApproval charge-1"]);
    expect(eventsOf(change)).toEqual(["reversal.requested charge-1", "payment.captured"]);
  });

  it("reverses a charge whose reversal had failed again", () => {
    const failed = aCharge("reversalFailed", { chargeId: "charge-2", tries: 5, ...tried(7) });
    const change = changeBy(aPaymentIn("authorized", { charges: [aCharge("authorized"), failed] }), paid);
    expect(change.payment.charges[1]).toMatchObject({ status: "reversing", tries: 0 });
    expect(voidsOf(change)).toEqual(["charge-2"]);
  });

  it("keeps a charge that an operator left with the merchant, and its amount", () => {
    const charges = [aCharge("authorized"), aCharge("kept", { chargeId: "charge-2", amount: 5_000 })];
    const change = changeBy(aPaymentIn("authorized", { charges }), paid);
    expect(statuses(change.payment)).toEqual(["captured", "kept"]);
    expect(change.payment.amounts).toMatchObject({ authorized: 12_550, captured: 17_550 });
    expect(alertsOf(change)).toEqual([]);
  });

  it("uses the wanted charge in part", () => {
    const change = changeBy(aPaymentIn("captureRequested"), { ...paid, amount: 100.5 });
    expect(change.payment.amounts).toMatchObject({ authorized: 12_550, captured: 10_050 });
  });

  it("is confirmed by the first reported charge when none is known, and the next one is reversed", () => {
    const { payment } = changeBy(aPaymentIn("reconciling"), paid);
    const reportSent = {
      reportId: "r1",
      type: "authorized",
      chargeId: "late",
      amount: 12_550,
      currency: "SEK",
    } as const;
    const confirmed = decideReport(payment, reportSent, context, undefined);
    expect(statuses(confirmed.payment)).toEqual(["captured"]);
    expect(confirmed.effects).toEqual([]);
    const next = decideReport(
      confirmed.payment,
      { ...reportSent, reportId: "r2", chargeId: "later" },
      context,
      undefined,
    );
    expect(statuses(next.payment)).toEqual(["captured", "reversing"]);
    expect(alertsOf(next)).toEqual(["unwantedApproval later"]);
  });

  const later = (more: object) =>
    ({ reportId: "r1", type: "authorized", chargeId: "late", amount: 12_550, currency: "SEK", ...more }) as const;

  it.each([
    ["amount", { amount: 13_000 }, "the terminal charged 130.00 SEK, and 125.50 SEK was recorded"],
    ["currency", { currency: "EUR" }, "the terminal charged 125.50 EUR, and 125.50 SEK was recorded"],
  ])("keeps the first charge of another %s in doubt: no booking, no void, no refund", (_, more, detail) => {
    const { payment } = changeBy(aPaymentIn("reconciling"), paid);
    const change = decideReport(payment, later(more), context, undefined);
    expect(statuses(change.payment)).toEqual(["inDoubt"]);
    expect(bookingsOf(payment, change)).toEqual([]);
    expect(change.effects).toEqual([
      { kind: "webhook", type: "payment.contradicted", about: "late" },
      { kind: "alert", alert: "amountDiffers", about: "late", detail },
    ]);
    const refund = { refundId: "f1", idAsReceived: "f1", names: [], amount: 100, reason: "returned" };
    expect(requestRefund(change.payment, refund, context)).toMatchObject({
      error: { code: "invalid_state", detail: expect.stringContaining("in doubt") as string },
    });
    const second = decideReport(change.payment, later({ ...more, chargeId: "later" }), context, undefined);
    expect(statuses(second.payment)).toEqual(["inDoubt", "reversing"]);
    // A charge of the recorded amount confirms the payment, even after the other charge.
    const third = decideReport(change.payment, later({ chargeId: "named" }), context, undefined);
    expect(statuses(third.payment)).toEqual(["inDoubt", "captured"]);
  });

  it.each([
    [paid, "amount", { chargeId: "late", status: "captured" }, 13_000],
    [{ of: "charge", outcome: "reversed", chargeId: "late" }, "", { status: "reversed" }, 12_550],
    [{ of: "charge", outcome: "kept", chargeId: "late" }, "", { status: "kept" }, 25_550],
    [unpaid, "", { status: "reversing" }, 0],
  ] as const)("a charge in doubt is decided by %j", (said, _, charge, captured) => {
    const { payment } = changeBy(aPaymentIn("reconciling"), paid);
    const doubted = decideReport(payment, later({ amount: 13_000 }), context, undefined).payment;
    const named = said.of === "payment" && said.outcome === "paid" ? { ...said, chargeId: "late" } : said;
    const { payment: next } = changeBy(doubted, named);
    expect(next.charges).toMatchObject([charge]);
    expect(next.amounts.captured).toBe(captured);
  });

  it.each(["captured", "declined"] as const)("raises an alert when its charge is reported as voided: %s", (state) => {
    const payment = aPaymentIn(state, { charges: [aCharge("reversing")] });
    const { payment: next } = changeBy(payment, paid);
    const report = { reportId: "r1", type: "voided", chargeId: "charge-1" } as const;
    expect(alertsOf(decideReport(next, report, context, undefined))).toEqual(["contradictingReport charge-1"]);
  });

  it.each([
    ["a charge that it does not have", { chargeId: "nobody" }, "charge", "not a charge of this payment"],
    ["one in another currency", { chargeId: "euro" }, "charge", "the payment's currency"],
    ["one that is kept beside it", { chargeId: "kept" }, "charge", "already kept"],
    [
      "more than was charged",
      { chargeId: "charge-1", amount: 200 },
      "amount",
      "ask the acquirer to give the rest back",
    ],
    ["no amount at all", { amount: 0 }, "amount", "above zero"],
    ["an amount of two charges", { amount: 125.5 }, "charge", "one of charge-1, charge-2"],
    ["no amount, and none of the amount that was to pay", {}, "charge", "one of charge-1, charge-2"],
  ])("is refused for %s, and the refusal names the wrong field", (_, said, field, message) => {
    const charges = [
      aCharge("reversing"),
      second(),
      aCharge("reversing", { chargeId: "euro", currency: "EUR" }),
      aCharge("kept", { chargeId: "kept" }),
    ];
    expect(resolved(aPaymentIn("voidRequested", { charges }), { ...paid, ...said })).toMatchObject({
      ok: false,
      error: { code: "validation_failed", errors: [{ field, message: expect.stringContaining(message) as string }] },
    });
  });

  it("does not use a charge that was given back as its own, unless it is named", () => {
    const payment = aPaymentIn("voidRequested", { charges: [aCharge("reversed"), second({ amount: 9_000 })] });
    expect(resolved(payment, { ...paid, amount: 125.5 })).toMatchObject({ error: { errors: [{ field: "charge" }] } });
    expect(statuses(changeBy(payment, { ...paid, chargeId: "charge-1" }).payment)).toEqual(["captured", "reversing"]);
  });

  it("needs the charge's name when a part of the wanted one and another charge have that amount", () => {
    const payment = aPaymentIn("authorized", { charges: [aCharge("authorized"), second({ amount: 10_000 })] });
    expect(resolved(payment, { ...paid, amount: 100 })).toMatchObject({ error: { errors: [{ field: "charge" }] } });
    expect(resolved(payment, { ...paid, amount: 100, chargeId: "charge-1" })).toMatchObject({ ok: true });
  });
});

describe("a payment that an operator resolves as unpaid", () => {
  it.each(unsettled)(
    "in %s ends, and every charge that may hold money is reversed, one message after the other",
    (state) => {
      const charges = [
        aCharge(state === "reconciling" ? "reversalFailed" : "authorized"),
        second(),
        aCharge("reversalFailed", { chargeId: "charge-3", tries: 5, ...tried(3) }),
        aCharge("kept", { chargeId: "charge-4" }),
        aCharge("reversed", { chargeId: "charge-5" }),
      ];
      const payment = aPaymentIn(state, { charges, awaiting: { commandId: "c6", sequence: 6 }, sequence: 8 });
      const change = changeBy(payment, unpaid);
      expect(change.payment).toMatchObject({
        status: state === "reconciling" ? "failed" : "voided",
        amounts: { captured: 0 },
      });
      expect(statuses(change.payment)).toEqual(["reversing", "reversing", "reversing", "reversing", "reversed"]);
      expect(eventsOf(change).filter((type) => type.startsWith("reversal"))).toEqual(
        ["charge-1", "charge-3", "charge-4"].map((id) => `reversal.requested ${id}`),
      );
      // The awaited message is obsolete now. So is the request itself if it may not have begun. The void under way is not.
      expect(pointlessMessages(payment, change)).toEqual(state === "reconciling" ? [1, 6] : [6]);

      expect(voidsOf(change)).toEqual(["charge-1"]);
      const third = beginReversal(change.payment, context);
      expect(third && voidsOf(third)).toEqual(["charge-3"]);
      const names = (payment: Payment | undefined) => payment?.deadlines.map(({ name }) => name);
      expect(names(third?.payment)).toContain("nextReversal");
      const fourth = third && beginReversal(third.payment, context);
      expect(fourth && voidsOf(fourth)).toEqual(["charge-4"]);
      expect(names(fourth?.payment)).not.toContain("nextReversal");
      expect(fourth && beginReversal(fourth.payment, context)).toBeUndefined();
    },
  );

  it.each(["authorized", "captured"] as const)(
    "reverses a charge that is reported later by %s, and raises an alert; a repeated report agrees",
    (type) => {
      const { payment } = changeBy(aPaymentIn("reconciling"), unpaid);
      const reportSent = { reportId: "r1", type, chargeId: "late", amount: 12_550, currency: "SEK" } as const;
      const late = decideReport(payment, reportSent, context, undefined);
      expect(late.entry.event).toBe(type);
      expect(statuses(late.payment)).toEqual(["reversing"]);
      expect(voidsOf(late)).toEqual(["late"]);
      expect(alertsOf(late)).toEqual(["unwantedApproval late"]);
      const again = decideReport(
        late.payment,
        { ...reportSent, type: "authorized", reportId: "r2" },
        context,
        undefined,
      );
      expect(again.effects).toEqual([]);
    },
  );

  it("agrees with a void reported by a terminal that has no charge", () => {
    const { payment } = changeBy(aPaymentIn("authorized"), unpaid);
    const reportSent = { reportId: "r1", type: "voided", chargeId: "charge-1" } as const;
    const back = decideReport(payment, reportSent, context, undefined);
    expect(statuses(back.payment)).toEqual(["reversed"]);
    expect(alertsOf(decideReport(back.payment, { ...reportSent, reportId: "r2" }, context, undefined))).toEqual([]);
  });
});

describe("a payment that is under way, or has ended without an alert", () => {
  const others: readonly PaymentState[] = ["pending", "inProgress", "cancelRequested"];
  it.each(others.flatMap((state) => [[state, paid] as const, [state, unpaid] as const]))(
    "(%s, %j) cannot be resolved by the operator",
    (state, said) => {
      expect(resolved(aPaymentIn(state), said)).toMatchObject({
        error: { code: "invalid_state", currentStatus: state },
      });
    },
  );
});
