import { describe, expect, it } from "vitest";
import type { AccessTokenTemplate } from "../../../shared/domain/access-token-template.ts";
import type { PaymentRequest } from "../../../shared/domain/payment/requests/create-payment.ts";
import type { ReportType } from "../../../shared/domain/payment/record/events.ts";
import type { Report } from "../../../shared/domain/payment/record/report.ts";
import { addDiscount } from "../../../shared/use-cases/payments/add-discount.ts";
import { aTemplate, aToken } from "../../support/consumer.ts";
import { aPaymentOn } from "../../support/a-payment.ts";
import { aPlatform, type Platform, callBy } from "../../support/platform.ts";

const types = (platform: Platform) =>
  platform.webhooksSent.map((sent) => (JSON.parse(sent.body) as { type: string }).type);

/** A voucher of 25 SEK, spent on a payment up to the authorization of the remaining amount. */
async function authorizedWithVoucher(more: Partial<PaymentRequest> = {}) {
  const platform = await aPlatform();
  const voucher = await aToken(platform);
  const payment = await aPaymentOn(platform, more);
  await payment.sendReport("accepted");
  await payment.spend(voucher.code);
  await platform.pass();
  const discountId = (await payment.now()).discounts[0]?.discountId;
  await payment.sendReport("discountApplied", { discountId });
  await payment.sendReport("authorized", { amount: 10_050, currency: "SEK" });
  return { platform, voucher, payment };
}

