import { describe, expect, it } from "vitest";
import { closeAlert } from "../../../../shared/domain/alert.ts";
import type { Resolution } from "../../../../shared/domain/payment/operator/resolution.ts";
import { Unavailable } from "../../../../shared/ports/failures.ts";
import { refundPayment } from "../../../../shared/use-cases/payments/refund-payment.ts";
import { previewResolution, recordResolution } from "../../../../shared/use-cases/operator/record-resolution.ts";
import { paymentSubjectOf } from "../../../../shared/ports/subjects.ts";
import { aPayment, aPaymentOn, approval } from "../../../support/a-payment.ts";
import { aCall } from "../../../support/calls.ts";
import { aToken } from "../../../support/consumer.ts";
import { aPlatform, callBy, partnerId, terminalId, type Platform } from "../../../support/platform.ts";

type Said = Resolution extends infer R ? (R extends Resolution ? Omit<R, "by" | "why"> : never) : never;
const second = { ...approval, chargeId: "charge-2" };

/** A declined payment whose card was charged twice afterwards, which raised an alert. */
async function chargedAfterItsEnd() {
  const payment = await aPayment();
  const { deps } = payment.platform;
  const { sessionId, key } = payment;
  await payment.sendReport("declined", { messageId: (await payment.fetch())?.messageId });
  await payment.sendReport("authorized", approval);
  await payment.sendReport("authorized", second);
  return {
    ...payment,
    deps,
    resolve: async (said: Said) => {
      const { sequence } = await payment.now();
      const resolution = { ...said, by: "ada", why: "the acquirer's list" };
      return recordResolution(deps, aCall(deps), { ...key, sequence }, resolution);
    },
    preview: (said: Said) =>
      previewResolution(deps, aCall(deps), key, { ...said, by: "ada", why: "the acquirer's list" }),
    async closeAlerts() {
      for (const stored of await deps.alerts.of(sessionId)) {
        const closed = closeAlert(stored.alert, { by: "ada", why: "seen to", at: deps.clock.now() });
        if (closed) await deps.alerts.save(closed, stored);
      }
    },
    refundOf: (chargeId: string, refundAmount: number) =>
      refundPayment(deps, callBy(deps), { sessionId, terminalId, currency: "SEK", refundAmount, reason: "", chargeId }),
    voids: async () =>
      (await deps.inboxes.unanswered(terminalId)).flatMap(({ message, state }) =>
        message.type === "void" ? [`${message.chargeId} ${state}`] : [],
      ),
  };
}

describe("an operator who finds that a declined payment was paid with its unanswered voucher", () => {
  const paidWithVoucher = async (before: (platform: Platform, code: string) => Promise<void>) => {
    const platform = await aPlatform();
    const voucher = await aToken(platform);
    const payment = await aPaymentOn(platform);
    await payment.sendReport("accepted");
    await payment.spend(voucher.code);
    await platform.pass();
    await payment.sendReport("declined");
    await payment.sendReport("captureFailed", { chargeId: "unknown" }); // its alert allows the correction
    expect(await voucher.now()).toMatchObject({ status: "active" });
    await before(platform, voucher.code);
    const { sequence, sessionId } = await payment.now();
    const said = { of: "payment", outcome: "paid", amount: 100.5, by: "ada", why: "the acquirer's list" } as const;
    const { deps } = platform;
    const resolved = await recordResolution(deps, aCall(deps), { ...payment.key, sequence }, said);
    expect(resolved).toMatchObject({ ok: true });
    await platform.pass();
    const alerts = (await deps.alerts.of(sessionId)).map(({ alert }) => alert.kind);
    return { sessionId, alerts, voucher: await voucher.now(), discounts: (await payment.now()).discounts };
  };

  it("has the voucher redeemed", async () => {
    const { sessionId, alerts, voucher, discounts } = await paidWithVoucher(async () => {});
    expect(voucher).toMatchObject({ status: "redeemed", use: { sessionId } });
    expect(discounts).toMatchObject([{ status: "applied" }]);
    expect(alerts).toEqual(["contradictingReport"]);
  });

  it("is called again if another payment has the voucher by now", async () => {
    const { sessionId, alerts, voucher, discounts } = await paidWithVoucher(async (platform, code) => {
      const other = await aPaymentOn(platform);
      await other.sendReport("accepted");
      await other.spend(code);
      await platform.pass();
    });
    expect(voucher?.use?.sessionId).not.toBe(sessionId);
    expect(discounts).toMatchObject([{ status: "refused" }]);
    expect(alerts.toSorted()).toEqual(["amountDiffers", "contradictingReport"]);
  });
});

