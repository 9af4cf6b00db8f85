import { describe, expect, it } from "vitest";
import { leaseNextMessage } from "../../../shared/use-cases/terminals/lease-next-message.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { recordResolution } from "../../../shared/use-cases/operator/record-resolution.ts";
import { aCall } from "../../support/calls.ts";
import { refundedAmount } from "../../../shared/domain/payment/record/kept-money.ts";

import { refundPayment } from "../../../shared/use-cases/payments/refund-payment.ts";
import { aPayment, approval, isFree } from "../../support/a-payment.ts";
import { aPlatform, aRequest, partnerId, terminalId, callBy } from "../../support/platform.ts";

/** A payment that its terminal fetched and never reported on. */
async function inDoubt() {
  const platform = await aPlatform();
  const request = aRequest();
  const { sessionId } = request;
  await requestPayment(platform.deps, callBy(platform.deps), request);
  await platform.pass();
  const view = await platform.deps.terminals.find(terminalId);
  if (view) await leaseNextMessage(platform.deps, { caller: view }, 0, {});
  await platform.pass(31);
  const key = { partnerId, terminalId, sessionId };
  const seen = { ...key, sequence: (await platform.deps.payments.find(key))?.payment.sequence ?? 0 };
  return { platform, key, seen };
}

describe("an operator who resolves a payment in doubt", () => {
  it.each([
    ["paid", "captured", 12_550],
    ["unpaid", "failed", 0],
  ] as const)(
    "as %s: it is %s, with a webhook and the operator's name and reason, and the terminal is free",
    async (outcome, status, captured) => {
      const { platform, key, seen } = await inDoubt();
      const settled = await recordResolution(platform.deps, aCall(platform.deps), seen, {
        of: "payment",
        outcome,
        by: "ada",
        why: "the acquirer's list",
      });
      await platform.pass();

      expect(settled).toMatchObject({
        ok: true,
        value: { payment: { status, statusReason: "settledByOperator", amounts: { captured } } },
      });
      const history = await platform.deps.payments.history(key);
      expect(history.at(-1)).toMatchObject({ by: "operator", operator: { by: "ada", why: "the acquirer's list" } });
      expect(platform.webhooksSent.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toContain(
        `payment.${status}`,
      );
      expect(await isFree(platform)).toBe(true);
    },
  );

  it("cannot leave a charge with the merchant while the terminal has fetched its void without an answer", async () => {
    const payment = await aPayment();
    await payment.sendReport("authorized", approval);
    await payment.sendReport("authorized", {
      ...approval,
      chargeId: "charge-2",
      acquirer: { authorisationCode: "B2" },
    });
    const message = await payment.fetch();
    const { deps } = payment.platform;
    const keep = async () => {
      const { sequence } = await payment.now();
      return recordResolution(
        deps,
        aCall(deps),
        { ...payment.key, sequence },
        { of: "charge", chargeId: "charge-2", outcome: "kept", by: "ada", why: "the acquirer's list" },
      );
    };
    expect(await keep()).toMatchObject({ error: { detail: expect.stringContaining("has not answered it") as string } });
    await payment.sendReport("voidFailed", { chargeId: "charge-2", messageId: message?.messageId });
    expect(await keep()).toMatchObject({ ok: true });
  });

  it("cannot resolve a payment that is not in doubt, or does not exist", async () => {
    const { platform, seen } = await inDoubt();
    const settlement = { of: "payment", outcome: "unpaid", by: "ada", why: "gone" } as const;
    await recordResolution(platform.deps, aCall(platform.deps), seen, settlement);
    const ended = { ...seen, sequence: seen.sequence + 1 };
    const again = await recordResolution(platform.deps, aCall(platform.deps), ended, settlement);
    expect(again).toMatchObject({ ok: false, error: { code: "invalid_state", currentStatus: "failed" } });
    const absent = await recordResolution(
      platform.deps,
      aCall(platform.deps),
      { ...seen, sessionId: "nobody" },
      settlement,
    );
    expect(absent).toMatchObject({ ok: false, error: { code: "payment_not_found" } });
  });
});

/** A payment whose terminal fetches its messages, and is gone after that. */
async function leftIn(state: "authorized" | "captureRequested" | "voidRequested") {
  const payment = await aPayment();
  await payment.sendReport("accepted", { messageId: (await payment.fetch())?.messageId });
  await payment.sendReport("authorized", approval);
  if (state === "captureRequested") await payment.capture();
  if (state === "voidRequested") await payment.cancel();
  await payment.platform.pass();
  await payment.fetch();
  return payment;
}

describe("an operator who resolves what a lost terminal left open", () => {
  const words = { by: "ada", why: "the acquirer's list" };
  const states = ["authorized", "captureRequested", "voidRequested"] as const;

  it.each(states)("as paid, in %s: the charge is captured, and no message is left for the terminal", async (state) => {
    const { platform, now, open } = await leftIn(state);
    const resolution = { of: "payment", outcome: "paid", amount: 100.5, ...words } as const;
    expect(await recordResolution(platform.deps, aCall(platform.deps), await now(), resolution)).toMatchObject({
      ok: true,
    });
    await platform.pass(60);
    expect(await now()).toMatchObject({
      status: "captured",
      amounts: { authorized: 12_550, captured: 10_050 },
      charges: [{ status: "captured" }],
    });
    expect(await open()).toEqual([]);
  });

  it.each(states)("as unpaid, in %s: the payment has ended, and its charge is reversed", async (state) => {
    const { platform, now, events, open } = await leftIn(state);
    const resolution = { of: "payment", outcome: "unpaid", ...words } as const;
    expect(await recordResolution(platform.deps, aCall(platform.deps), await now(), resolution)).toMatchObject({
      ok: true,
    });
    await platform.pass(60);
    expect(await now()).toMatchObject({ status: "voided", charges: [{ status: "reversing" }] });
    expect(await open()).toEqual(["void"]);
    expect(events()).toEqual(expect.arrayContaining(["payment.voided", "reversal.requested"]));
  });

  it("cannot record more than was charged, and the refusal names the field", async () => {
    const { platform, now } = await leftIn("authorized");
    const resolution = { of: "payment", outcome: "paid", amount: 200, ...words } as const;
    expect(await recordResolution(platform.deps, aCall(platform.deps), await now(), resolution)).toMatchObject({
      ok: false,
      error: { code: "validation_failed", errors: [{ field: "amount" }] },
    });
  });

  it.each([
    ["succeeded", 2_550],
    ["failed", 0],
  ] as const)(
    "as a refund that %s: its amount is recorded, and the next one can be made",
    async (outcome, refunded) => {
      const payment = await aPayment({ captureMode: "automatic" });
      const { platform, sessionId, now } = payment;
      await payment.sendReport("authorized", approval);
      const target = { sessionId, terminalId };
      const input = { currency: "SEK", refundAmount: 25.5, reason: "", refundId: "REFUND-1" };
      await refundPayment(platform.deps, callBy(platform.deps), { ...target, ...input });
      await platform.pass();
      await payment.fetch();
      const resolution = { of: "refund", refundId: "refund-1", outcome, ...words } as const;
      expect(await recordResolution(platform.deps, aCall(platform.deps), await now(), resolution)).toMatchObject({
        ok: true,
      });
      expect(refundedAmount(await payment.now())).toBe(refunded);
      expect(await payment.open()).toEqual([]);
      expect(await recordResolution(platform.deps, aCall(platform.deps), await now(), resolution)).toMatchObject({
        ok: false,
      });
    },
  );

  it("as a charge that the acquirer reversed: the payment that waited for it ends", async () => {
    const payment = await aPayment();
    const { deps } = payment.platform;
    await payment.sendReport("authorized", { ...approval, amount: 20_000 });
    const resolution = { of: "charge", chargeId: approval.chargeId, outcome: "reversed", ...words } as const;
    expect(await recordResolution(deps, aCall(deps), await payment.now(), resolution)).toMatchObject({ ok: true });
    expect(await payment.now()).toMatchObject({ status: "voided", charges: [{ status: "reversed" }] });
  });

  it("not at all once its charge was given back: the books differ from what the operator compared", async () => {
    const { platform, now, sendReport, events } = await leftIn("voidRequested");
    const seen = await now();
    await sendReport("voided", { chargeId: approval.chargeId });
    const resolution = { of: "charge", chargeId: approval.chargeId, outcome: "kept", ...words } as const;
    const before = await now();
    expect(await recordResolution(platform.deps, aCall(platform.deps), seen, resolution)).toMatchObject({
      ok: false,
      error: { code: "invalid_state", currentStatus: "voided", detail: expect.stringContaining("changed since") },
    });
    expect(await now()).toEqual(before);
    await platform.pass();
    expect(events()).not.toContain("payment.corrected");
  });

  it("not at all if its terminal reports between the read and the write", async () => {
    const { platform, now, sendReport } = await leftIn("voidRequested");
    const { payments } = platform.deps;
    let isReported = false;
    const commit: typeof payments.commit = async (...change) => {
      if (!isReported) {
        isReported = true;
        await sendReport("voided", { chargeId: approval.chargeId });
      }
      return payments.commit(...change);
    };
    const deps = { ...platform.deps, payments: { ...payments, commit } };
    const resolution = { of: "payment", outcome: "paid", ...words } as const;
    expect(await recordResolution(deps, aCall(deps), await now(), resolution)).toMatchObject({
      ok: false,
      error: { code: "invalid_state", currentStatus: "voided" },
    });
    expect(await now()).toMatchObject({ status: "voided", amounts: { captured: 0 } });
  });
});
