import { describe, expect, it } from "vitest";
import { emptyDraft, wordOf } from "../../../live/page/views/payments/word.ts";
import { amountOf, standingOf, wordsOf } from "../../../live/page/words.ts";
import { outcomesOf } from "../../../live/outcomes.ts";
import { paymentView } from "../../../live/payments.ts";
import { resolution } from "../../../live/request-bodies.ts";
import { reasonText } from "../../../../../infra/operator/common/reasons.ts";
import {
  holdsTerminal,
  isFinal,
  paymentStates,
  statusReasons,
  type Payment,
  type Refund,
} from "../../../../../shared/domain/payment/record/payment.ts";
import { aCharge, aPaymentIn } from "../../../../../test/support/a-payment.ts";

/** A captured payment of 125.50 SEK, with this captured amount. */
function captured(amount: number, more: Partial<Payment> = {}): Payment {
  const payment = aPaymentIn("captured");
  return { ...payment, amounts: { ...payment.amounts, captured: amount }, ...more };
}

const aRefund: Refund = {
  refundId: "refund-1",
  idAsReceived: "refund-1",
  names: [],
  amount: 2_000,
  reason: "a return",
  status: "succeeded",
  commandId: "c1",
  sequence: 5,
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};
const second = aCharge("reversing", { chargeId: "charge-2", amount: 12_519 });

describe("the page's words", () => {
  it.each(paymentStates)("explain %s, whether it is final, and what frees the terminal if it holds it", (state) => {
    expect(wordsOf(state).means).not.toBe("");
    expect(wordsOf(state).isFinal).toBe(isFinal(state));
    expect(wordsOf(state).frees !== undefined).toBe(holdsTerminal(state));
  });

  it.each(statusReasons)("have a sentence for %s", (reason) => {
    expect(reasonText(reason)).toMatch(/^[A-Z].* .*\.$/);
  });

  it("show unknown values unchanged", () => {
    expect(wordsOf("constructor").label).toBe("constructor");
  });

  it.each([
    ["a part", captured(5_000), { label: "captured", tone: "good", amount: 5_000 }, "has 50.00 SEK"],
    [
      "nothing any more",
      captured(0, { charges: [aCharge("reversed")] }),
      { label: "returned", tone: "plain", amount: 0 },
      "The money is returned. The merchant has no money from this payment.",
    ],
    [
      "nothing of a failed one",
      aPaymentIn("failed"),
      { label: "failed", tone: "bad", amount: 12_550 },
      "has no money from this payment",
    ],
    [
      "all of it, beside a second charge",
      captured(12_550, { charges: [aCharge("captured"), second] }),
      { label: "captured", tone: "good", amount: 12_550 },
      "charge of 125.19 SEK is being reversed",
    ],
    [
      "a declined one's charge until that is given back",
      aPaymentIn("declined", { charges: [second] }),
      { label: "declined", tone: "bad", amount: 12_550 },
      "charge of 125.19 SEK is being reversed",
    ],
    [
      "what an operator recorded, which a charge contradicts",
      captured(12_550, { charges: [aCharge("inDoubt")] }),
      { label: "captured", tone: "warn", amount: 12_550 },
      "is not decided",
    ],
    [
      "what the terminal contradicts",
      captured(12_550, { charges: [aCharge("captured", { contradicted: true })] }),
      { label: "captured", tone: "warn", amount: 12_550 },
      "is captured, but the terminal reported a void",
    ],
    [
      "nothing of a cancelled one, whose void failed",
      aPaymentIn("voidRequested", { statusReason: "voidFailed", charges: [aCharge("reversalFailed")] }),
      { label: "void failed", tone: "bad", amount: 12_550 },
      "The terminal did not release the money. An operator is called.",
    ],
    [
      "what nobody knows",
      aPaymentIn("reconciling"),
      { label: "reconciling", tone: "warn", amount: 12_550 },
      "It is not known",
    ],
  ])("say that the merchant has %s", (_, payment, shown, sentence) => {
    const view = paymentView(payment, []);
    const { label, tone, means } = standingOf(view);
    expect({ label, tone, amount: amountOf(view) }).toEqual(shown);
    expect(means).toContain(sentence);
    expect(means.replace(sentence, "")).not.toMatch(/nothing|no money/i);
  });
});

