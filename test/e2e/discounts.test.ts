import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isReplay, partnerFor } from "../support/partner.ts";
import { aRunningPayment } from "../support/running-payment.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const asPartner = partnerFor("discounts");
const { partner, discount, onAutopilot, pay, read, silent, until } = asPartner;
let server: Awaited<ReturnType<typeof startWebhookServer>>;
beforeAll(async () => {
  server = await startWebhookServer(partner.webhookSecret);
});
afterAll(async () => server.close());

const aRunning = (more: Record<string, unknown> = {}) =>
  aRunningPayment(asPartner, { responseWebhookUrl: server.url, ...more });

describe("a discount", () => {
  it("is requested until the terminal applies it, and then lowers the total, the VAT and the charged amount", async () => {
    const { sessionID, message } = await aRunning();
    const discountID = randomUUID();
    expect(await discount({ sessionID, discountID, discountAmount: 25, reason: "member" })).toMatchObject({
      status: 202,
      body: {
        totalAmountInclVat: 125.5,
        amounts: { requested: 125.5, discounted: 0 },
        discounts: [{ discountID, discountAmount: 25, reason: "member", status: "requested" }],
      },
    });
    const offered = await silent.reach("discount", sessionID);
    expect(offered).toMatchObject({ discountID, amount: 25, totalAmountInclVat: 100.5, totalVatAmount: 20.1 });
    await silent.sendReport(offered, "discountApplied", { discountID });

    const delivered = await server.until("discount.applied", sessionID);
    expect(delivered.event.data).toMatchObject({
      totalAmountInclVat: 100.5,
      totalVatAmount: 20.1,
      amounts: { requested: 125.5, discounted: 25 },
      discounts: [{ discountID, status: "applied" }],
    });
    await silent.sendReport(message, "authorized", { amount: offered.totalAmountInclVat });
    const approved = await until(sessionID, "voidRequested", "authorized");
    expect(approved).toMatchObject({ status: "authorized", amounts: { authorized: 100.5 } });
  });

  it("in percent is taken off the amount to pay", async () => {
    const { sessionID } = await aRunning();
    await discount({ sessionID, discountPercent: 10 });
    const offered = await silent.reach("discount", sessionID);
    expect(offered).toMatchObject({ amount: 12.55, totalAmountInclVat: 112.95, totalVatAmount: 22.59 });
    await silent.sendReport(offered, "discountApplied");
    expect(await read(sessionID)).toMatchObject({
      totalAmountInclVat: 112.95,
      totalVatAmount: 22.59,
      discounts: [{ discountPercent: 10, discountAmount: 12.55 }],
    });
  });

  it("leaves the VAT that its request states; the next one gives the terminal and the partner the same VAT", async () => {
    const { sessionID } = await aRunning();
    await discount({ sessionID, discountAmount: 25, totalVatAmount: 12.06 });
    const stated = await silent.reach("discount", sessionID);
    expect(stated).toMatchObject({ totalAmountInclVat: 100.5, totalVatAmount: 12.06 });
    await silent.sendReport(stated, "discountApplied");
    expect(await read(sessionID)).toMatchObject({ totalAmountInclVat: 100.5, totalVatAmount: 12.06 });
    await discount({ sessionID, discountAmount: 50.25 });
    const offered = await silent.reach("discount", sessionID);
    await silent.sendReport(offered, "discountApplied");
    const { totalAmountInclVat, totalVatAmount } = await read(sessionID);
    expect(offered).toMatchObject({ totalAmountInclVat, totalVatAmount });
    expect(totalVatAmount).toBeLessThan(12.06);
  });

  it("that the terminal refuses changes nothing, and sends a webhook", async () => {
    const { sessionID } = await aRunning();
    await discount({ sessionID, discountAmount: 25 });
    await silent.sendReport(await silent.reach("discount", sessionID), "discountRefused");
    const delivered = await server.until("discount.refused", sessionID);
    expect(delivered.event.data).toMatchObject({
      status: "inProgress",
      totalAmountInclVat: 125.5,
      totalVatAmount: 25.1,
      discounts: [{ status: "refused" }],
    });
  });
});

