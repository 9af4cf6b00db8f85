import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { ActionRequestObject } from "../../shared/contracts/objects/action-request.ts";
import { operatorOf } from "../support/admin.ts";
import { isReplay, partnerFor } from "../support/partner.ts";
import { aRunningPayment } from "../support/running-payment.ts";
import { waitFor } from "../support/wait-for.ts";
import { webShopOn } from "../support/web-shop.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const stack = inject("stack");
const shop = webShopOn(stack);
const { shown } = operatorOf(stack);
const asPartner = partnerFor("vouchers");
const { partner, capture, cancel, discount, onAutopilot, pay, read, send, silent, until } = asPartner;
let server: Awaited<ReturnType<typeof startWebhookServer>>;
beforeAll(async () => {
  server = await startWebhookServer(partner.webhookSecret);
});
afterAll(async () => server.close());

const aRunning = (more: Record<string, unknown> = {}) =>
  aRunningPayment(asPartner, { responseWebhookUrl: server.url, ...more });

/** A payment with this voucher as a discount, authorized. */
async function authorizedWith(voucherCode: string, more: Record<string, unknown> = {}) {
  const payment = await aRunning(more);
  const { sessionID, message } = payment;
  expect(await discount({ sessionID, voucherCode })).toMatchObject({ status: 202 });
  const offered = await silent.reach("discount", sessionID);
  await silent.sendReport(offered, "discountApplied");
  await silent.sendReport(message, "authorized", { amount: offered.totalAmountInclVat });
  await until(sessionID, "authorized", "captured");
  return { ...payment, offered };
}

const unavailable = (said: string) => ({
  status: 409,
  body: { code: "voucher_unavailable", detail: expect.stringContaining(`This voucher ${said}`), retryable: false },
});
/** Spends the code on a running payment, once the worker that returns the voucher has finished. */
const spend = (sessionID: string, voucherCode: string) =>
  waitFor("the voucher to be good again", () => discount({ sessionID, voucherCode }), {
    until: ({ status }) => status === 202,
  });

/** The only token of a page, as the operator sees it. */
async function tokenOf(landingPageID: string) {
  const page = await shown<{ requests: { accessTokenID: string }[] }>("landing-page", "show", landingPageID);
  return shown<{ accessTokenID: string; status: string }>("token", "show", page.requests[0]?.accessTokenID ?? "");
}

describe("a voucher from a landing page", () => {
  it("lowers a payment at a terminal, and is redeemed when the payment is captured", async () => {
    const { code, landingPageID } = await shop.token();
    const payment = await authorizedWith(code.toLowerCase().replaceAll("-", " "));
    const { sessionID, offered } = payment;
    expect(offered).toMatchObject({ amount: 50, totalAmountInclVat: 75.5, totalVatAmount: 15.1 });
    const token = await tokenOf(landingPageID);
    expect(token).toMatchObject({ status: "reserved", use: { sessionID } });
    const { accessTokenID } = token;
    expect(await read(sessionID)).toMatchObject({
      totalAmountInclVat: 75.5,
      amounts: { requested: 125.5, discounted: 50, authorized: 75.5 },
      discounts: [{ accessTokenID, status: "applied" }],
    });
    expect(JSON.stringify(await read(sessionID))).not.toContain(code);

    expect(await capture(payment)).toMatchObject({ status: 202 });
    await silent.sendReport(await silent.reach("capture", sessionID), "captured");
    await until(sessionID, "captured");
    await waitFor("the voucher to be redeemed", () => tokenOf(landingPageID), {
      until: ({ status }) => status === "redeemed",
    });

    const next = await aRunning();
    expect(await discount({ sessionID: next.sessionID, voucherCode: code })).toMatchObject(unavailable("was used on "));
    expect((await read(next.sessionID)).discounts).toEqual([]);
  });

  it("is replayed when it is used again on the same payment", async () => {
    const { code } = await shop.token();
    const { sessionID } = await aRunning();
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await discount({ sessionID, voucherCode: code }));
    expect(answers.map(isReplay)).toEqual([false, true, true]);
    expect(await read(sessionID)).toMatchObject({ discounts: [{ discountAmount: 50 }] });
  });

  it("is refused to other payments while one has reserved it, and released when that payment ends without using it", async () => {
    const { code } = await shop.token();
    const first = await authorizedWith(code);
    const second = await aRunning();
    expect(await discount({ sessionID: second.sessionID, voucherCode: code })).toMatchObject(
      unavailable("is being used in another payment."),
    );

    await cancel(first);
    await silent.sendReport(await silent.reach("void", first.sessionID), "voided");
    await until(first.sessionID, "voided");
    await spend(second.sessionID, code);
    expect(await silent.reach("discount", second.sessionID)).toMatchObject({ amount: 50 });
  });

  it("is released at once when the terminal refuses its discount, with a webhook", async () => {
    const { code } = await shop.token();
    const { sessionID } = await aRunning();
    await discount({ sessionID, voucherCode: code });
    await silent.sendReport(await silent.reach("discount", sessionID), "discountRefused");
    await server.until("discount.refused", sessionID);
    await spend(sessionID, code);
  });

  // The autopilot queries the platform before it lets the customer pay, so the discount is on the terminal by then.
  it("of a percentage lowers the payment by that percentage, on the autopilot too", async () => {
    const templateAccessTokenID = await shop.template("--kind", "voucher", "--percent", "20");
    const { code, mail } = await shop.token({ templateAccessTokenID });
    expect(mail.text).toMatch(/20\s?%\noff your payment/);
    const payment = { totalAmountInclVat: 100.14, captureMode: "automatic", responseWebhookUrl: server.url };
    const body = onAutopilot({ ...payment, expiresInSeconds: 60 });
    const { sessionID } = body;
    await pay(body);
    const { event } = await server.until("actionRequest.created", sessionID);
    expect(await discount({ sessionID, voucherCode: code })).toMatchObject({ status: 202 });
    await server.until("discount.applied", sessionID);
    const { actionRequestID } = event.data as ActionRequestObject;
    await send("POST", "/action-request-response", { responseCode: "accepted", actionRequestID });
    expect(await until(sessionID, "captured", "voided")).toMatchObject({
      status: "captured",
      amounts: { captured: 80.11, discounted: 20.03 },
      discounts: [{ discountPercent: 20, status: "applied" }],
    });
  });
});

