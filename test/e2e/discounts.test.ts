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

const tooMuch = { status: 422, body: { code: "validation_failed", errors: [{ field: "discountAmount" }] } };

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
    await server.until("discount.applied", sessionID);
    expect(await read(sessionID)).toMatchObject({
      totalAmountInclVat: 112.95,
      totalVatAmount: 22.59,
      discounts: [{ discountPercent: 10, discountAmount: 12.55 }],
    });
  });

  it("leaves the VAT that its request states", async () => {
    const { sessionID } = await aRunning();
    await discount({ sessionID, discountAmount: 25, totalVatAmount: 12.06 });
    const offered = await silent.reach("discount", sessionID);
    expect(offered).toMatchObject({ totalAmountInclVat: 100.5, totalVatAmount: 12.06 });
    await silent.sendReport(offered, "discountApplied");
    await server.until("discount.applied", sessionID);
    expect(await read(sessionID)).toMatchObject({ totalAmountInclVat: 100.5, totalVatAmount: 12.06 });
  });

  it("after a discount with a stated VAT gives the terminal and the partner the same VAT", async () => {
    const { sessionID } = await aRunning();
    await discount({ sessionID, discountAmount: 25, totalVatAmount: 12.06 });
    await silent.sendReport(await silent.reach("discount", sessionID), "discountApplied");
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

  it.each([
    ["refused by an approval of the whole amount", 125.5, "refused"],
    ["applied by an approval of the smaller amount", 100.5, "applied"],
  ])("that the terminal has not answered is %s", async (_, amount, outcome) => {
    const { sessionID, message } = await aRunning();
    await discount({ sessionID, discountAmount: 25 });
    await silent.sendReport(message, "authorized", { amount });
    const delivered = await server.until(`discount.${outcome}`, sessionID);
    expect(delivered.event.data).toMatchObject({
      status: "authorized",
      totalAmountInclVat: amount,
      amounts: { authorized: amount },
      discounts: [{ status: outcome }],
    });
  });

  it("is applied by the autopilot's terminal before the card", async () => {
    const { sessionID } = onAutopilot();
    await pay(onAutopilot({ sessionID, totalAmountInclVat: 125.07 }));
    await until(sessionID, "inProgress");
    expect(await discount({ sessionID, discountAmount: 25 })).toMatchObject({ status: 202 });
    expect(await until(sessionID, "authorized")).toMatchObject({
      totalAmountInclVat: 100.07,
      amounts: { requested: 125.07, discounted: 25, authorized: 100.07 },
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

  it("is 409 once the payment is approved", async () => {
    const { sessionID, message } = await aRunning();
    await silent.sendReport(message, "authorized");
    await until(sessionID, "authorized");
    expect(await discount({ sessionID, discountAmount: 25 })).toMatchObject({
      status: 409,
      body: { code: "invalid_state", currentStatus: "authorized" },
    });
  });

  it("is 422 if no total above zero is left after earlier discounts", async () => {
    const { sessionID } = await aRunning();
    expect(await discount({ sessionID, discountAmount: 125.5 })).toMatchObject(tooMuch);
    expect(await discount({ sessionID, discountAmount: 100 })).toMatchObject({ status: 202 });
    await silent.sendReport(await silent.reach("discount", sessionID), "discountApplied");
    expect(await discount({ sessionID, discountAmount: 25.5 })).toMatchObject(tooMuch);
    expect(await discount({ sessionID, discountAmount: 25.49 })).toMatchObject({ status: 202 });
  });

  it("is 409 while the terminal has not answered another discount", async () => {
    const { sessionID } = await aRunning();
    const waits = {
      status: 409,
      body: { code: "invalid_state", detail: expect.stringContaining("has not answered") as string },
    };
    for (const answer of ["discountRefused", "discountApplied"]) {
      expect(await discount({ sessionID, discountAmount: 25 })).toMatchObject({ status: 202 });
      expect(await discount({ sessionID, discountAmount: 10 })).toMatchObject(waits);
      await silent.sendReport(await silent.reach("discount", sessionID), answer);
    }
    await discount({ sessionID, discountAmount: 10 });
    const offered = await silent.reach("discount", sessionID);
    expect(offered).toMatchObject({ amount: 10, totalAmountInclVat: 90.5 });
  });

  it("is 422 when its amount is invalid, and nothing is offered", async () => {
    const { sessionID } = await aRunning();
    const wrong = {
      "no kind of discount": {},
      "two kinds": { discountAmount: 1, discountPercent: 1 },
      "an amount of nothing": { discountAmount: 0 },
      "a negative amount": { discountAmount: -1 },
      "more decimals than öre": { discountAmount: 1.234 },
      "all of it": { discountPercent: 100 },
      "less than nothing": { discountPercent: -5 },
    };
    for (const [what, kind] of Object.entries(wrong)) {
      const answer = await discount({ sessionID, ...kind });
      expect({ what, ...answer }).toMatchObject({ what, status: 422, body: { code: "validation_failed" } });
    }
    expect(await read(sessionID)).toMatchObject({ discounts: [] });
  });

  it("is 422 if its VAT is above the remaining total", async () => {
    const { sessionID } = await aRunning();
    expect(await discount({ sessionID, discountAmount: 25, totalVatAmount: 100.51 })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "totalVatAmount" }] },
    });
    expect(await read(sessionID)).toMatchObject({ discounts: [] });
  });
});

describe("a repeated discount", () => {
  it("is replayed, and refused when its discountID comes with another amount", async () => {
    const { sessionID } = await aRunning();
    const discountID = randomUUID();
    expect(isReplay(await discount({ sessionID, discountID, discountAmount: 25 }))).toBe(false);
    await silent.sendReport(await silent.reach("discount", sessionID), "discountApplied");
    const again = await discount({ sessionID, discountID, discountAmount: 25 });
    expect(again).toMatchObject({ status: 202, body: { discounts: [{ discountID, status: "applied" }] } });
    expect(isReplay(again)).toBe(true);
    expect(await discount({ sessionID, discountID, discountAmount: 24 })).toMatchObject({
      status: 422,
      body: { code: "idempotency_mismatch" },
    });
    expect(await read(sessionID)).toMatchObject({ discounts: [{ discountAmount: 25 }] });
  });

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
  it("is the running payment on the named terminal", async () => {
    const { sessionID, pointOfServiceID } = await aRunning();
    expect(await discount({ pointOfServiceID, discountAmount: 25 })).toMatchObject({
      status: 202,
      body: { sessionID, discounts: [{ status: "requested" }] },
    });
  });

  it("is the only running payment, if nothing is named", async () => {
    const { sessionID } = await aRunning();
    expect(await discount({ discountAmount: 25 })).toMatchObject({ status: 202, body: { sessionID } });
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
