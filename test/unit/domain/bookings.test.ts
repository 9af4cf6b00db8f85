import { describe, expect, it } from "vitest";
import {
  balanceOf,
  bookingDirections,
  bookingKinds,
  businessDayOf,
  totalsOf,
  type Booking,
} from "../../../shared/domain/booking.ts";
import type { Change } from "../../../shared/domain/payment/life/advance.ts";
import { bookingsOf } from "../../../shared/domain/payment/life/bookings.ts";
import type { Outcome } from "../../../shared/domain/payment/operator/resolution.ts";
import { allTip, refundedAmount } from "../../../shared/domain/payment/record/kept-money.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { Report } from "../../../shared/domain/payment/record/report.ts";
import { decideReport } from "../../../shared/domain/payment/reports/reports.ts";
import { after } from "../../../shared/domain/time.ts";
import { aCharge, aPaymentIn, approval, now, timings } from "../../support/a-payment.ts";
import { fc } from "../../support/drawn.ts";
import { alertsOf, changeBy, context } from "./a-resolution.ts";
import { happenings, start } from "./happenings.ts";

const aRefund = {
  refundId: "refund-1",
  idAsReceived: "REFUND-1",
  names: [],
  amount: 2_000,
  reason: "returned",
  commandId: "c5",
  sequence: 5,
  createdAt: now,
  updatedAt: now,
} as const;

const shown = (bookings: readonly Booking[]): string[] =>
  bookings.map(({ kind, direction, amount, currency, chargeId, refundId }) =>
    [kind, direction, amount, currency, chargeId ?? "-", refundId ?? ""].join(" ").trim(),
  );

const reported = (payment: Payment, report: Partial<Report> & Pick<Report, "type">): Change =>
  decideReport(payment, { reportId: "r1", ...report }, context, undefined);
const bookedBy = (payment: Payment, change: Change) => shown(bookingsOf(payment, change));