describe("a voucher that cannot be used", () => {
  it("is 404 when no token has its code, and 422 when the code is mistyped", async () => {
    const { code } = await shop.token();
    const { sessionID } = await aRunning();
    const wrong = code.startsWith("0") ? `1${code.slice(1)}` : `0${code.slice(1)}`;
    expect(await discount({ sessionID, voucherCode: wrong })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "voucherCode" }] },
    });
    const unknownCode = { sessionID, voucherCode: "0000-0000-0000-0000" };
    expect(await discount(unknownCode)).toMatchObject({ status: 404, body: { code: "voucher_not_found" } });
  });

  it.each([
    ["is a key", ["--kind", "key"], 404, "voucher_not_found"],
    ["is worth nothing off", ["--kind", "voucher", "--product-only"], 409, "voucher_unavailable"],
    ["is in another currency", ["--kind", "voucher", "--amount", "5", "--currency", "EUR"], 422, "currency_mismatch"],
    ["would leave nothing", ["--kind", "voucher", "--amount", "125.5", "--currency", "SEK"], 422, "validation_failed"],
    [
      "is another merchant's",
      ["--kind", "voucher", "--percent", "5", "--merchant", randomUUID()],
      404,
      "voucher_not_found",
    ],
  ])("is refused because it %s", async (_, options, status, code) => {
    const token = await shop.token({ templateAccessTokenID: await shop.template(...options) });
    const { sessionID } = await aRunning();
    const refused = await discount({ sessionID, voucherCode: token.code });
    expect(refused).toMatchObject({ status, body: { code } });
    expect((await read(sessionID)).discounts).toEqual([]);
  });

  it("is refused because it has expired or was revoked", async () => {
    const short = await shop.template("--kind", "voucher", "--percent", "5", "--valid-hours", "0.0001");
    const [expired, revoked] = [await shop.token({ templateAccessTokenID: short }), await shop.token()];
    await shown("token", "revoke", (await tokenOf(revoked.landingPageID)).accessTokenID);
    const { sessionID } = await aRunning();
    expect(await discount({ sessionID, voucherCode: revoked.code })).toMatchObject(unavailable("was revoked on "));
    expect(await discount({ sessionID, voucherCode: expired.code })).toMatchObject(unavailable("expired on "));
  });

  it("can be used again once it was extended", async () => {
    const short = await shop.template("--kind", "voucher", "--percent", "5", "--valid-hours", "0.0001");
    const { code, landingPageID } = await shop.token({ templateAccessTokenID: short });
    const { accessTokenID } = await tokenOf(landingPageID);
    await expect.poll(() => shown("token", "show", accessTokenID)).toMatchObject({ status: "expired" });
    const { sessionID } = await aRunning();
    expect(await shown("token", "extend", accessTokenID, "--days", "2")).toMatchObject({ status: "active" });
    expect(await discount({ sessionID, voucherCode: code })).toMatchObject({ status: 202 });
  });

  it("is refused in addition to an amount, a percentage or another open discount", async () => {
    const { code } = await shop.token();
    const { sessionID } = await aRunning();
    const both = await discount({ sessionID, voucherCode: code, discountAmount: 1 });
    expect(both).toMatchObject({ status: 422, body: { errors: [{ field: "discountAmount" }] } });
    await discount({ sessionID, discountAmount: 1 });
    expect(await discount({ sessionID, voucherCode: code })).toMatchObject({
      status: 409,
      body: { code: "invalid_state" },
    });
  });
});

describe("a code shown at a terminal", () => {
  it("shows the partner its key, and never the code", async () => {
    const templateAccessTokenID = await shop.template("--kind", "key");
    const key = await shop.token({ templateAccessTokenID });
    expect(key.mail.subject).toBe("Your key: A page");
    const actionRequestID = randomUUID();
    await silent.client.raiseActionRequest({ actionRequestID, actionCode: "openGate", code: key.code });
    const { body } = await send<ActionRequestObject>("GET", `/action-request/${actionRequestID}`);
    expect(body).toMatchObject({ token: { kind: "key", productID: key.productID, status: "active" } });
    expect(JSON.stringify(body)).not.toContain(key.code);
    await send("POST", "/action-request-response", { responseCode: "accepted", actionRequestID });
    expect(await silent.reach("actionAnswer", actionRequestID)).toMatchObject({ responseCode: "accepted" });
  });

  it("that no token has is shown as unknown", async () => {
    const actionRequestID = randomUUID();
    await silent.client.raiseActionRequest({ actionRequestID, actionCode: "openGate", code: "0000-0000-0000-0000" });
    const { body } = await send<ActionRequestObject>("GET", `/action-request/${actionRequestID}`);
    expect(body).toMatchObject({ tokenProblem: "codeUnknown" });
    expect(body.token).toBeUndefined();
  });
});
