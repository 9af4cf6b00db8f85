import { describe, expect, it } from "vitest";
import { standingOf } from "../../../infra/operator/common/alert-standing.ts";
import { closeAlert, raiseAlert, reopenAlert, type Alert } from "../../../shared/domain/alert.ts";
import type { ChargeState } from "../../../shared/domain/payment/record/charge.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { Said } from "../../../shared/domain/payment/record/said.ts";
import type { Outcome } from "../../../shared/domain/payment/operator/resolution.ts";
import { paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import { aCharge, aPaymentIn, now, timings } from "../../support/a-payment.ts";

const eve = { by: "eve", why: "closed in error" };
const later = "2026-11-21T11:00:00.000Z";
/** The same times, as a standing shows them. */
const [shownNow, shownLater] = ["2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z"];

function anAlert(payment: Payment, kind: Alert["kind"], about?: string): Alert {
  const raised = raiseAlert({ subject: paymentSubjectOf(payment), kind, about }, undefined, {
    by: { sequence: 4 },
    at: now,
  });
  if (!raised) throw new Error("the alert was counted before");
  return raised;
}

function standing(payment: Payment, kind: Alert["kind"], about?: string, ...said: readonly Said[]) {
  const reports = said.map((one) => ({ said: { currency: "SEK", ...one } }));
  const { fits, ...rest } = standingOf(anAlert(payment, kind, about), { now: later, timings, payment, reports });
  return { ...rest, fits: fits.map(wordsOf) };
}

const wordsOf = (outcome: Outcome): string => {
  const isByCharge = outcome.of === "payment" && outcome.chargeId !== undefined;
  const amount = "amount" in outcome && outcome.amount !== undefined ? ` ${outcome.amount}` : "";
  const tip = "tip" in outcome && outcome.tip !== undefined ? ` with a tip of ${outcome.tip}` : "";
  return `${isByCharge ? `${outcome.outcome} by charge` : `${outcome.of} ${outcome.outcome}`}${amount}${tip}`;
};

/** A captured payment with a second charge of 80.00 SEK in a state. */
const withSecond = (status: ChargeState, more = {}): Payment =>
  aPaymentIn("captured", {
    charges: [aCharge("captured"), aCharge(status, { chargeId: "CHARGE-2", amount: 8_000, ...more })],
  });

it("an alert that an operator opened again is over only after a later change, and offers its outcomes until then", () => {
  const closed = closeAlert(anAlert(withSecond("reversed"), "unwantedApproval", "charge-2"), { ...eve, at: now });
  const alert = closed && reopenAlert(closed, { ...eve, at: later });
  if (!alert) throw new Error("the alert is not open");
  const at = (updatedAt: string) =>
    standingOf(alert, { now: later, timings, payment: withSecond("reversed", { updatedAt }) });
  expect(at(now)).toMatchObject({ isOver: false, fits: [{ outcome: "kept" }] });
  expect(at("2026-11-21T12:00:00.000Z")).toMatchObject({ isOver: true, fits: [] });
});

describe("an alert about a second card", () => {
  it("offers the possible outcomes of that charge, and nothing about the rightful payment", () => {
    expect(standing(withSecond("reversing"), "unwantedApproval", "charge-2")).toEqual({
      standing: `The charge of 80.00 SEK (CHARGE-2) is being reversed, since ${shownNow}.`,
      isOver: false,
      fits: ["charge reversed", "charge kept"],
    });
  });

  it("leaves nothing to do once the charge was reversed", () => {
    expect(standing(withSecond("reversed"), "unwantedApproval", "charge-2")).toEqual({
      standing: `Nothing is left to do: close the alert. The charge of 80.00 SEK (CHARGE-2) was reversed at ${shownNow}.`,
      isOver: true,
      fits: [],
    });
  });

  it.each([
    ["voided", "was voided at"],
    ["reversalFailed", "could not be reversed by the terminal at"],
    ["kept", "is kept by the merchant, since"],
    ["inDoubt", "is in doubt, since"],
  ] as const)("says when its charge ended, or since when it is as it is: %s", (status, words) => {
    const { standing: text } = standing(withSecond(status), "unwantedApproval", "charge-2");
    expect(text).toContain(`The charge of 80.00 SEK (CHARGE-2) ${words} ${shownNow}.`);
  });

  it("names its card, and its whole identifier if another one begins alike", () => {
    const card = { brand: "visa", last4: "1881" };
    const named = (id: string) => aCharge("reversed", { chargeId: id, amount: 8_000, card });
    const payment = aPaymentIn("captured", { charges: [aCharge("captured"), named("charge-2a"), named("charge-2b")] });
    expect(standing(payment, "unwantedApproval", "charge-2b").standing).toContain(
      "The charge of 80.00 SEK on visa ···· 1881 (charge-2b) was reversed",
    );
  });

  it("does not offer a charge of another currency as the one that paid", () => {
    expect(standing(withSecond("inDoubt", { currency: "EUR" }), "amountDiffers", "charge-2").fits).toEqual([
      "charge reversed",
    ]);
  });

  it("does not offer another charge in another currency as kept", () => {
    expect(standing(withSecond("reversalFailed", { currency: "EUR" }), "reversalFailed", "charge-2").fits).toEqual([
      "charge reversed",
    ]);
  });
});

describe("an alert about a discount that no amount explains", () => {
  const offered = { discountId: "D1", amount: 2_000, voucherTokenId: "t1", reserved: true, commandId: "c2" };
  const times = { createdAt: now, updatedAt: now };
  const doubted = { ...offered, ...times, status: "requested", statusReason: "outcomeUnknown" } as const;
  const decided = { ...offered, createdAt: now, updatedAt: later, status: "applied" } as const;
  const amounts = { requested: 12_550, discounted: 0, authorized: 5_000, captured: 5_000 };

  it("shows that its voucher is held and how much was paid, and offers another amount, too", () => {
    const payment = aPaymentIn("captured", { discounts: [doubted], amounts, charges: [] });
    expect(standing(payment, "amountDiffers", "d1")).toEqual({
      standing:
        `The discount of 20.00 SEK (D1) is in doubt, since ${shownNow}, and its voucher t1 is held. ` +
        "The merchant has 50.00 SEK from this payment; the amount to pay was 125.50 SEK.",
      isOver: false,
      fits: ["discount applied", "discount refused", "payment paid"],
    });
  });

  it("shows that its voucher is redeemed once it is decided", () => {
    const payment = aPaymentIn("captured", {
      discounts: [decided],
      amounts: { ...amounts, discounted: 2_000 },
      charges: [],
    });
    expect(standing(payment, "amountDiffers", "d1")).toMatchObject({
      standing: expect.stringContaining(
        `counts as applied, since ${shownLater}, and its voucher t1 is redeemed.`,
      ) as string,
      isOver: true,
      fits: [],
    });
  });
});

describe("an alert about an amount", () => {
  it("offers the payment as paid by the charge that contradicts an operator", () => {
    const payment = aPaymentIn("captured", { charges: [aCharge("inDoubt", { amount: 8_000 })] });
    expect(standing(payment, "amountDiffers", "charge-1")).toMatchObject({
      isOver: false,
      fits: ["paid by charge", "charge reversed", "charge kept"],
    });
  });

  it("is not over until an operator has recorded something about the charge", () => {
    expect(standing(aPaymentIn("captured"), "amountDiffers", "charge-1")).toMatchObject({
      isOver: false,
      fits: ["paid by charge", "charge reversed"],
    });
    const recorded = aPaymentIn("captured", { charges: [aCharge("captured", { updatedAt: later })] });
    expect(standing(recorded, "amountDiffers", "charge-1").isOver).toBe(true);
  });

  it.each([
    ["above the request", {}, 13_000, ["paid by charge 130"]],
    ["below the request", { captureAmount: 12_550 }, 5_000, ["paid by charge 125.5"]],
  ])("of a capture %s offers the amount that the books do not have", (_, more, amount, fits) => {
    const amounts = { ...aPaymentIn("captured").amounts, captured: Math.min(amount, 12_550) };
    const report = { type: "captured", chargeId: "charge-1", amount } as const;
    expect(standing(aPaymentIn("captured", { amounts, ...more }), "amountDiffers", "charge-1", report).fits).toEqual(
      fits,
    );
  });

  it.each([
    ["as it was approved", 13_550, ["paid by charge", "charge reversed"]],
    ["with more that may be tip", 14_550, ["paid by charge 145.5 with a tip of 20"]],
    ["with more than any tip", 25_000, ["paid by charge 250 with a tip of 0"]],
    ["without its tip", 12_550, ["paid by charge 125.5"]],
  ])("of a capture with a tip of 10.00 SEK, captured %s, offers each other amount with its tip", (_, amount, fits) => {
    const tip = { percents: [10], amounts: [], custom: true, maximumPercent: 30, asked: true };
    const amounts = { requested: 12_550, discounted: 0, authorized: 13_550, captured: 13_550 };
    const charges = [aCharge("captured", { amount: 13_550, tip: 1_000 })];
    const payment = aPaymentIn("captured", { tip, amounts, charges });
    expect(
      standing(payment, "amountDiffers", "charge-1", { type: "captured", chargeId: "charge-1", amount }).fits,
    ).toEqual(fits);
  });

  it.each([
    ["above the request", {}, 2_100, ["refund succeeded 21"]],
    ["below the request", { made: 1_900 }, 1_900, ["refund succeeded 20"]],
    ["above the request, and then another one", { made: 2_100 }, 1_900, ["refund succeeded 20", "refund succeeded 19"]],
    ["in another currency", { status: "pending" }, 0, ["refund succeeded", "refund failed"]],
  ] as const)("of a refund %s offers what the books do not have", (_, more, amount, fits) => {
    const refund = { refundId: "r", idAsReceived: "r", names: [], amount: 2_000, reason: "a return", commandId: "c4" };
    const made = { ...refund, status: "succeeded", sequence: 6, createdAt: now, updatedAt: now, ...more } as const;
    const report = { type: "refunded", refundId: "r", amount } as const;
    expect(standing(aPaymentIn("captured", { refunds: [made] }), "amountDiffers", "r", report).fits).toEqual(fits);
  });

  it("shows which part of the charge is captured in the books", () => {
    const amounts = { ...aPaymentIn("captured").amounts, captured: 5_000 };
    expect(standing(aPaymentIn("captured", { amounts }), "amountDiffers", "charge-1").standing).toBe(
      `The payment's own charge of 125.50 SEK (charge-1) is captured with 50.00 SEK, since ${shownNow}.`,
    );
  });
});

it("an alert about a report that contradicts a captured charge offers the payment as unpaid, too", () => {
  expect(standing(aPaymentIn("captured"), "contradictingReport", "charge-1").fits).toEqual([
    "paid by charge",
    "payment unpaid",
    "charge reversed",
  ]);
});

describe("an alert about a charge that the terminal contradicts", () => {
  const only = (status: "authorized" | "captured", more = {}) =>
    aPaymentIn(status, { charges: [aCharge(status, { updatedAt: later, ...more })] });
  const contradicted = true;

  it.each([
    [
      "a captured charge",
      only("captured", { contradicted }),
      "captured, but the terminal reported a void",
      ["paid by charge", "payment unpaid", "charge reversed"],
    ],
    [
      "an authorized charge",
      only("authorized", { contradicted }),
      "authorized, but the terminal reported a void, or a capture in another currency",
      ["paid by charge", "payment unpaid"],
    ],
    [
      "a capture that nobody requested",
      only("authorized", { captured: 10_000, capturedOn: "2026-11-21" }),
      "authorized, but the terminal reported a capture of 100.00 SEK",
      ["paid by charge", "payment unpaid"],
    ],
  ])("is open, and offers what fits: %s", (_, payment, words, fits) => {
    expect(standing(payment, "contradictingReport", "charge-1")).toEqual({
      standing: `The payment's own charge of 125.50 SEK (charge-1) is ${words}.`,
      isOver: false,
      fits,
    });
  });

  it("is open for a kept charge, whatever raised it", () => {
    for (const kind of ["contradictingReport", "unwantedApproval"] as const)
      expect(standing(withSecond("kept", { contradicted, updatedAt: later }), kind, "charge-2")).toEqual({
        standing: "The charge of 80.00 SEK (CHARGE-2) is kept by the merchant, but the terminal reported a void.",
        isOver: false,
        fits: ["charge reversed", "charge kept"],
      });
  });

  it("offers no outcome of the charge while a refund of it is pending", () => {
    const refund = { refundId: "r", idAsReceived: "r", names: [], amount: 100, reason: "a return", commandId: "c4" };
    const pending = { ...refund, status: "pending", sequence: 6, createdAt: now, updatedAt: now } as const;
    const payment = { ...only("captured", { contradicted }), refunds: [pending] };
    expect(standing(payment, "contradictingReport", "charge-1")).toMatchObject({ isOver: false, fits: [] });
  });
});

describe("an alert about the payment's own charge that is not given back", () => {
  const reversal = { commandId: "c2", sequence: 4, since: now, failed: true };
  const own = (status: "reversing" | "reversalFailed") =>
    aPaymentIn("voidRequested", {
      charges: [aCharge(status, { voidReason: "cancelledByPartner", tries: 3, reversal })],
    });

  it.each([
    ["reversing", "is being reversed (failed tries: 4), since"],
    ["reversalFailed", "could not be reversed by the terminal at"],
  ] as const)("offers all outcomes but `kept`: %s", (status, words) => {
    expect(standing(own(status), "reversalFailed", "charge-1")).toEqual({
      standing: `The payment's own charge of 125.50 SEK (charge-1) ${words} ${shownNow}.`,
      isOver: false,
      fits: ["paid by charge", "payment unpaid", "charge reversed"],
    });
  });
});

describe("an alert about an unknown outcome", () => {
  it("offers the payment's outcomes while it reconciles, and says that they are unknown", () => {
    expect(standing(aPaymentIn("reconciling", { statusReason: "outcomeUnknown" }), "outcomeUnknown")).toEqual({
      standing: "The payment is reconciling. It is not known how much the merchant has from this payment.",
      isOver: false,
      fits: ["payment paid", "payment unpaid"],
    });
  });

  it("is over once the payment has ended", () => {
    expect(standing(aPaymentIn("declined"), "outcomeUnknown")).toMatchObject({ isOver: true, fits: [] });
  });

  it("offers the outcomes of the refund that it concerns", () => {
    const refund = {
      refundId: "refund-1",
      idAsReceived: "refund-1",
      names: [],
      amount: 2_000,
      reason: "a return",
      commandId: "c4",
      sequence: 6,
      createdAt: now,
      updatedAt: now,
    };
    const doubted = { ...refund, status: "pending", statusReason: "outcomeUnknown" } as const;
    const failed = aPaymentIn("captured", { refunds: [{ ...refund, status: "failed" }] });
    expect(standing(failed, "outcomeUnknown", "refund-1").standing).toContain(`(refund-1) failed at ${shownNow}.`);
    expect(standing(aPaymentIn("captured", { refunds: [doubted] }), "outcomeUnknown", "refund-1")).toEqual({
      standing: `The refund of 20.00 SEK (refund-1) is in doubt, since ${shownNow}.`,
      isOver: false,
      fits: ["refund succeeded", "refund failed"],
    });
  });
});

it("an alert about a charge that the books lack offers no outcome of a payment that has its own", () => {
  expect(standing(aPaymentIn("captured"), "contradictingReport", "charge-9")).toEqual({
    standing:
      "There is no charge-9 in the books. The payment is captured. The merchant has 125.50 SEK from this payment.",
    isOver: false,
    fits: [],
  });
});

describe("an alert about a terminal's day", () => {
  const day = {
    partnerId: "p",
    terminalId: "t",
    day: "2026-11-21",
    terminalAsReceived: "T",
    sequence: 3,
    isAlerted: true,
    createdAt: now,
    updatedAt: now,
    differences: [],
  };
  const subject = { kind: "terminal", partnerId: "p", terminalId: "t", day: "2026-11-21" } as const;
  const alert = { ...anAlert(aPaymentIn("captured"), "dayDiffers"), subject };

  it("is over once terminal and books are equal", () => {
    expect(standingOf(alert, { now, timings, terminalDay: { ...day, status: "closed" } })).toMatchObject({
      standing: expect.stringContaining("terminal and books are equal"),
      isOver: true,
    });
  });

  it("shows the present differences of the day", () => {
    const total = (amount: number) => ({ count: 1, amount });
    const more = { currency: "SEK", kind: "charge", more: "terminal", names: ["charge-9"] } as const;
    const differences = [{ ...more, terminal: total(2), booked: total(1) }];
    expect(standingOf(alert, { now, timings, terminalDay: { ...day, status: "differs", differences } })).toMatchObject({
      standing: expect.stringContaining("charge-9"),
      isOver: false,
    });
  });
});
