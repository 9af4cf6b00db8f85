import { describe, expect, it } from "vitest";
import type { OutsideResolution } from "../../../../shared/domain/payment/operator/resolution.ts";
import { orderHold } from "../../../../shared/domain/payment/record/order.ts";
import { previewResolution } from "../../../../shared/use-cases/operator/record-resolution.ts";
import { approval } from "../../../support/a-payment.ts";
import { aCall } from "../../../support/calls.ts";
import { alertsOf, authorized, booked, captured, charge, decide, HOUR } from "../a-contradiction.ts";

const named = "aaaaaaaa-0000-4000-8000-000000000001";
const back = (amount: number, more: Partial<OutsideResolution> = {}): OutsideResolution => ({
  of: "outside",
  outcome: "refunded",
  amount,
  reference: "74027 ARN 0001",
  ...more,
});
const saying = (detail: string) => ({ ok: false, error: { detail: expect.stringContaining(detail) as string } });
const wrong = (field: string, message: string) => ({
  ok: false,
  error: { errors: [{ field, message: expect.stringContaining(message) as string }] },
});

/** A captured payment whose refund of 125.50 SEK the terminal never fetched. */
async function whoseTerminalIsBroken() {
  const payment = await captured();
  await payment.fetch();
  await payment.refund(125.5, { refundId: named });
  await payment.platform.pass(HOUR);
  expect(await payment.now()).toMatchObject({ refunds: [{ status: "failed", statusReason: "notDelivered" }] });
  return payment;
}

/** A declined payment of whose two late charges the merchant keeps the first. */
async function withAKeptCharge() {
  const { platform, ...payment } = await captured();
  await payment.sendReport("authorized", { ...approval, chargeId: "charge-2" });
  await platform.pass();
  const all = { platform, ...payment };
  expect(await decide(all, { of: "charge", chargeId: "charge-2", outcome: "kept" })).toMatchObject({ ok: true });
  return all;
}

