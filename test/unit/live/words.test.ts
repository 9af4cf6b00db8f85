import { describe, expect, it } from "vitest";
import { amountOf, standingOf, wordsOf } from "../../../infra/local/live/page/words.ts";
import { paymentView } from "../../../infra/local/live/payments.ts";
import { reasonText } from "../../../infra/operator/reasons.ts";
import { isFinal, paymentStates, statusReasons, type Payment } from "../../../shared/domain/payment/payment.ts";
import { aCharge, aPaymentIn } from "../../support/a-payment.ts";

/** A captured payment of 125.50 SEK, of which this amount was captured. */
function captured(amount: number, more: Partial<Payment> = {}): Payment {
  const payment = aPaymentIn("captured");
  return { ...payment, amounts: { ...payment.amounts, captured: amount }, ...more };
}

const second = aCharge("reversing", { chargeId: "charge-2", amount: 12_519 });

describe("the page's words", () => {
  it.each(paymentStates)("say what %s means, and whether it is the end", (state) => {
    expect(wordsOf(state).means).not.toBe("");
    expect(wordsOf(state).isFinal).toBe(isFinal(state));
  });

  it.each(statusReasons)("have a sentence for %s", (reason) => {
    expect(reasonText(reason)).toMatch(/^[A-Z].* .*\.$/);
  });

  it("show what they do not know as it is", () => {
    expect(wordsOf("constructor").label).toBe("constructor");
  });

  it.each([
    ["a part", captured(5_000), { label: "captured", tone: "good", amount: 5_000 }, "has 50.00 SEK"],
    [
      "nothing any more",
      captured(0, { charges: [aCharge("reversed")] }),
      { label: "given back", tone: "plain", amount: 0 },
      "What was paid is given back. The merchant has no money of it.",
    ],
    [
      "nothing of a failed one",
      aPaymentIn("failed"),
      { label: "failed", tone: "bad", amount: 12_550 },
      "has no money of it",
    ],
    [
      "all of it, beside a second charge",
      captured(12_550, { charges: [aCharge("captured"), second] }),
      { label: "captured", tone: "good", amount: 12_550 },
      "charge of 125.19 SEK is being given back",
    ],
    [
      "a declined one's charge until that is given back",
      aPaymentIn("declined", { charges: [second] }),
      { label: "declined", tone: "bad", amount: 12_550 },
      "charge of 125.19 SEK is being given back",
    ],
    [
      "what an operator recorded, which a charge contradicts",
      captured(12_550, { charges: [aCharge("inDoubt")] }),
      { label: "captured", tone: "warn", amount: 12_550 },
      "is not decided",
    ],
    [
      "what nobody knows",
      aPaymentIn("reconciling"),
      { label: "reconciling", tone: "warn", amount: 12_550 },
      "Nobody knows",
    ],
  ])("say that the merchant has %s", (_, payment, shown, sentence) => {
    const view = paymentView(payment, []);
    const { label, tone, means } = standingOf(view);
    expect({ label, tone, amount: amountOf(view) }).toEqual(shown);
    expect(means).toContain(sentence);
    expect(means.replace(sentence, "")).not.toMatch(/nothing|no money/i);
  });
});