describe("a refused discount", () => {
  it("is 409 once the terminal has locked the amount", async () => {
    const { sessionID, message } = await aRunning();
    await silent.sendReport(message, "amountLocked");
    expect(await discount({ sessionID, discountAmount: 25 })).toMatchObject({
      status: 409,
      body: { code: "invalid_state", currentStatus: "inProgress" },
    });
    expect(await read(sessionID)).toMatchObject({ discounts: [] });
  });

  it("is 422 when its amount is invalid, and nothing is offered", async () => {
    const { sessionID } = await aRunning();
    const amounts = [{ discountAmount: 0 }, { discountAmount: -1 }, { discountAmount: 1.234 }];
    const percents = [{ discountPercent: 100 }, { discountPercent: -5 }];
    for (const wrong of [{}, { discountAmount: 1, discountPercent: 1 }, ...amounts, ...percents]) {
      const answer = await discount({ sessionID, ...wrong });
      expect({ wrong, ...answer }).toMatchObject({ wrong, status: 422, body: { code: "validation_failed" } });
    }
    expect(await read(sessionID)).toMatchObject({ discounts: [] });
  });
});

describe("a repeated discount", () => {
  it("is replayed by its Idempotency-Key, which names no other discount, with or without a discountID", async () => {
    const { sessionID } = await aRunning();
    const named = { "Idempotency-Key": "welcome 1" };
    const first = await discount({ sessionID, discountAmount: 25 }, named);
    expect(first).toMatchObject({ status: 202 });
    const again = await discount({ sessionID, discountAmount: 25 }, named);
    expect(again.body).toMatchObject({ discounts: [{ discountAmount: 25 }] });
    expect(isReplay(again)).toBe(true);
    const discountID = first.body.discounts[0]?.discountID ?? "";
    expect(isReplay(await discount({ sessionID, discountID, discountAmount: 25 }, named))).toBe(true);
    const mismatch = { status: 422, body: { code: "idempotency_mismatch" } };
    const other = { discountID: randomUUID(), discountAmount: 25 };
    expect(await discount({ sessionID, discountAmount: 24 }, named)).toMatchObject(mismatch);
    expect(await discount({ sessionID, ...other }, named)).toMatchObject(mismatch);
    const unknown = { "Idempotency-Key": "welcome 2" };
    expect(await discount({ sessionID, discountID, discountAmount: 25 }, unknown)).toMatchObject(mismatch);
    expect((await read(sessionID)).discounts).toHaveLength(1);
  });
});

describe("the payment of a discount", () => {
  it("is the running payment on the named terminal, or the only one if nothing is named", async () => {
    const { sessionID, pointOfServiceID } = await aRunning();
    const discountID = randomUUID();
    const named = await discount({ pointOfServiceID, discountID, discountAmount: 25 });
    expect(named).toMatchObject({ status: 202, body: { sessionID, discounts: [{ status: "requested" }] } });
    expect(await discount({ discountID, discountAmount: 25 })).toMatchObject({ status: 202, body: { sessionID } });
  });

  it("must be named when no payment or two are running", async () => {
    const required = { status: 422, body: { code: "target_required" } };
    expect(await discount({ discountAmount: 25 })).toMatchObject(required);
    await aRunning();
    const other = onAutopilot({ totalAmountInclVat: 100.07 });
    await pay(other);
    await until(other.sessionID, "inProgress");
    expect(await discount({ discountAmount: 25 })).toMatchObject(required);
    await until(other.sessionID, "authorized");
  });

  it("is 404 when it does not exist, or does not run on the named terminal", async () => {
    const missing = { status: 404, body: { code: "payment_not_found" } };
    const { pointOfServiceID } = partner.terminals.autopilot;
    for (const target of [{ sessionID: randomUUID() }, { pointOfServiceID }, { pointOfServiceID: randomUUID() }])
      expect(await discount({ ...target, discountAmount: 25 })).toMatchObject(missing);
  });
});
