import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { Outcome } from "../../../shared/domain/payment/operator/resolution.ts";
import { chargeName, discountName, refundName } from "../../operator/common/money-names.ts";
import type { OutcomeView } from "./views/resolve.ts";

/** The outcomes that an operator might record about a payment's money. The domain decides which of them are possible now. */
export function outcomesOf(payment: Payment): readonly OutcomeView[] {
  const { charges, refunds, discounts } = payment;
  const outcomes: readonly Outcome[] = [
    { of: "payment", outcome: "paid" },
    ...charges.map(({ chargeId }) => ({ of: "payment", outcome: "paid", chargeId }) as const),
    { of: "payment", outcome: "unpaid" },
    ...charges
      .filter(({ status }) => status !== "authorized") // it is resolved with its payment
      .flatMap(({ chargeId }) => [
        { of: "charge", chargeId, outcome: "reversed" } as const,
        { of: "charge", chargeId, outcome: "kept" } as const,
      ]),
    ...refunds.flatMap(({ refundId }) => [
      { of: "refund", refundId, outcome: "succeeded" } as const,
      { of: "refund", refundId, outcome: "failed" } as const,
    ]),
    ...discounts
      .filter(({ statusReason }) => statusReason === "outcomeUnknown")
      .flatMap(({ discountId }) => [
        { of: "discount", discountId, outcome: "applied" } as const,
        { of: "discount", discountId, outcome: "refused" } as const,
      ]),
  ];
  return outcomes.map((outcome) => outcomeView(payment, outcome));
}

/** An outcome as a choice of the page's form. */
export const outcomeView = (payment: Payment, outcome: Outcome): OutcomeView => ({
  said: Object.fromEntries(Object.entries(outcome).filter(([, member]) => typeof member === "string")),
  text: textOf(payment, outcome),
});

function textOf(payment: Payment, outcome: Outcome): string {
  switch (outcome.of) {
    case "payment": {
      const by = outcome.outcome === "paid" && outcome.chargeId;
      return `The payment is ${outcome.outcome === "paid" ? "paid" : "not paid"}${by ? ` by the ${charge(payment, by)}` : ""}.`;
    }
    case "charge": {
      const what = charge(payment, outcome.chargeId);
      return outcome.outcome === "reversed" ? `The ${what} was returned.` : `The merchant keeps the ${what}.`;
    }
    case "refund":
      return `The ${refund(payment, outcome.refundId)} was ${outcome.outcome === "failed" ? "not " : ""}made.`;
    case "discount":
      return `The ${discount(payment, outcome.discountId)} was ${outcome.outcome}.`;
  }
}

function charge(payment: Payment, id: string): string {
  const found = payment.charges.find(({ chargeId }) => chargeId === id);
  return found ? chargeName(payment, found) : `charge ${id}`;
}

function refund(payment: Payment, id: string): string {
  const found = payment.refunds.find(({ refundId }) => refundId === id);
  return found ? refundName(payment, found) : `refund ${id}`;
}

function discount(payment: Payment, id: string): string {
  const found = payment.discounts.find(({ discountId }) => discountId === id);
  return found ? discountName(payment, found) : `discount ${id}`;
}