describe("a voucher used on a payment", () => {
  it("is reserved before its discount is offered to the terminal, and redeemed when the payment is captured", async () => {
    const platform = await aPlatform();
    const voucher = await aToken(platform);
    const payment = await aPaymentOn(platform);
    await payment.sendReport("accepted");

    expect(await payment.spend(voucher.code)).toMatchObject({ ok: true, value: { replayed: false } });
    expect(await voucher.now()).toMatchObject({ status: "active" }); // a request changes only its own partition
    expect(await payment.offers()).toEqual([]);
    await platform.pass();
    const [discount] = (await payment.now()).discounts;
    expect(await payment.offers()).toMatchObject([{ amount: 2_500, newTotal: 10_050 }]);
    expect(await voucher.now()).toMatchObject({
      status: "reserved",
      use: { sessionId: payment.sessionId, discountId: discount?.discountId },
    });

    await payment.sendReport("discountApplied", { discountId: discount?.discountId });
    await payment.sendReport("authorized", { amount: 10_050, currency: "SEK" });
    await payment.capture();
    await platform.pass();
    expect(await voucher.now()).toMatchObject({ status: "reserved" });
    await payment.sendReport("captured");
    expect(await payment.now()).toMatchObject({ status: "captured", amounts: { captured: 10_050, discounted: 2_500 } });
    expect(await voucher.now()).toMatchObject({ status: "redeemed" });
  });

  it("is redeemed by a payment that is captured at once", async () => {
    const { voucher } = await authorizedWithVoucher({ captureMode: "automatic" });
    expect(await voucher.now()).toMatchObject({ status: "redeemed" });
  });

  it("is redeemed even if a restore lost its reservation", async () => {
    const { platform, voucher, payment } = await authorizedWithVoucher();
    const { accessTokens } = platform.deps;
    const stored = await accessTokens.find(voucher.tokenId);
    if (!stored) throw new Error("no token");
    await accessTokens.save({ ...stored.token, status: "active", use: undefined }, stored.etag);
    await payment.capture();
    await platform.pass();
    await payment.sendReport("captured");
    await platform.pass();
    expect(await voucher.now()).toMatchObject({ status: "redeemed", use: { sessionId: payment.sessionId } });
  });

  it("of a percentage lowers the payment by it", async () => {
    const platform = await aPlatform();
    const voucher = await aToken(platform, aTemplate({ value: { kind: "percent", percent: 10 } }));
    const payment = await aPaymentOn(platform);
    await payment.spend(voucher.code);
    await platform.pass();
    expect(await payment.offers()).toMatchObject([{ amount: 1_255, newTotal: 11_295 }]);
  });

  it.each<[string, ReportType, Partial<Report>]>([
    ["the terminal refuses the discount", "discountRefused", {}],
    ["the customer cancels", "cancelled", {}],
    ["the card is declined", "declined", {}],
    ["the terminal fails", "failed", {}],
    ["the terminal never began", "notStarted", {}],
    ["the terminal charged the whole amount", "authorized", { amount: 12_550, currency: "SEK" }],
  ])("is released when %s", async (_, type, report) => {
    const platform = await aPlatform();
    const voucher = await aToken(platform);
    const payment = await aPaymentOn(platform);
    await payment.spend(voucher.code);
    await platform.pass();
    expect(await voucher.now()).toMatchObject({ status: "reserved" });
    const discountId = (await payment.now()).discounts[0]?.discountId;
    await payment.sendReport(type, { ...report, discountId });
    expect(await voucher.now()).toMatchObject({ status: "active" });
    expect((await payment.now()).discounts).toMatchObject([{ status: "refused" }]);
  });

  it("is released when the partner cancels before the terminal fetched the payment", async () => {
    const platform = await aPlatform();
    const voucher = await aToken(platform);
    const payment = await aPaymentOn(platform);
    await payment.spend(voucher.code);
    await platform.pass();
    expect(await payment.cancel()).toMatchObject({ ok: true, value: { atOnce: true } });
    await platform.pass();
    expect(await voucher.now()).toMatchObject({ status: "active" });
  });

  it("is released only by the end of its own payment", async () => {
    const platform = await aPlatform();
    const voucher = await aToken(platform);
    const [own, other] = [await aPaymentOn(platform), await aPaymentOn(platform)];
    for (const payment of [own, other]) await payment.spend(voucher.code); // both check while it is free
    await platform.pass();
    await other.sendReport("declined");
    expect(await voucher.now()).toMatchObject({ status: "reserved", use: { sessionId: own.sessionId } });
    await own.sendReport("declined");
    expect(await voucher.now()).toMatchObject({ status: "active" });
  });

  it("stays reserved while an authorization is voided, and is released after that", async () => {
    const { platform, voucher, payment } = await authorizedWithVoucher();
    await payment.cancel();
    await platform.pass();
    expect(await voucher.now()).toMatchObject({ status: "reserved" });
    await payment.sendReport("voided");
    expect(await voucher.now()).toMatchObject({ status: "active" });
  });

  it("stays reserved after a failed capture", async () => {
    const { platform, voucher, payment } = await authorizedWithVoucher();
    await payment.capture();
    await platform.pass();
    await payment.sendReport("captureFailed");
    expect(await voucher.now()).toMatchObject({ status: "reserved" });
  });

  it("does not expire while it is reserved", async () => {
    const platform = await aPlatform();
    const voucher = await aToken(platform, aTemplate({ validSeconds: 10 }));
    const payment = await aPaymentOn(platform, { captureMode: "automatic" });
    await payment.sendReport("accepted");
    await payment.spend(voucher.code);
    await platform.pass(20);
    const discountId = (await payment.now()).discounts[0]?.discountId;
    await payment.sendReport("discountApplied", { discountId });
    await payment.sendReport("authorized", { amount: 10_050, currency: "SEK" });
    expect(await voucher.now()).toMatchObject({ status: "redeemed" });
  });
});

describe("a voucher that cannot be used", () => {
  it.each<[string, Partial<AccessTokenTemplate>, Partial<PaymentRequest>, string]>([
    ["is a key", { kind: "key", value: undefined }, {}, "voucher_not_found"],
    ["is worth nothing off", { value: undefined }, {}, "voucher_unavailable"],
    ["is in another currency", { value: { kind: "amount", amount: 100, currency: "EUR" } }, {}, "currency_mismatch"],
    ["is another merchant's", { merchantId: "another" }, {}, "voucher_not_found"],
    [
      "would leave nothing to pay",
      { value: { kind: "amount", amount: 12_550, currency: "SEK" } },
      {},
      "validation_failed",
    ],
    ["has expired", { validSeconds: 1 }, {}, "voucher_unavailable"],
  ])("is refused at once because it %s", async (_, template, request, code) => {
    const platform = await aPlatform();
    const voucher = await aToken(platform, aTemplate(template));
    await platform.pass(2);
    const payment = await aPaymentOn(platform, request);
    expect(await payment.spend(voucher.code)).toMatchObject({ ok: false, error: { code } });
    expect((await payment.now()).discounts).toEqual([]);
  });

  it("is refused differently for an unknown code and a mistyped one", async () => {
    const platform = await aPlatform();
    const payment = await aPaymentOn(platform);
    const unknown = platform.deps.codes.codeOf("nobody's", "test");
    expect(await payment.spend(unknown)).toMatchObject({ ok: false, error: { code: "voucher_not_found" } });
    expect(await payment.spend("1234-1234-1234-1234")).toMatchObject({
      ok: false,
      error: { code: "validation_failed", errors: [{ field: "voucherCode" }] },
    });
  });

  it("is refused at once when another payment has reserved or redeemed it", async () => {
    const { voucher, payment, platform } = await authorizedWithVoucher();
    const second = await aPaymentOn(platform);
    const reserved = { code: "voucher_unavailable", detail: "This voucher is being used in another payment." };
    expect(await second.spend(voucher.code)).toMatchObject({ ok: false, error: reserved });
    await payment.capture();
    await payment.sendReport("captured");
    const redeemed = { code: "voucher_unavailable", detail: "This voucher was used on 21 November 2026." };
    expect(await second.spend(voucher.code)).toMatchObject({ ok: false, error: redeemed });
  });
});

