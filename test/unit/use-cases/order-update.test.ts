import { expect, it } from "vitest";
import type { Holders } from "../../../shared/domain/payment/duplicate.ts";
import type { Orders } from "../../../shared/ports/orders.ts";
import { updateOrder } from "../../../shared/use-cases/payments/hold-order.ts";
import { aPaymentIn } from "../../support/a-payment.ts";

it("an order's update reads the payment after the list, not before", async () => {
  const references = { orderId: "order" };
  const captured = aPaymentIn("captured", { references });
  const { partnerId, sessionId, updatedAt: since } = captured;
  const voided = aPaymentIn("voided", { references, sessionId });
  const read = [captured, voided];
  const saved: Holders[] = [];
  const orders: Orders = {
    find: async () => ({ holders: [{ partnerId, sessionId, strict: false, hold: "approved", since }], etag: "e" }),
    save: async (_, holders) => void saved.push(holders),
  };
  const payments = { find: async () => ({ payment: read.shift() ?? voided, etag: "e" }) };
  await updateOrder({ orders, payments }, { partnerId, sessionId });
  expect(saved).toEqual([[]]);
});