describe("an operator's decision on the page", () => {
  const paid = { said: { of: "payment", outcome: "paid" }, text: "The payment is paid." };
  const draft = { ...emptyDraft, by: " ada ", why: "the acquirer's list" };

  it("has the selected and typed values, and no empty ones", () => {
    const said = { of: "payment", outcome: "paid", by: "ada", why: "the acquirer's list" } as const;
    const body = (more: object) =>
      resolution.parse(JSON.parse(JSON.stringify(wordOf({ ...draft, chosen: paid, ...more }, "SEK"))));
    expect(body({})).toEqual(said);
    expect(body({ amount: "50,5", tip: "5", note: "sorry", businessDay: "2026-11-21" })).toEqual({
      ...said,
      amount: 50.5,
      tip: 5,
      note: "sorry",
      businessDay: "2026-11-21",
    });
    const made = { said: { of: "refund", refundId: "r", outcome: "succeeded" }, text: "It was made.", amount: 20.5 };
    for (const [amount, sent] of [
      ["", 20.5],
      ["20", 20],
    ] as const)
      expect(body({ chosen: made, amount })).toMatchObject({ ...made.said, amount: sent });
    const kept = { said: { of: "charge", chargeId: "charge-2", outcome: "kept" }, text: "The merchant keeps it." };
    expect(body({ chosen: kept, amount: "50", tip: "5" })).toEqual({
      ...kept.said,
      by: "ada",
      why: "the acquirer's list",
    });
  });

  it("has the amount and reference of money returned outside, and no business day", () => {
    const outside = { said: { of: "outside", outcome: "refunded", chargeId: "charge-2" }, text: "It was returned." };
    const typed = { ...draft, chosen: outside, amount: "25,5", reference: " ARN 1 ", businessDay: "2026-11-21" };
    const said = { ...outside.said, amount: 25.5, reference: "ARN 1", by: "ada", why: "the acquirer's list" };
    expect(resolution.parse(JSON.parse(JSON.stringify(wordOf(typed, "SEK"))))).toEqual(said);
    for (const missing of [{ amount: "" }, { reference: " " }])
      expect(resolution.safeParse(wordOf({ ...typed, ...missing }, "SEK")).success).toBe(false);
  });

  it("is possible without an alert only about money returned outside", () => {
    const outside = { ...aRefund, statusReason: "settledByOperator", outsideReference: "ARN 1" } as const;
    const refunds = [aRefund, { ...outside, refundId: "refund-2", commandId: "c2" }];
    const charges = [aCharge("captured"), aCharge("kept", { chargeId: "charge-2" })];
    const free = outcomesOf(captured(25_100, { charges, refunds })).filter(({ isFree }) => isFree);
    expect(free.map(({ text }) => text)).toEqual([
      "The refund of 20.00 SEK (refund-2) was not made.",
      "Money of the payment was returned outside the platform.",
      "Money of the charge of 125.50 SEK (charge-2) was returned outside the platform.",
    ]);
    expect(outcomesOf(captured(2_000, { refunds: [aRefund] })).some(({ isFree }) => isFree)).toBe(false);
  });

  it("needs an outcome, and a valid amount", () => {
    expect(() => wordOf(draft, "SEK")).toThrow("Choose what the acquirer's records say.");
    expect(() => wordOf({ ...draft, chosen: paid, amount: "1.005" }, "SEK")).toThrow(
      "“1.005” is not an amount in SEK.",
    );
  });

  it.each(["by", "why"])("needs %s, on the server, too", (name) => {
    const body = { ...paid.said, by: "ada", why: "found" };
    expect(resolution.safeParse(body).success).toBe(true);
    expect(resolution.safeParse({ ...body, [name]: "  " }).success).toBe(false);
    expect(resolution.safeParse({ ...body, [name]: undefined }).success).toBe(false);
  });
});
