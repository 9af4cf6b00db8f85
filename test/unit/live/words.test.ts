import { describe, expect, it } from "vitest";
import { emptyDraft, wordOf } from "../../../infra/pages/live/page/views/payments/word.ts";
import { amountOf, standingOf, wordsOf } from "../../../infra/pages/live/page/words.ts";
import { paymentView } from "../../../infra/pages/live/payments.ts";
import { resolution } from "../../../infra/pages/live/request-bodies.ts";
import { reasonText } from "../../../infra/operator/common/reasons.ts";
import {
  holdsTerminal,
  isFinal,
  paymentStates,
  statusReasons,
  type Payment,
} from "../../../shared/domain/payment/record/payment.ts";
import { aCharge, aPaymentIn } from "../../support/a-payment.ts";

/** A captured payment of 125.50 SEK, with this captured amount. */
function captured(amount: number, more: Partial<Payment> = {}): Payment {
  const payment = aPaymentIn("captured");
  return { ...payment, amounts: { ...payment.amounts, captured: amount }, ...more };
}

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
    expect(body({ amount: "50,5", note: "sorry", businessDay: "2026-11-21" })).toEqual({
      ...said,
      amount: 50.5,
      note: "sorry",
      businessDay: "2026-11-21",
    });
    const kept = { said: { of: "charge", chargeId: "charge-2", outcome: "kept" }, text: "The merchant keeps it." };
    expect(body({ chosen: kept, amount: "50" })).toEqual({ ...kept.said, by: "ada", why: "the acquirer's list" });
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
