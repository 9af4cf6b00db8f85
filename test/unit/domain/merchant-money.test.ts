import { expect, it } from "vitest";
import { merchantMoney } from "../../../shared/domain/payment/operator/merchant-money.ts";
import { aPaymentAs } from "../operator/a-payment-as.ts";

it("the merchant has the captured amount less the refunds, without open ones", () => {
  const payment = aPaymentAs("captured captured=all charges=captured+inDoubt+reversing refunds=inDoubt+pending+some");
  expect(merchantMoney(payment)).toEqual({
    captured: 12_550,
    tip: 0,
    refunded: 1_234,
    held: 11_316,
    heldTip: 0,
    own: "known",
    open: [
      { of: "charge", id: "charge-1", is: "inDoubt", amount: 7_002, currency: "SEK" },
      { of: "charge", id: "charge-2", is: "givingBack", amount: 7_003, currency: "SEK" },
      { of: "refund", id: "refund-0", is: "inDoubt", amount: 301, currency: "SEK" },
      { of: "refund", id: "refund-1", is: "pending", amount: 302, currency: "SEK" },
    ],
  });
});

it.each([
  ["inProgress", "underWay"],
  ["captureRequested charges=authorized", "underWay"],
  ["captureRequested outcomeUnknown charges=authorized doubt=payment", "unknown"],
  ["authorized charges=authorized doubt=payment", "unknown"],
  ["voided outcomeUnknown charges=voided", "known"],
  ["captured captured=all charges=captured:contradicted", "unknown"],
  ["authorized charges=authorized:captured", "unknown"],
])("the payment's own charge of %s is %s", (situation, own) => {
  expect(merchantMoney(aPaymentAs(situation)).own).toBe(own);
});
