import { expect, it } from "vitest";
import { MAX_HOLDERS, MAX_READ } from "../../shared/domain/payment/requests/duplicate.ts";
import { orderOf } from "../../shared/domain/payment/record/order.ts";
import { aPlatform, aRequest, type Platform } from "../support/platform.ts";
import { aTill } from "../support/tills.ts";

/** Counts the payments that are read during an action. */
async function readsDuring(platform: Platform, act: () => Promise<void>): Promise<number> {
  const { deps } = platform;
  const { payments } = deps;
  let reads = 0;
  deps.payments = {
    ...payments,
    find: (key) => (reads++, payments.find(key)),
    findOrTombstone: (key) => (reads++, payments.findOrTombstone(key)),
  };
  await act();
  deps.payments = payments;
  return reads;
}

it("a merchant with one order reference for all its sales can keep selling: each of 1,000 within ten days is accepted, at a bounded cost", async () => {
  const platform = await aPlatform();
  let most = 0;
  let previous: string | undefined;
  for (let i = 0; i < 1_000; i++) {
    const till = await aTill(platform);
    const reads = await readsDuring(platform, async () => {
      const sold = await till.sell("the till");
      expect(sold.status).toBe("captured");
      expect(sold.possibleDuplicateOf).toBe(previous);
      previous = sold.sessionId;
    });
    most = Math.max(most, reads);
    await platform.pass(900); // the first payments become older than the horizon of an order
  }
  // The reads of the request's duplicate check, and of the payment's own rows.
  expect(most).toBeLessThan(MAX_READ + 20);
  const key = orderOf(aRequest({ references: { orderId: "the till" } }));
  const { holders = [] } = (key && (await platform.deps.orders.find(key))) ?? {};
  expect(holders).toHaveLength(MAX_HOLDERS);
  expect(JSON.stringify(holders).length).toBeLessThan(30_000); // one column of a row holds as many characters
});
