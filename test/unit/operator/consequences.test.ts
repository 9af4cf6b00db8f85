import { describe, expect, it } from "vitest";
import { consequences } from "../../../infra/operator/common/consequences.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { Outcome, Resolution } from "../../../shared/domain/payment/operator/resolution.ts";
import { decideResolution } from "../../../shared/domain/payment/operator/decide-resolution.ts";
import { aCharge, aPaymentIn, now, timings } from "../../support/a-payment.ts";

/** The terminal captured and refunded more than was requested. */
const reports = [
  { said: { type: "captured", chargeId: "charge-1", amount: 13_000, currency: "SEK" } },
  { said: { type: "refunded", refundId: "refund-1", amount: 12_600, currency: "SEK" } },
] as const;

/** The sentences that an operator sees before a decision takes effect. */
function shown(payment: Payment, said: Outcome, more: Partial<Resolution> = {}): readonly string[] {
  const resolution = { by: "ada", why: "the acquirer's list", ...more, ...said } as Resolution;
  const decided = decideResolution(payment, resolution, { now, commandId: "c9", timings, isAlerted: true, reports });
  if (!decided.ok) throw new Error(JSON.stringify(decided.error));
  return consequences(payment, decided.value);
}

const unpaid = { of: "payment", outcome: "unpaid" } as const;
const paid = (amount?: number, chargeId?: string) => ({ of: "payment", outcome: "paid", amount, chargeId }) as const;
const tip = { percents: [10], amounts: [], custom: true, maximumPercent: 30, asked: true };
const charge = (outcome: "reversed" | "kept", chargeId = "charge-2") => ({ of: "charge", chargeId, outcome }) as const;
const second = aCharge("reversing", {
  chargeId: "charge-2",
  amount: 8_000,
  reversal: { sequence: 3, since: now },
});
const voucher = {
  discountId: "discount-1",
  amount: 1_000,
  voucherTokenId: "token-1",
  reserved: true,
  status: "requested",
  commandId: "c3",
  createdAt: now,
  updatedAt: now,
} as const;
const refund = {
  refundId: "refund-1",
  idAsReceived: "refund-1",
  names: [],
  amount: 2_000,
  reason: "a return",
  status: "pending",
  commandId: "c4",
  sequence: 6,
  createdAt: now,
  updatedAt: now,
} as const;