describe("an operator who finds that the merchant has kept a charge", () => {
  it("withdraws its void and keeps the other charge's, and the partner can refund it", async () => {
    const { resolve, voids, now, events, refundOf, platform, fetch, sendReport } = await chargedAfterItsEnd();
    expect(await voids()).toEqual(["charge-1 waiting", "charge-2 waiting"]);
    expect(await resolve({ of: "charge", chargeId: "CHARGE-1", outcome: "kept" })).toMatchObject({ ok: true });
    await platform.pass();
    expect(await voids()).toEqual(["charge-2 waiting"]);
    expect(await now()).toMatchObject({
      status: "declined",
      amounts: { captured: 12_550 },
      charges: [{ status: "kept" }, { status: "reversing" }],
    });
    expect(events()).toContain("payment.corrected");

    expect(await refundOf("charge-1", 125.5)).toMatchObject({ ok: true });
    await platform.pass();
    const voiding = await fetch();
    expect(voiding?.message).toMatchObject({ type: "void", chargeId: "charge-2" });
    expect(await voids()).toEqual(["charge-2 fetched"]);
    await sendReport("voided", { messageId: voiding?.messageId, chargeId: "charge-2" });
    const refunding = await fetch(voiding?.messageId);
    expect(refunding?.message).toMatchObject({ type: "refund", chargeId: "charge-1", amount: 12_550 });
    const refundId = refunding?.message.type === "refund" ? refunding.message.refundId : "";
    await sendReport("refunded", { messageId: refunding?.messageId, refundId, amount: 12_550, currency: "SEK" });
    expect(await now()).toMatchObject({ status: "declined", refunds: [{ status: "succeeded" }] });
    expect(events()).toContain("refund.succeeded");
  });
});

it("a charge is not kept while its terminal has an unanswered void, until that try has ended", async () => {
  const { resolve, preview, fetch, now, platform } = await chargedAfterItsEnd();
  const kept = { of: "charge", chargeId: "charge-1", outcome: "kept" } as const;
  expect((await fetch())?.message).toMatchObject({ type: "void", chargeId: "charge-1" });
  const refused = { error: { code: "invalid_state", detail: expect.stringContaining("not answered") as string } };
  expect(await preview(kept)).toMatchObject(refused);
  expect(await resolve(kept)).toMatchObject(refused);
  expect((await now()).charges).toMatchObject([{ status: "reversing" }, { status: "reversing" }]);
  await platform.pass(platform.deps.timings.retryVoidSeconds + 1);
  expect(await preview(kept)).toMatchObject({ ok: true });
  expect(await resolve(kept)).toMatchObject({ ok: true });
});

it("the consequences of a resolution are decided on the payment's present state, and nothing is written", async () => {
  const { resolve, preview, now, deps } = await chargedAfterItsEnd();
  const before = await now();
  const said = { of: "payment", outcome: "paid", chargeId: "charge-2" } as const;
  const previewed = await preview(said);
  expect(previewed).toMatchObject({
    ok: true,
    value: { before, change: { payment: { amounts: { captured: 12_550 } } } },
  });
  expect(await now()).toEqual(before);
  await resolve({ of: "charge", chargeId: "charge-1", outcome: "kept" });
  const stale = { ...said, by: "ada", why: "the acquirer's list" };
  expect(await recordResolution(deps, aCall(deps), before, stale)).toMatchObject({
    error: { code: "invalid_state", detail: expect.stringContaining("has changed") as string },
  });
});