describe("money that the merchant returned outside the platform", () => {
  it("is recorded without an alert: refunded, told, booked as a correction, the order free, no message", async () => {
    const payment = await whoseTerminalIsBroken();
    expect(await alertsOf(payment)).toEqual([]);
    expect(await decide(payment, back(125.5))).toMatchObject({ ok: true });
    const now = await payment.now();
    expect(now).toMatchObject({
      status: "captured",
      refunds: [{ status: "failed" }, { status: "succeeded", statusReason: "settledByOperator", amount: 12_550 }],
    });
    expect(orderHold(now)).toBeUndefined();
    expect(payment.events().at(-1)).toBe("refund.succeeded");
    expect(await booked(payment)).toEqual(["capture 12550", "correction 12550"]);
    expect(await payment.open()).toEqual([]);
    const again = await payment.refund(125.5, { refundId: named.replace("1", "2") });
    expect(again).toMatchObject({ code: "amount_exceeds_refundable" });
  });

  it("is at most what is left, of the payment's own money and of each kept charge", async () => {
    const payment = await withAKeptCharge();
    expect(await decide(payment, back(100))).toMatchObject({ ok: true });
    expect(await decide(payment, back(25.51))).toMatchObject(wrong("refunded-outside", "at most 25.50 SEK"));
    expect(await decide(payment, back(25.501))).toMatchObject(wrong("refunded-outside", "at most 2 decimals"));
    expect(await decide(payment, back(0))).toMatchObject(wrong("refunded-outside", "above zero"));
    expect(await decide(payment, back(25.5))).toMatchObject({ ok: true });
    expect(await decide(payment, back(1))).toMatchObject(saying("Nothing is left"));
    expect(await decide(payment, back(1, { chargeId: "CHARGE-1" }))).toMatchObject(saying("Nothing is left"));
    expect(await decide(payment, back(125.51, { chargeId: "charge-2" }))).toMatchObject({ ok: false });
    expect(await decide(payment, back(125.5, { chargeId: "CHARGE-2" }))).toMatchObject({ ok: true });
    expect((await payment.now()).refunds.at(-1)).toMatchObject({ chargeId: "charge-2", status: "succeeded" });
    expect(await decide(payment, back(1, { chargeId: "charge-3" }))).toMatchObject(wrong("charge", "not a charge"));
  });

  it("is refused while the same money may move otherwise, with what to do first", async () => {
    const kept = await withAKeptCharge();
    await kept.refund(10, { refundId: named });
    expect(await decide(kept, back(1))).toMatchObject(saying(`The refund ${named} of this money is pending`));
    expect(await decide(kept, back(1, { chargeId: "charge-2" }))).toMatchObject({ ok: true });

    const contradicted = await captured();
    await contradicted.sendReport("voided", charge);
    expect(await decide(contradicted, back(1))).toMatchObject(saying("charge-1 first"));
    expect(await decide(await authorized(), back(1))).toMatchObject(saying("not captured"));
  });

  it("takes no business day, no card number, and a reference of bounded length", async () => {
    const payment = await captured();
    const day = { ...back(1), businessDay: "2026-11-21" };
    expect(await decide(payment, day)).toMatchObject(wrong("business-day", "did not count"));
    for (const reference of [" ", "x".repeat(65)])
      expect(await decide(payment, back(1, { reference }))).toMatchObject(wrong("reference", "1 to 64 characters"));
    const card = back(1, { reference: "4111 1111 1111 1111" });
    expect(await decide(payment, card)).toMatchObject(wrong("reference", "card number"));
  });

  it("counts among the most refunds of a payment, and in the size of its row", async () => {
    const { platform, now } = await captured();
    const payment = await now();
    const previewed = async (count: number, reason: string) => {
      const names = { refundId: named, idAsReceived: named, names: [] };
      const times = { createdAt: payment.createdAt, updatedAt: payment.createdAt };
      const failed = { ...names, ...times, amount: 1, reason, status: "failed", sequence: 2 } as const;
      const refunds = Array.from({ length: count }, (_, i) => ({ ...failed, commandId: `c${i}` }));
      const find = async () => ({ payment: { ...payment, refunds }, etag: "1" });
      const deps = { ...platform.deps, payments: { ...platform.deps.payments, find } };
      return previewResolution(deps, aCall(deps), payment, { ...back(1), by: "ada", why: "the list" });
    };
    expect(await previewed(99, "")).toMatchObject({ ok: true });
    expect(await previewed(100, "")).toMatchObject(saying("at most 100 refunds"));
    expect(await previewed(99, "x".repeat(4_000))).toMatchObject(saying("leave no room"));
  });

  it("is never what a report of the terminal means, named or not: each raises an alert", async () => {
    const payment = await captured();
    await decide(payment, back(125.5));
    const { refundId = "", commandId = "" } = (await payment.now()).refunds[0] ?? {};
    for (const report of [{ refundId }, { messageId: commandId }, {}, { refundId: named }])
      await payment.sendReport("refunded", { ...report, amount: 12_550, currency: "SEK" });
    const kinds = (await alertsOf(payment)).map((alert) => alert.split(" ").at(0));
    expect(new Set(kinds)).toEqual(new Set(["contradictingReport"]));
    expect(
      (await payment.platform.deps.alerts.of(payment.sessionId)).reduce((n, { alert }) => n + alert.count, 0),
    ).toBe(4);
    expect(await booked(payment)).toEqual(["capture 12550", "correction 12550"]);
  });

  it("stays when a refund that was not delivered is made after all, and an alert says by how much they exceed", async () => {
    const payment = await whoseTerminalIsBroken();
    await decide(payment, back(125.5));
    await payment.sendReport("refunded", { refundId: named, amount: 12_550, currency: "SEK" });
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "succeeded" }, { status: "succeeded" }] });
    const [alert] = await payment.platform.deps.alerts.of(payment.sessionId);
    expect(alert?.alert.detail).toContain("exceed the captured amount by 125.50 SEK");
  });
});

describe("an operator's refund outside the platform that was recorded in error", () => {
  it("is taken back without an alert, and frees its amount; another refund needs an alert", async () => {
    const payment = await captured();
    await payment.refund(25.5, { refundId: named });
    await payment.sendReport("refunded", { refundId: named, amount: 2_550, currency: "SEK" });
    await decide(payment, back(100));
    const outside = (await payment.now()).refunds[1]?.refundId ?? "";
    const failed = { of: "refund", outcome: "failed" } as const;
    const onADay = { ...failed, refundId: outside, businessDay: "2026-11-21" };
    expect(await decide(payment, onADay)).toMatchObject(wrong("business-day", "did not count"));
    expect(await decide(payment, { ...failed, refundId: named })).toMatchObject(saying("open alert"));
    expect(await decide(payment, { ...failed, refundId: outside.toUpperCase() })).toMatchObject({ ok: true });
    expect(await payment.now()).toMatchObject({ refunds: [{ status: "succeeded" }, { status: "failed" }] });
    expect(payment.events().slice(-2)).toEqual(["payment.corrected", "refund.failed"]);
    expect(await booked(payment)).toEqual(["capture 12550", "refund 2550", "correction 10000", "correction 10000"]);
    expect(await decide(payment, { ...failed, refundId: outside, outcome: "succeeded" })).toMatchObject(
      saying("open alert"),
    );
    expect(await decide(payment, back(100))).toMatchObject({ ok: true });
  });
});