describe("the consequences of a resolution", () => {
  it("say that money returned outside is booked, without a message, and name no refund that does not exist yet", () => {
    const outside = { of: "outside", outcome: "refunded", amount: 125.5, reference: "ARN 1" } as const;
    expect(shown(aPaymentIn("captured", { references: { orderId: "17" } }), outside)).toEqual([
      "The payment stays captured.",
      "The merchant then has 0.00 SEK from this payment. Now it has 125.50 SEK.",
      "A refund of 125.50 SEK counts as made, without a message to the terminal.",
      'The order "17" can be paid again.',
      "A correction of 125.50 SEK from the merchant is booked on 2026-11-21, and does not count in the comparison of any day.",
      "The partner gets refund.succeeded.",
    ]);
  });

  it("say by how much a recorded capture or refund exceeds the request, and the refunds what was captured", () => {
    const uncounted = "is booked on 2026-11-21, and does not count in the comparison of any day.";
    expect(shown(aPaymentIn("captured"), paid(130))).toEqual([
      "The payment stays captured.",
      "The merchant then has 130.00 SEK from this payment. Now it has 125.50 SEK.",
      "The capture of 130.00 SEK is 4.50 SEK more than was requested.",
      `A correction of 4.50 SEK to the merchant ${uncounted}`,
      "The partner gets payment.corrected.",
    ]);
    const refunds = [{ ...refund, status: "succeeded" } as const];
    const whole = { of: "refund", refundId: "refund-1", outcome: "succeeded", amount: 126 } as const;
    expect(shown(aPaymentIn("captured", { refunds }), whole)).toEqual([
      "The payment stays captured.",
      "The merchant then has -0.50 SEK from this payment. Now it has 105.50 SEK.",
      "The refund refund-1 was made with 126.00 SEK, 106.00 SEK more than was requested; the refunds exceed the captured amount by 0.50 SEK.",
      `A correction of 106.00 SEK from the merchant ${uncounted}`,
      "The partner gets payment.corrected, refund.succeeded of refund-1.",
    ]);
  });

  it("name the tip that is recorded, which is not more than was requested", () => {
    const uncounted = "is booked on 2026-11-21, and does not count in the comparison of any day.";
    const doubted = aPaymentIn("reconciling", { statusReason: "outcomeUnknown", tip });
    expect(shown(doubted, { ...paid(135.5), tip: 10 })).toEqual([
      "The payment request is removed from the terminal's inbox if it is still there.",
      "The payment goes from reconciling to captured.",
      "The merchant then has 135.50 SEK from this payment, 10.00 SEK of it tip. Now it is not known how much it has.",
      "The terminal is free for the next payment.",
      `A correction of 135.50 SEK, 10.00 SEK of it tip, to the merchant ${uncounted}`,
      "The partner gets payment.captured.",
    ]);
    expect(shown(doubted, { ...paid(150), tip: 10 })).toContain(
      "The capture of 150.00 SEK is 14.50 SEK more than was requested.",
    );
    const payment = aPaymentIn("captured");
    const amounts = { ...payment.amounts, authorized: 13_550, captured: 13_550 };
    const tipped = { ...payment, tip, amounts, charges: [aCharge("captured", { amount: 13_550, tip: 1_000 })] };
    expect(shown(tipped, { ...paid(135.5), tip: 5 })).toContain(
      "The merchant then has 135.50 SEK from this payment, 5.00 SEK of it tip. Now it has 135.50 SEK, 10.00 SEK of it tip.",
    );
  });

  it("name each void of `unpaid`, including the one that waits for its turn, and the merchant's loss", () => {
    const kept = aCharge("kept", { chargeId: "charge-2", amount: 8_000 });
    const payment = aPaymentIn("captured");
    const both = { amounts: { ...payment.amounts, captured: 20_550 }, charges: [aCharge("captured"), kept] };
    expect(shown({ ...payment, ...both }, unpaid)).toEqual([
      "A void of 125.50 SEK (charge charge-1) is sent to the terminal.",
      "A void of 80.00 SEK (charge charge-2) is sent to the terminal after that.",
      "The payment stays captured.",
      "The merchant then has 0.00 SEK from this payment. Now it has 205.50 SEK.",
      "The charge charge-1 of 125.50 SEK goes from captured to reversing.",
      "The charge charge-2 of 80.00 SEK goes from kept to reversing.",
      "The partner gets reversal.requested of charge-1, reversal.requested of charge-2, payment.corrected.",
    ]);
  });

  it("do not claim to know the merchant's money from a payment in doubt, and name day and note", () => {
    const words = shown(aPaymentIn("reconciling", { statusReason: "outcomeUnknown" }), paid(80), {
      businessDay: "2026-11-21",
      note: "found in the acquirer's list",
    });
    expect(words).toEqual([
      "The payment request is removed from the terminal's inbox if it is still there.",
      "The payment goes from reconciling to captured.",
      "The merchant then has 80.00 SEK from this payment. Now it is not known how much it has.",
      "The terminal is free for the next payment.",
      "A correction of 80.00 SEK to the merchant counts in the comparison of the day 2026-11-21.",
      "The partner gets payment.captured.",
      'The partner reads the note "found in the acquirer\'s list".',
    ]);
  });

  it("say that a contradicted charge is given back without a message, and that `paid` lets its money move again", () => {
    const payment = aPaymentIn("captured", { charges: [aCharge("captured", { contradicted: true })] });
    const earlier = "Now it is not known how much it has.";
    expect(shown(payment, unpaid)).toEqual([
      "The payment stays captured.",
      `The merchant then has 0.00 SEK from this payment. ${earlier}`,
      "The charge charge-1 of 125.50 SEK goes from captured to reversed, without a message to the terminal.",
      "A correction of 125.50 SEK from the merchant is booked on 2026-11-21, and does not count in the comparison of any day.",
      "The partner gets reversal.succeeded of charge-1, payment.corrected.",
    ]);
    expect(shown(payment, paid())).toEqual([
      "The payment stays captured.",
      `The merchant then has 125.50 SEK from this payment. ${earlier}`,
      "The charge charge-1 of 125.50 SEK stays captured, and its money can move again.",
      "The partner gets payment.corrected.",
    ]);
  });

  it.each([
    [
      "a capture that the terminal had reported",
      aPaymentIn("voided", { charges: [aCharge("inDoubt", { captured: 12_550, capturedOn: "2026-11-20" })] }),
      paid(),
      "The capture of 125.50 SEK that the terminal reported is booked on 2026-11-20.",
    ],
    [
      "a correction without a day",
      aPaymentIn("declined"),
      paid(125.5),
      `A correction of 125.50 SEK to the merchant is booked on ${now.slice(0, 10)}, and does not count in the comparison of any day.`,
    ],
    [
      "an alert that it raises",
      aPaymentIn("captured", { charges: [aCharge("captured"), { ...second, status: "inDoubt" }] }),
      paid(125.5, "charge-1"),
      "The alert unwantedApproval of charge-2 is raised (the payment is paid by another charge).",
    ],
    [
      "a charge that stays open",
      aPaymentIn("captured", { charges: [aCharge("captured"), second], refunds: [refund] }),
      { of: "refund", refundId: "refund-1", outcome: "succeeded" } as const,
      "The charge charge-2 of 80.00 SEK stays reversing.",
    ],
    [
      "a refund",
      aPaymentIn("captured", { refunds: [refund] }),
      { of: "refund", refundId: "refund-1", outcome: "succeeded" } as const,
      "The refund refund-1 of 20.00 SEK goes from pending to succeeded.",
    ],
    [
      "a message that the terminal must not carry out",
      aPaymentIn("captured", { charges: [aCharge("captured"), second] }),
      charge("kept"),
      "The void of 80.00 SEK (charge charge-2) is removed from the terminal's inbox if it is still there.",
    ],
    [
      "a refund that the terminal must not make",
      aPaymentIn("captured", { refunds: [refund] }),
      { of: "refund", refundId: "refund-1", outcome: "failed" } as const,
      "The refund of 20.00 SEK (refund refund-1) is removed from the terminal's inbox if it is still there.",
    ],
    [
      "a capture that the terminal must not make",
      aPaymentIn("captureRequested", { awaiting: { commandId: "c5", sequence: 5 }, statusReason: "outcomeUnknown" }),
      paid(125.5),
      "The capture is removed from the terminal's inbox if it is still there.",
    ],
    [
      "a cancel that is not needed any more",
      aPaymentIn("reconciling", { awaiting: { commandId: "c5", sequence: 5 } }),
      unpaid,
      "The cancel is removed from the terminal's inbox if it is still there.",
    ],
    [
      "a voucher that stays held",
      aPaymentIn("reconciling", { discounts: [voucher] }),
      paid(50),
      "The discount discount-1 of 10.00 SEK is in doubt until you decide it: the voucher token-1 stays held.",
    ],
    [
      "a voucher that is redeemed",
      aPaymentIn("reconciling", { discounts: [voucher] }),
      paid(115.5),
      "The discount discount-1 of 10.00 SEK counts as applied: the voucher token-1 is redeemed.",
    ],
    [
      "a voucher that is released",
      aPaymentIn("captured", { discounts: [{ ...voucher, statusReason: "outcomeUnknown" }] }),
      { of: "discount", discountId: "discount-1", outcome: "refused" } as const,
      "The discount discount-1 of 10.00 SEK counts as refused: the voucher token-1 is released.",
    ],
    [
      "no amount that is not known",
      aPaymentIn("reconciling"),
      unpaid,
      "The merchant then has 0.00 SEK from this payment. Now it is not known how much it has.",
    ],
    [
      "a day that gets nothing",
      aPaymentIn("captured"),
      unpaid,
      "Nothing is booked now, so nothing counts in the comparison of the day 2026-11-21.",
      { businessDay: "2026-11-21" },
    ],
    [
      "an order that can be paid again",
      aPaymentIn("reconciling", { references: { orderId: "order-1" } }),
      unpaid,
      'The order "order-1" can be paid again.',
    ],
  ])("name %s", (_, payment, said, sentence, more: Partial<Resolution> = {}) => {
    expect(shown(payment, said, more)).toContain(sentence);
  });

  it("do not mention the operator's name and reason", () => {
    expect(shown(aPaymentIn("reconciling"), unpaid).join(" ")).not.toMatch(/ada|acquirer/);
  });
});
