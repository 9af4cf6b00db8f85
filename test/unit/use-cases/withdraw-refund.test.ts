import { expect, it } from "vitest";
import { captured } from "./a-contradiction.ts";

const refundId = "aaaaaaaa-0000-4000-8000-000000000001";
const DAY = 24 * 3600;
const withdrawn = { status: "failed", statusReason: "cancelledByPartner" };

async function waiting() {
  const payment = await captured();
  await payment.refund(10, { refundId, deliverWithinSeconds: DAY });
  return payment;
}

it("withdraws a refund that its terminal has not fetched, once, and tells no event", async () => {
  const payment = await waiting();
  const events = payment.events();
  expect(await payment.withdraw(refundId.toUpperCase())).toMatchObject({
    ok: true,
    value: { replayed: false, payment: { status: "captured", refunds: [withdrawn] } },
  });
  expect(await payment.withdraw(refundId)).toMatchObject({ ok: true, value: { replayed: true } });
  await payment.platform.pass(DAY + 1);
  expect(await payment.fetch()).toBeUndefined();
  expect(payment.events()).toEqual(events);
  expect(await payment.refund(10, { refundId, deliverWithinSeconds: DAY })).toMatchObject({
    code: "ok",
    replayed: true,
  });
});

it("refuses a refund that was fetched, made, failed, or never requested", async () => {
  const payment = await waiting();
  const refused = (status: string) => ({ ok: false, error: { code: "invalid_state", refund: { status } } });
  const message = await payment.fetch();
  expect(await payment.withdraw(refundId)).toMatchObject(refused("pending"));
  await payment.sendReport("refunded", { refundId, amount: 1_000, currency: "SEK", messageId: message?.messageId });
  expect(await payment.withdraw(refundId)).toMatchObject(refused("succeeded"));
  await payment.refund(20, { refundId: "another" });
  await payment.platform.pass(601);
  expect(await payment.withdraw("another")).toMatchObject(refused("failed"));
  expect(await payment.withdraw("unknown")).toMatchObject({
    error: { code: "validation_failed", errors: [{ field: "refundID", code: "invalid" }] },
  });
});

it("knows a refund that has left the payment's record, and whether its partner withdrew it", async () => {
  const payment = await captured();
  await payment.refund(1, { refundId: "withdrawn" });
  await payment.withdraw("withdrawn");
  await payment.refund(1, { refundId: "lapsed" });
  await payment.platform.pass(601);
  for (let i = 0; i < 100; i++) {
    await payment.refund(1, { refundId: `filler-${i}` });
    await payment.withdraw(`filler-${i}`);
  }
  expect((await payment.now()).refunds).toHaveLength(100);
  expect(await payment.withdraw("withdrawn")).toMatchObject({ ok: true, value: { replayed: true } });
  expect(await payment.withdraw("lapsed")).toMatchObject({
    error: { code: "invalid_state", refund: { status: "failed" } },
  });
});

it("is replayed under its key, which another refund or a cancel of the payment does not get", async () => {
  const payment = await waiting();
  const idempotencyKey = "withdraw it";
  for (const replayed of [false, true])
    expect(await payment.withdraw(refundId, { idempotencyKey })).toMatchObject({ ok: true, value: { replayed } });
  expect(await payment.withdraw("another", { idempotencyKey })).toMatchObject({
    error: { code: "idempotency_mismatch" },
  });
});

it("a refund like one that has waited for a minute is a possible duplicate, unless its partner confirms it", async () => {
  const payment = await waiting();
  expect(await payment.refund(10, { refundId: "at-once" })).toMatchObject({ code: "ok" });
  expect(await payment.withdraw("at-once")).toMatchObject({ ok: true });
  await payment.platform.pass(61);
  const duplicate = { code: "possible_duplicate", refund: { idAsReceived: refundId, status: "pending" } };
  expect(await payment.refund(10, { refundId: "second" })).toMatchObject(duplicate);
  expect(await payment.refund(10)).toMatchObject(duplicate);
  expect(await payment.refund(10, { refundId: "second" }, "another reason")).toMatchObject({ code: "ok" });
  expect(await payment.refund(10, { refundId: "third", confirmDuplicate: true })).toMatchObject({ code: "ok" });
  await payment.fetch();
  await payment.withdraw("third");
  expect(await payment.refund(10, { refundId: "fourth" })).toMatchObject({ code: "ok" });
});

it("a wait counts under the refund's name, and a long one needs a name", async () => {
  const payment = await waiting();
  expect(await payment.refund(10, { refundId, deliverWithinSeconds: 3_600 })).toMatchObject({
    code: "idempotency_mismatch",
  });
  expect(await payment.refund(10, { refundId })).toMatchObject({ code: "ok", replayed: true });
  expect(await payment.refund(5, { deliverWithinSeconds: 601 })).toMatchObject({
    errors: [{ field: "refundID", code: "required" }],
  });
  expect(await payment.refund(5, { deliverWithinSeconds: 600 })).toMatchObject({ code: "ok" });
});