describe("a voucher used again", () => {
  it("is replayed on the same payment, with or without a discountID", async () => {
    const platform = await aPlatform();
    const voucher = await aToken(platform);
    const payment = await aPaymentOn(platform);
    const discountId = "abababab-0000-4000-8000-000000000001";
    await payment.spend(voucher.code, { discountId });
    for (const named of [{ discountId }, {}]) {
      expect(await payment.spend(voucher.code, named)).toMatchObject({ ok: true, value: { replayed: true } });
    }
    await platform.pass();
    expect(await payment.spend(voucher.code, { discountId })).toMatchObject({ ok: true, value: { replayed: true } });
    expect((await payment.now()).discounts).toHaveLength(1);
  });

  it("is refused on the same payment under another discountID", async () => {
    const platform = await aPlatform();
    const voucher = await aToken(platform);
    const payment = await aPaymentOn(platform);
    await payment.sendReport("accepted");
    await payment.spend(voucher.code);
    await platform.pass();
    await payment.sendReport("discountApplied", { discountId: (await payment.now()).discounts[0]?.discountId });
    const discountId = "abababab-0000-4000-8000-000000000002";
    expect(await payment.spend(voucher.code, { discountId })).toMatchObject({
      ok: false,
      error: { code: "voucher_unavailable", detail: "This voucher is being used in this payment." },
    });
  });

  it("is offered alone: another discount is refused until the terminal has answered", async () => {
    const platform = await aPlatform();
    const [one, other] = [await aToken(platform), await aToken(platform)];
    const payment = await aPaymentOn(platform);
    await payment.spend(one.code);
    expect(await payment.spend(other.code)).toMatchObject({ ok: false, error: { code: "invalid_state" } });
    const amount = { sessionId: payment.sessionId, discountAmount: 1 };
    expect(await addDiscount(platform.deps, callBy(platform.deps), amount)).toMatchObject({
      ok: false,
      error: { code: "invalid_state" },
    });
    await platform.pass();
    await payment.sendReport("discountApplied", { discountId: (await payment.now()).discounts[0]?.discountId });
    expect(await payment.spend(other.code)).toMatchObject({ ok: true });
  });
});

describe("many payments that use one voucher at the same moment", () => {
  it("compete: one gets it, the discounts of the others are refused with a webhook, and their terminals never get them", async () => {
    const platform = await aPlatform();
    const voucher = await aToken(platform);
    const payments = await Promise.all(Array.from({ length: 8 }, () => aPaymentOn(platform)));
    const spent = await Promise.all(payments.map((payment) => payment.spend(voucher.code)));
    expect(spent.every((s) => s.ok)).toBe(true); // all checked while it was free
    await platform.pass();

    const discounts = (await Promise.all(payments.map((p) => p.now()))).map((p) => p.discounts[0]);
    expect(discounts.filter((d) => d?.status === "requested")).toHaveLength(1);
    const refused = discounts.filter((d) => d?.status === "refused" && d.statusReason === "voucherUnavailable");
    expect(refused).toHaveLength(7);
    expect((await Promise.all(payments.map((p) => p.offers()))).flat()).toHaveLength(1);
    expect(types(platform).filter((type) => type === "discount.refused")).toHaveLength(7);
    const webhooks = platform.webhooksSent.filter(({ body }) => body.includes('"discount.refused"'));
    for (const { body } of webhooks) expect(body).toContain('"statusText":"This voucher was used or ended');
  });
});