describe("a change books", () => {
  it("the capture of an approval that is captured at once", () => {
    const payment = aPaymentIn("inProgress", { captureMode: "automatic" });
    expect(bookedBy(payment, reported(payment, { type: "authorized", ...approval }))).toEqual([
      "capture credit 12550 SEK charge-1",
    ]);
  });

  it("nothing for an approval that waits for its capture, nor for the void of one", () => {
    const running = aPaymentIn("inProgress", { captureMode: "manual" });
    expect(bookedBy(running, reported(running, { type: "authorized", ...approval }))).toEqual([]);
    const voided = aPaymentIn("voidRequested");
    expect(bookedBy(voided, reported(voided, { type: "voided", chargeId: "charge-1" }))).toEqual([]);
  });

  it("the captured amount, if it is less than requested", () => {
    const payment = aPaymentIn("captureRequested");
    const captured = reported(payment, { type: "captured", chargeId: "charge-1", amount: 12_000, currency: "SEK" });
    expect(bookedBy(payment, captured)).toEqual(["capture credit 12000 SEK charge-1"]);
  });

  it("the amount of a refund that a terminal gave back", () => {
    const payment = aPaymentIn("captured", { refunds: [{ ...aRefund, status: "pending" }] });
    const refunded = reported(payment, { type: "refunded", refundId: "refund-1", amount: 1_900, currency: "SEK" });
    expect(bookedBy(payment, refunded)).toEqual(["refund debit 1900 SEK charge-1 refund-1"]);
  });

  it("a charge that is not wanted when it is taken, and when it is given back", () => {
    const declined = aPaymentIn("declined", { captureMode: "automatic" });
    const taken = reported(declined, { type: "authorized", ...approval });
    expect(bookedBy(declined, taken)).toEqual(["capture credit 12550 SEK charge-1"]);
    const back = reported(taken.payment, { type: "voided", chargeId: "charge-1" });
    expect(bookedBy(taken.payment, back)).toEqual(["reversal debit 12550 SEK charge-1"]);
  });

  it("no unwanted authorization, but a capture of one", () => {
    const declined = aPaymentIn("declined", { captureMode: "manual" });
    expect(bookedBy(declined, reported(declined, { type: "authorized", ...approval }))).toEqual([]);
    expect(bookedBy(declined, reported(declined, { type: "captured", ...approval }))).toEqual([
      "capture credit 12550 SEK charge-1",
    ]);
  });

  it("a capture of a charge that was to be given back, and raises an alert; at most the charge's amount", () => {
    const charge = aCharge("reversing", { chargeId: "c2", amount: 500 });
    const payment = aPaymentIn("voidRequested", { charges: [charge] });
    const said = { type: "captured", chargeId: "c2", currency: "SEK" } as const;
    const captured = reported(payment, { ...said, amount: 400 });
    expect(bookedBy(payment, captured)).toEqual(["capture credit 400 SEK c2"]);
    expect(captured.entry.alerts).toEqual([{ kind: "contradictingReport", about: "c2" }]);
    const back = reported(captured.payment, { type: "voided", chargeId: "c2" });
    expect(bookedBy(captured.payment, back)).toEqual(["reversal debit 400 SEK c2"]);
    expect(bookedBy(payment, reported(payment, { ...said, amount: 501 }))).toEqual([]);
  });

  it("every movement that an operator records as a correction, in its direction", () => {
    const refunds = [{ ...aRefund, status: "succeeded" } as const];
    const payment = aPaymentIn("captured", { refunds });
    const failed = changeBy(payment, { of: "refund", refundId: "refund-1", outcome: "failed" });
    expect(bookedBy(payment, failed)).toEqual(["correction credit 2000 SEK charge-1 refund-1"]);
    const back = changeBy(payment, { of: "charge", chargeId: "charge-1", outcome: "reversed" });
    expect(bookedBy(payment, back)).toEqual(["correction debit 12550 SEK charge-1"]);
  });

  it("nothing for a payment that an operator declares unpaid until its terminal has given the charge back", () => {
    const payment = aPaymentIn("captured");
    const unpaid = changeBy(payment, { of: "payment", outcome: "unpaid" });
    expect(bookedBy(payment, unpaid)).toEqual([]);
    const back = reported(unpaid.payment, { type: "voided", chargeId: "charge-1" });
    expect(bookedBy(unpaid.payment, back)).toEqual(["reversal debit 12550 SEK charge-1"]);
  });

  it("nothing if a charge that was being given back is kept, and all of a charge that was only held", () => {
    const kept = { of: "charge", chargeId: "charge-1", outcome: "kept" } as const;
    const taken = aPaymentIn("declined", { charges: [aCharge("reversing", { captured: 12_550 })] });
    expect(bookedBy(taken, changeBy(taken, kept))).toEqual([]);
    const held = aPaymentIn("declined", { charges: [aCharge("reversing")] });
    expect(bookedBy(held, changeBy(held, kept))).toEqual(["correction credit 12550 SEK charge-1"]);
  });

  it("a correction that names no charge, and replaces it by the capture once that is reported", () => {
    const payment = aPaymentIn("reconciling", { captureMode: "automatic" });
    const paid = changeBy(payment, { of: "payment", outcome: "paid", amount: 125.5 });
    expect(bookedBy(payment, paid)).toEqual(["correction credit 12550 SEK -"]);
    const found = reported(paid.payment, { type: "authorized", ...approval });
    expect(bookedBy(paid.payment, found)).toEqual([
      "capture credit 12550 SEK charge-1",
      "correction debit 12550 SEK -",
    ]);
  });

  it("a charge in doubt once the doubt has ended, as the terminal's own on the day of its report", () => {
    const payment = aPaymentIn("reconciling", { captureMode: "automatic" });
    const { payment: paid } = changeBy(payment, { of: "payment", outcome: "paid" });
    const charge = { ...approval, amount: 13_000, businessDay: "2026-11-20" };
    const { payment: doubted } = reported(paid, { type: "authorized", ...charge });
    const dayOf = (before: Payment, change: Change) =>
      bookingsOf(before, change).map(({ kind, direction, amount, businessDay }) =>
        [kind, direction, amount, businessDay].join(" "),
      );
    const capture = "capture credit 13000 2026-11-20";
    const decided = (outcome: Outcome) => dayOf(doubted, changeBy(doubted, outcome));
    const named = { chargeId: "charge-1" };
    expect(decided({ of: "payment", outcome: "paid", ...named })).toEqual([
      capture,
      "correction debit 12550 2026-11-21",
    ]);
    expect(decided({ of: "charge", outcome: "kept", ...named })).toEqual([capture]);
    expect(decided({ of: "charge", outcome: "reversed", ...named })).toEqual([
      capture,
      "correction debit 13000 2026-11-21",
    ]);
    expect(dayOf(doubted, reported(doubted, { type: "voided", ...named }))).toEqual([
      capture,
      "reversal debit 13000 2026-11-21",
    ]);
    const unpaid = changeBy(doubted, { of: "payment", outcome: "unpaid" });
    expect(dayOf(doubted, unpaid)).toEqual([capture, "correction debit 12550 2026-11-21"]);
    expect(dayOf(unpaid.payment, reported(unpaid.payment, { type: "voided", ...named }))).toEqual([
      "reversal debit 13000 2026-11-21",
    ]);
  });

  it("a charge in doubt on the day of its later capture, which needs no correction", () => {
    const { payment: paid } = changeBy(aPaymentIn("reconciling"), { of: "payment", outcome: "paid" });
    const { payment: late } = reported(paid, { type: "authorized", ...approval, amount: 10_000 });
    const capture = { type: "captured", ...approval, amount: 10_000 } as const;
    const { payment: doubted } = reported(late, { ...capture, businessDay: "2026-11-20" });
    const decided = changeBy(doubted, { of: "payment", outcome: "paid", chargeId: "charge-1" });
    expect(bookedBy(doubted, decided)).toEqual(["capture credit 10000 SEK charge-1", "correction debit 12550 SEK -"]);
    expect(bookingsOf(doubted, decided)[0]).toMatchObject({ businessDay: "2026-11-20" });
    expect(alertsOf(reported(doubted, capture))).toEqual([]);
    expect(alertsOf(reported(doubted, { ...capture, amount: 9_000 }))).toEqual(["amountDiffers charge-1"]);
  });

  it("the void of a charge that an operator recorded as captured by reversing the correction", () => {
    const payment = aPaymentIn("captureRequested");
    const { payment: paid } = changeBy(payment, { of: "payment", outcome: "paid" });
    const { payment: unpaid } = changeBy(paid, { of: "payment", outcome: "unpaid" });
    expect(bookedBy(unpaid, reported(unpaid, { type: "voided", chargeId: "charge-1" }))).toEqual([
      "correction debit 12550 SEK charge-1",
    ]);
  });

  it("a confirmed authorization as a correction until the terminal reports its capture", () => {
    const payment = aPaymentIn("reconciling", { captureMode: "manual" });
    const { payment: paid } = changeBy(payment, { of: "payment", outcome: "paid" });
    const confirmed = reported(paid, { type: "authorized", ...approval });
    expect(bookedBy(paid, confirmed)).toEqual(["correction credit 12550 SEK charge-1", "correction debit 12550 SEK -"]);
    const captured = reported(confirmed.payment, { type: "captured", ...approval });
    expect(bookedBy(confirmed.payment, captured)).toEqual([
      "correction debit 12550 SEK charge-1",
      "capture credit 12550 SEK charge-1",
    ]);
  });

  it("under the day that the terminal named, with the names that its partner knows", () => {
    const payment = aPaymentIn("inProgress", {
      captureMode: "automatic",
      references: { orderId: "order-1", paymentId: "p-1" },
    });
    const change = reported(payment, { type: "authorized", businessDay: "2026-11-20", ...approval });
    expect(bookingsOf(payment, change)).toMatchObject([
      {
        businessDay: "2026-11-20",
        sequence: change.payment.sequence,
        number: 1,
        orderId: "order-1",
        paymentId: "p-1",
        asReceived: payment.asReceived,
        at: now,
      },
    ]);
  });
});