describe("an operator who corrects an ended payment", () => {
  it("can do so while an open alert names the payment, and no longer once it is closed", async () => {
    const { resolve, closeAlerts, now, events } = await chargedAfterItsEnd();
    await closeAlerts();
    const paid = { of: "payment", outcome: "paid", chargeId: "charge-2" } as const;
    expect(await resolve(paid)).toMatchObject({
      ok: false,
      error: { code: "invalid_state", detail: expect.stringContaining("open alert") as string },
    });
    expect(await now()).toMatchObject({ amounts: { captured: 0 } });
    expect(events()).not.toContain("payment.corrected");
  });

  it("cannot do so by an alert about another partner's session with the same name", async () => {
    const { resolve, closeAlerts, deps, key } = await chargedAfterItsEnd();
    const [stored] = await deps.alerts.of(key.sessionId);
    await closeAlerts();
    if (!stored) throw new Error("no operator was called");
    const subject = paymentSubjectOf({ ...key, partnerId: "somebody else" });
    await deps.alerts.save({ ...stored.alert, subject }, undefined);
    expect(await resolve({ of: "payment", outcome: "paid" })).toMatchObject({ ok: false });
  });

  it("can do so while a refused report of its terminal may concern it", async () => {
    const { resolve, closeAlerts, deps, sessionId } = await chargedAfterItsEnd();
    const [stored] = await deps.alerts.of(sessionId);
    await closeAlerts();
    if (!stored) throw new Error("no operator was called");
    const orphan = { ...stored.alert, kind: "orphanReport", about: undefined } as const;
    const save = (id: string, day: string, of = partnerId) =>
      deps.alerts.save({ ...orphan, subject: { kind: "terminal", partnerId: of, terminalId: id, day } }, undefined);
    const paid = { of: "payment", outcome: "paid", chargeId: "charge-2" } as const;
    await save("another terminal", "2026-11-21");
    await save(terminalId, "2026-11-20", "who had the terminal before");
    expect(await resolve(paid)).toMatchObject({ ok: false });
    await save(terminalId, "2026-11-21");
    expect(await resolve(paid)).toMatchObject({ ok: true });
  });

  it("reverses every charge except the one that paid, and raises an alert for each", async () => {
    const { resolve, now, platform, events, voids } = await chargedAfterItsEnd();
    await resolve({ of: "payment", outcome: "paid", chargeId: "charge-2" });
    await platform.pass();
    expect(await now()).toMatchObject({
      status: "declined",
      amounts: { captured: 12_550 },
      charges: [{ status: "reversing" }, { status: "captured" }],
    });
    expect(await voids()).toEqual(["charge-1 waiting"]);
    expect(events().filter((type) => type === "payment.corrected")).toHaveLength(1);
  });

  it("and then resolves it as unpaid enqueues one void after the other, each with its own deadline", async () => {
    const { resolve, now, platform, voids } = await chargedAfterItsEnd();
    for (const chargeId of ["charge-1", "charge-2"]) await resolve({ of: "charge", chargeId, outcome: "kept" });
    await platform.pass();
    expect(await now()).toMatchObject({ amounts: { captured: 25_100 } });
    await resolve({ of: "payment", outcome: "unpaid" });
    await platform.pass();
    expect(await voids()).toEqual(["charge-1 waiting", "charge-2 waiting"]);
    const { charges, amounts, deadlines } = await now();
    expect(amounts.captured).toBe(0);
    expect(charges.map(({ reversal }) => reversal?.sequence)).not.toContain(undefined);
    expect(deadlines).toMatchObject([
      { name: "reversal", about: "charge-1" },
      { name: "reversal", about: "charge-2" },
    ]);
  });

  it("writes nothing while it is unknown whether an alert is open", async () => {
    const { deps, now } = await chargedAfterItsEnd();
    const before = await now();
    const alerts = { ...deps.alerts, of: () => Promise.reject(new Unavailable("the tables are away")) };
    const said = { of: "payment", outcome: "paid", by: "ada", why: "", chargeId: "charge-1" } as const;
    const resolving = recordResolution({ ...deps, alerts }, aCall(deps), before, said);
    await expect(resolving).rejects.toThrow(Unavailable);
    expect(await now()).toEqual(before);
  });
});
