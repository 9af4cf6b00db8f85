import { expect, it } from "vitest";
import { asHolder, type Holders } from "../../../shared/domain/payment/requests/duplicate.ts";
import { orderOf } from "../../../shared/domain/payment/record/order.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import { type Orders, ordersTable } from "../../../shared/stores/orders.ts";
import { updateOrder } from "../../../shared/use-cases/payments/order-holders.ts";
import { aPaymentIn } from "../../support/a-payment.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";

it("an order's update reads the payment after the list, not before", async () => {
  const references = { orderId: "order" };
  const captured = aPaymentIn("captured", { references });
  const { sessionId } = captured;
  const voided = aPaymentIn("voided", { references, sessionId });
  const read = [captured, voided];
  const saved: Holders[] = [];
  const orders: Orders = {
    find: async () => ({ holders: [asHolder(captured, "approved")], etag: "e" }),
    save: async (_, holders) => void saved.push(holders),
  };
  const payments = { find: async () => ({ payment: read.shift() ?? voided, etag: "e" }) };
  await updateOrder({ orders, payments }, captured);
  expect(saved).toEqual([[]]);
});

it("an order's update of a payment that has ended makes a slow write fail that enters the payment", async () => {
  const payment = aPaymentIn("voided", { references: { orderId: "order" } });
  const orders = ordersTable(inMemoryRows());
  const key = orderOf(payment);
  if (!key) throw new Error("the payment has no order");
  await orders.save(key, [], undefined);
  const readBySlow = await orders.find(key);
  await updateOrder({ orders, payments: { find: async () => ({ payment, etag: "e" }) } }, payment);
  await expect(orders.save(key, [asHolder(payment, "givingBack")], readBySlow)).rejects.toBeInstanceOf(Conflict);
});
