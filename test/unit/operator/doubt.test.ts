import { expect, it } from "vitest";
import { doubtSince } from "../../../infra/operator/common/doubt.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { aPaymentAs } from "./a-payment-as.ts";

const at = (minute: number): string => `2026-11-21T10:0${minute}:00.000Z`;

/** Since when the money of an alert about this is in doubt. The parts of the payment changed last at minute 7. */
function since(situation: string, about?: (payment: Payment) => string | undefined): string | undefined {
  const payment = aPaymentAs(situation);
  const dated = <Part extends object>(parts: readonly Part[]) => parts.map((part) => ({ ...part, updatedAt: at(7) }));
  const { charges, refunds, discounts } = payment;
  const all = { ...payment, charges: dated(charges), refunds: dated(refunds), discounts: dated(discounts) };
  const history = [
    { at: at(0), to: "pending" },
    { at: at(1), to: "reconciling", reason: "outcomeUnknown" },
    { at: at(2), to: "inProgress" },
    { at: at(3), to: "reconciling", reason: "outcomeUnknown" },
    { at: at(4), to: "reconciling" },
  ] as const;
  return doubtSince({ about: about?.(payment)?.toLowerCase() }, all, history);
}

const [charge, refund, discount] = [
  ({ charges }: Payment) => charges[0]?.chargeId,
  ({ refunds }: Payment) => refunds[0]?.refundId,
  ({ discounts }: Payment) => discounts[0]?.discountId,
];

it.each([
  ["a payment, since it began the last time", "reconciling outcomeUnknown", undefined, at(3)],
  ["a charge that the books lack, since its payment is", "reconciling outcomeUnknown", () => "strange", at(3)],
  ["a charge", "captured captured=all charges=inDoubt", charge, at(7)],
  ["a refund", "captured captured=all charges=captured refunds=inDoubt", refund, at(7)],
  ["a discount", "authorized charges=authorized doubt=discount", discount, at(7)],
])("the money of %s is in doubt", (_, situation, about, expected) => {
  expect(since(situation, about)).toBe(expected);
});

it.each([
  ["a captured payment", "captured captured=all charges=captured", undefined],
  ["a charge that is reversed", "captured captured=all charges=reversed", charge],
  ["a refund that the terminal is to make", "captured captured=all charges=captured refunds=pending", refund],
])("the money of %s is not in doubt", (_, situation, about) => {
  expect(since(situation, about)).toBeUndefined();
});
