import { expect, it } from "vitest";
import { MAX_NAMES_LEFT, withRoom } from "../../../../shared/domain/payment/requests/undelivered-refunds.ts";
import type { Refund } from "../../../../shared/domain/payment/record/payment.ts";
import { aPaymentIn, now } from "../../../support/a-payment.ts";
import { alertsOf, booked, captured } from "../a-contradiction.ts";

const nameOf = (attempt: number) => `eeeeeeee-0000-4000-8000-${String(attempt).padStart(12, "0")}`;
const replayed = { code: "ok", replayed: true };
const mismatch = { code: "idempotency_mismatch" };

/** A payment whose partner requested a refund 102 times in 17 hours, while its terminal was off. */
async function aTillThatIsOff() {
  const payment = await captured();
  for (let attempt = 0; attempt < 102; attempt++) {
    await payment.refund(100, { refundId: nameOf(attempt), idempotencyKey: `key ${attempt}` });
    await payment.platform.pass(601);
  }
  return payment;
}

it("refunds that the terminal never got do not use up the payment, and their names mean them forever", async () => {
  const payment = await aTillThatIsOff();
  const { refunds } = await payment.now();
  expect(refunds.map(({ refundId }) => refundId)).toEqual(Array.from({ length: 100 }, (_, i) => nameOf(i + 2)));

  const first = { refundId: nameOf(0), idempotencyKey: "key 0" };
  for (const named of [first, { refundId: first.refundId }, { idempotencyKey: "key 0" }]) {
    const again = await payment.refund(100, named);
    expect(again).toMatchObject(replayed);
    expect("payment" in again && again.payment.refunds.at(-1)).toMatchObject({
      refundId: nameOf(0),
      amount: 10_000,
      status: "failed",
      statusReason: "notDelivered",
    });
  }
  expect(await payment.refund(99, first)).toMatchObject(mismatch);
  expect(await payment.refund(100, { ...first, idempotencyKey: "new" })).toMatchObject(mismatch);
  expect(await payment.refund(100, { ...first, idempotencyKey: "key 1" })).toMatchObject(mismatch);

  // Its terminal reports the first one as made after all.
  await payment.sendReport("refunded", { refundId: nameOf(0), amount: 10_000, currency: "SEK" });
  const made = { refundId: nameOf(0), status: "succeeded" };
  expect((await payment.now()).refunds.at(-1)).toMatchObject(made);
  expect((await payment.now()).refunds).toHaveLength(100);
  expect(await alertsOf(payment)).toEqual([`contradictingReport ${nameOf(0)} 1`]);
  expect(await booked(payment)).toEqual(["capture 12550", "refund 10000"]);
  const again = await payment.refund(100, { idempotencyKey: "key 0" });
  expect(again).toMatchObject({
    ...replayed,
    payment: { refunds: expect.arrayContaining([expect.objectContaining(made)]) as object },
  });
  expect(await payment.refund(100, { refundId: nameOf(102) })).toMatchObject({ code: "amount_exceeds_refundable" });
});

const refundsOf = (more: Partial<Refund>): readonly Refund[] =>
  Array.from({ length: 100 }, (_, i) => ({
    refundId: nameOf(i),
    idAsReceived: nameOf(i),
    names: [],
    amount: 100,
    reason: "",
    status: "failed",
    commandId: `c${i}`,
    sequence: i,
    createdAt: now,
    updatedAt: now,
    ...more,
  }));

it.each([
  ["a refund that its terminal reported as failed", { statusReason: "terminalReported" }],
  ["a refund that an operator decided", { statusReason: "settledByOperator" }],
  ["a pending refund", { status: "pending" }],
  ["a refund that was made", { status: "succeeded" }],
] as const)("%s never leaves the record", (_, more) => {
  expect(withRoom(aPaymentIn("captured", { refunds: refundsOf(more) }))).toBeUndefined();
});

it("a payment has a thousand names of refunds that left its record", () => {
  const withNames = (names: number) =>
    aPaymentIn("captured", {
      refunds: refundsOf({ statusReason: "notDelivered" }),
      undelivered: Object.fromEntries(Array.from({ length: names }, (_, i) => [String(i), i])),
    });
  expect(withRoom(withNames(MAX_NAMES_LEFT - 1))?.refunds).toHaveLength(99);
  expect(withRoom(withNames(MAX_NAMES_LEFT))).toBeUndefined();
});
