import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { isOutside } from "../../../shared/domain/payment/operator/outside-refund.ts";
import type { Outcome, OutsideResolution } from "../../../shared/domain/payment/operator/resolution.ts";
import { refundable } from "../../../shared/domain/payment/record/kept-money.ts";
import { chargeName, discountName, refundName } from "../../../infra/operator/common/money-names.ts";
import type { OutcomeView } from "./views/resolve.ts";

/** An outcome without what the operator types. */
type Choice = Exclude<Outcome, OutsideResolution> | Omit<OutsideResolution, "amount" | "reference">;

/** The outcomes that an operator might record about a payment's money. The domain decides which of them are possible now. */
export function outcomesOf(payment: Payment): readonly OutcomeView[] {
  const { charges, refunds, discounts } = payment;
  const kept = charges.flatMap(({ chargeId, status }) => (status === "kept" ? [chargeId] : []));
  const outcomes: readonly Choice[] = [
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
    ...[undefined, ...kept]
      .filter((chargeId) => refundable(payment, chargeId) > 0)
      .map((chargeId) => ({ of: "outside", outcome: "refunded", chargeId }) as const),
  ];
  return outcomes.map((outcome) => outcomeView(payment, outcome));
}

/** An outcome as a choice of the page's form. */
export const outcomeView = (payment: Payment, outcome: Choice): OutcomeView => ({
  said: Object.fromEntries(Object.entries(outcome).filter(([, member]) => typeof member === "string")),
  text: textOf(payment, outcome),
  ...("amount" in outcome && outcome.amount !== undefined && { amount: outcome.amount }),
  ...("tip" in outcome && outcome.tip !== undefined && { tip: outcome.tip }),
  ...(isFree(payment, outcome) && { isFree: true }),
});

/** An operator's refund outside the platform is recorded and taken back without an alert. */
function isFree({ refunds }: Payment, outcome: Choice): boolean {
  if (outcome.of !== "refund") return outcome.of === "outside";
  const refund = refunds.find(({ refundId }) => refundId === outcome.refundId);
  return outcome.outcome === "failed" && refund?.status === "succeeded" && isOutside(refund);
}

function textOf(payment: Payment, outcome: Choice): string {
  switch (outcome.of) {
    case "payment": {
      if (outcome.outcome === "unpaid") return "The payment is not paid.";
      const by = outcome.chargeId === undefined ? "" : ` by the ${charge(payment, outcome.chargeId)}`;
      return `The payment is paid${by}${withAmount(payment, outcome)}.`;
    }
    case "charge": {
      const what = charge(payment, outcome.chargeId);
      return outcome.outcome === "reversed" ? `The ${what} was returned.` : `The merchant keeps the ${what}.`;
    }
    case "refund":
      return `The ${refund(payment, outcome.refundId)} was ${outcome.outcome === "failed" ? "not " : ""}made${withAmount(payment, outcome)}.`;
    case "discount":
      return `The ${discount(payment, outcome.discountId)} was ${outcome.outcome}.`;
    case "outside":
      return `Money of the ${charge(payment, outcome.chargeId)} was returned outside the platform.`;
  }
}

interface Amounts {
  readonly amount?: number | undefined;
  readonly tip?: number | undefined;
}

const withAmount = ({ currency }: Payment, { amount, tip }: Amounts): string =>
  amount === undefined ? "" : `, with ${amount} ${currency}${tip ? `, ${tip} ${currency} of it tip` : ""}`;

function charge(payment: Payment, id: string | undefined): string {
  if (id === undefined) return "payment";
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
