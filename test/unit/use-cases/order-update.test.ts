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

it.each([
  ["enters a payment that has ended", "voided", [], "givingBack"],
  ["removes a payment that holds its order again", "captured", ["approved"], undefined],
] as const)("an order's update makes a slow write fail that %s", async (_, status, listed, slow) => {
  const payment = aPaymentIn(status, { references: { orderId: "order" } });
  const orders = ordersTable(inMemoryRows());
  const key = orderOf(payment);
  if (!key) throw new Error("the payment has no order");
  await orders.save(
    key,
    listed.map((hold) => asHolder(payment, hold)),
    undefined,
  );
  const readBySlow = await orders.find(key);
  await updateOrder({ orders, payments: { find: async () => ({ payment, etag: "e" }) } }, payment);
  const written = slow === undefined ? [] : [asHolder(payment, slow)];
  await expect(orders.save(key, written, readBySlow)).rejects.toBeInstanceOf(Conflict);
});
