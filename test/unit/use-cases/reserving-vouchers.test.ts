import { describe, expect, it } from "vitest";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { reserveVoucher } from "../../../shared/use-cases/payments/reserve-voucher.ts";
import { retryOnConflict } from "../../../shared/use-cases/outbox/retry-on-conflict.ts";
import { aToken } from "../../support/consumer.ts";
import { aPaymentOn } from "../../support/a-payment.ts";
import { aCall } from "../../support/calls.ts";
import { aPlatform } from "../../support/platform.ts";

describe("a worker that reserves a voucher", () => {
  it.each(["reserved it", "committed the offer", "released the message"])(
    "and crashes when it has %s is continued by the next one",
    async (place) => {
      const platform = await aPlatform();
      const voucher = await aToken(platform);
      const payment = await aPaymentOn(platform);
      const { payments, inboxes } = platform.deps;
      let died = 0;
      const here = (at: string) => {
        if (place === at && died++ === 0) throw new Unavailable("the worker died here");
      };
      const { commit } = payments;
      payments.commit = async (key, change) => {
        if (change.entry.event === "voucherReserved") here("reserved it");
        await commit(key, change);
        if (change.entry.event === "voucherReserved") here("committed the offer");
      };
      const { release } = inboxes;
      inboxes.release = async (...given) => {
        const isReleased = await release(...given);
        here("released the message");
        return isReleased;
      };
      await payment.spend(voucher.code);
      await platform.pass(10);
      expect(died).toBeGreaterThan(0);
      expect(await voucher.now()).toMatchObject({ status: "reserved" });
      expect(await payment.offers()).toHaveLength(1);
    },
  );

  it("while the payment ends releases it, and offers nothing", async () => {
    const platform = await aPlatform();
    const voucher = await aToken(platform);
    const payment = await aPaymentOn(platform);
    const { save } = platform.deps.accessTokens;
    platform.deps.accessTokens.save = async (token, etag) => {
      if (token.status === "reserved") {
        platform.deps.accessTokens.save = save;
        await payment.sendReport("declined"); // its settlement finds nothing to return
      }
      return save(token, etag);
    };
    await payment.spend(voucher.code);
    await platform.pass();
    expect(await voucher.now()).toMatchObject({ status: "active" });
    expect(await payment.offers()).toEqual([]);
  });

  it("of a payment that is being cancelled refuses the discount, and does not write the voucher", async () => {
    const platform = await aPlatform();
    const voucher = await aToken(platform);
    const payment = await aPaymentOn(platform);
    await payment.sendReport("accepted");
    await payment.spend(voucher.code);
    await payment.cancel();
    await platform.pass();
    expect(await payment.offers()).toEqual([]);
    expect(await payment.now()).toMatchObject({ status: "cancelRequested", discounts: [{ status: "refused" }] });
    expect(await voucher.now()).toMatchObject({ status: "active" });
  });

  it("too late, after the payment has ended, leaves a reservation that does not keep the voucher from the next payment", async () => {
    const platform = await aPlatform();
    const voucher = await aToken(platform);
    const first = await aPaymentOn(platform);
    await first.sendReport("declined");
    const stored = await platform.deps.accessTokens.find(voucher.tokenId);
    if (!stored) throw new Error("no token");
    const use = { ...first.key, discountId: "gone" };
    await platform.deps.accessTokens.save({ ...stored.token, status: "reserved", use }, stored.etag);

    const second = await aPaymentOn(platform);
    expect(await second.spend(voucher.code)).toMatchObject({ ok: true });
    await platform.pass();
    expect(await voucher.now()).toMatchObject({ status: "reserved", use: { sessionId: second.sessionId } });
    expect(await second.offers()).toHaveLength(1);
  });

  it("of a payment that was charged the reduced amount before the offer does not write the voucher, and the charge is voided", async () => {
    const platform = await aPlatform();
    const voucher = await aToken(platform);
    const payment = await aPaymentOn(platform, { captureMode: "automatic" });
    await payment.spend(voucher.code);
    await payment.sendReport("authorized", { amount: 10_050, currency: "SEK" }, "wait");
    await platform.pass();
    expect(await payment.now()).toMatchObject({ status: "voidRequested", statusReason: "amountMismatch" });
    expect((await payment.now()).discounts).toMatchObject([{ status: "refused" }]);
    expect(await voucher.now()).toMatchObject({ status: "active" });
  });

  it("as a slow copy, after the terminal refused the discount, releases it once more", async () => {
    const platform = await aPlatform();
    const { deps } = platform;
    const voucher = await aToken(platform);
    const payment = await aPaymentOn(platform);
    const { key } = payment;
    await payment.spend(voucher.code);
    const asItWas = await deps.payments.find(key);
    await platform.pass();
    const { discountId = "" } = (await payment.now()).discounts[0] ?? {};
    await payment.sendReport("discountRefused", { discountId });
    expect(await voucher.now()).toMatchObject({ status: "active" });

    let looks = 0;
    const findOrTombstone = async () => (looks++ === 0 ? asItWas : deps.payments.find(key));
    const payments = { ...deps.payments, findOrTombstone };
    await retryOnConflict(() =>
      reserveVoucher({ ...deps, payments }, aCall(deps), key, { tokenId: voucher.tokenId, discountId }),
    );
    expect(looks).toBeGreaterThan(1);
    expect(await voucher.now()).toMatchObject({ status: "active" });
  });
});