/** The merchant's money by the payment's own amounts, including charges that are being given back. Minor units of the currency. */
function byItsRecord(payment: Payment, currency: string): number {
  const own = currency === payment.currency ? payment.amounts.captured - refundedAmount(payment) : 0;
  return payment.charges.reduce(
    (sum, { status, captured = 0, ...charge }) =>
      charge.currency === currency && (status === "reversing" || status === "reversalFailed") ? sum + captured : sum,
    own,
  );
}

/** The tip in that money: of charges and refunds as they are now. */
function tipByItsRecord(payment: Payment): number {
  const refunded = payment.refunds.reduce((sum, { status, tip = 0 }) => sum + (status === "succeeded" ? tip : 0), 0);
  return payment.charges.reduce(
    (sum, { status, amount, tip = 0, captured = 0 }) =>
      status === "reversing" || status === "reversalFailed"
        ? sum + Math.min(tip, Math.max(0, captured - (amount - tip)))
        : sum,
    allTip(payment) - refunded,
  );
}

it("the bookings of a payment add up to the merchant's money and tips in its record, after each change", () => {
  let booked = 0;
  let tipped = 0;
  const met = new Set<string>();
  fc.assert(
    fc.property(start, happenings, (first, list) => {
      const opening = { SEK: byItsRecord(first, "SEK"), EUR: 0 };
      const all: Booking[] = [];
      let payment = first;
      for (const [i, happen] of list.entries()) {
        const change = happen(payment, { now: after(now, i), commandId: `c${i + 2}`, timings });
        if (!change) continue;
        const bookings = bookingsOf(payment, change);
        expect(bookings.every(({ amount }) => Number.isInteger(amount) && amount > 0)).toBe(true);
        expect(bookings.every(({ amount, tip = 1 }) => Number.isInteger(tip) && tip > 0 && tip <= amount)).toBe(true);
        expect(new Set(bookings.map(({ number }) => number)).size).toBe(bookings.length);
        for (const { kind, direction } of bookings) met.add(`${kind} ${direction}`);
        all.push(...bookings);
        payment = change.payment;
        for (const currency of ["SEK", "EUR"] as const)
          expect(opening[currency] + balanceOf(all.filter((b) => b.currency === currency))).toBe(
            byItsRecord(payment, currency),
          );
        expect(balanceOf(all.map((b) => ({ ...b, amount: b.tip ?? 0 })))).toBe(tipByItsRecord(payment));
        if (bookings.some(({ tip }) => tip !== undefined)) tipped++;
      }
      booked += all.length;
      expect(totalsOf(all).reduce((sum, { count }) => sum + count, 0)).toBe(all.length);
    }),
    { numRuns: 2_000, seed: 1 }, // a fixed seed, because every kind must occur
  );
  expect(booked).toBeGreaterThan(200);
  expect(tipped).toBeGreaterThan(20);
  const possible = bookingKinds.flatMap((kind) => bookingDirections.map((direction) => `${kind} ${direction}`));
  const impossible = ["capture debit", "refund credit", "reversal credit"];
  expect([...met].toSorted()).toEqual(possible.filter((one) => !impossible.includes(one)).toSorted());
});

describe("the business day of a change", () => {
  it.each([
    [undefined, "2026-11-21"],
    ["2026-11-21", "2026-11-21"],
    ["2026-11-22", "2026-11-22"],
    ["2026-11-11", "2026-11-11"],
    ["2026-11-23", "2026-11-21"],
    ["2026-11-10", "2026-11-21"],
    ["1970-01-01", "2026-11-21"],
  ])("that its terminal calls %s is %s, if the payment is nine days old", (named, day) => {
    expect(businessDayOf(named, now, { createdAt: "2026-11-12T09:00:00.000Z" })).toBe(day);
  });
});
