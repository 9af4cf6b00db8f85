import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { ActionRequestObject } from "../../shared/contracts/objects/action-request.ts";
import { operatorOf } from "../support/admin.ts";
import { partnerFor } from "../support/partner.ts";
import { aRunningPayment } from "../support/running-payment.ts";
import { waitFor } from "../support/wait-for.ts";
import { webShopOn } from "../support/web-shop.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const stack = inject("stack");
const shop = webShopOn(stack);
const { shown } = operatorOf(stack);
const asPartner = partnerFor("vouchers");
const { partner, capture, discount, onAutopilot, pay, read, send, silent, until } = asPartner;
let server: Awaited<ReturnType<typeof startWebhookServer>>;
beforeAll(async () => {
  server = await startWebhookServer(partner.webhookSecret);
});
afterAll(async () => server.close());

const aRunning = () => aRunningPayment(asPartner);

/** The only token of a page, as the operator sees it. */
async function tokenOf(landingPageID: string) {
  const page = await shown<{ requests: { accessTokenID: string }[] }>("landing-page", "show", landingPageID);
  return shown<{ accessTokenID: string; status: string }>("token", "show", page.requests[0]?.accessTokenID ?? "");
}

describe("a voucher from a landing page", () => {
  it("lowers a payment at a terminal, and is redeemed when the payment is captured", async () => {
    const { code, landingPageID } = await shop.token();
    const { message, ...payment } = await aRunning();
    const { sessionID } = payment;
    const voucherCode = code.toLowerCase().replaceAll("-", " ");
    expect(await discount({ sessionID, voucherCode })).toMatchObject({ status: 202 });
    const offered = await silent.reach("discount", sessionID);
    expect(offered).toMatchObject({ amount: 50, totalAmountInclVat: 75.5, totalVatAmount: 15.1 });
    await silent.sendReport(offered, "discountApplied");
    await silent.sendReport(message, "authorized", { amount: offered.totalAmountInclVat });
    await until(sessionID, "authorized");
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
    expect(await discount({ sessionID: next.sessionID, voucherCode })).toMatchObject({
      status: 409,
      body: {
        code: "voucher_unavailable",
        detail: expect.stringContaining("was used on ") as string,
        retryable: false,
      },
    });
    expect((await read(next.sessionID)).discounts).toEqual([]);
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

  it("is 422 in another currency, and in addition to an amount", async () => {
    const options = ["--kind", "voucher", "--amount", "5", "--currency", "EUR"];
    const { code } = await shop.token({ templateAccessTokenID: await shop.template(...options) });
    const { sessionID } = await aRunning();
    expect(await discount({ sessionID, voucherCode: code })).toMatchObject({
      status: 422,
      body: { code: "currency_mismatch" },
    });
    const both = await discount({ sessionID, voucherCode: code, discountAmount: 1 });
    expect(both).toMatchObject({ status: 422, body: { errors: [{ field: "discountAmount" }] } });
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
});
