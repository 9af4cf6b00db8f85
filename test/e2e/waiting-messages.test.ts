import { randomUUID } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import { operatorOf } from "../support/admin.ts";
import { isReplay, partnerFor, partnerOn, type PaymentTarget } from "../support/partner.ts";

const waiting = partnerFor("waiting messages");
const { cancel, capture, partner, pay, read, refund, request, silent, status, until } = waiting;

/** A payment of 125.50 SEK that the terminal has approved. */
async function anApproved(more: Record<string, unknown> = {}) {
  await silent.online();
  const body = request(more);
  expect(await pay(body)).toMatchObject({ status: 202 });
  await silent.approve(body.sessionID);
  return body;
}

async function aCaptured() {
  const body = await anApproved({ captureMode: "automatic" });
  await until(body.sessionID, "captured");
  return body;
}

async function anAuthorized() {
  const body = await anApproved();
  await until(body.sessionID, "authorized");
  return body;
}

/** Waits until the terminal counts as off. That is later than a fetched message would be in doubt. */
async function off({ pointOfServiceID }: PaymentTarget) {
  await expect.poll(() => status(pointOfServiceID), { interval: 250 }).toMatchObject({ online: false });
}

const secondsAfter = (moment: string | undefined, seconds: number) =>
  new Date(Date.parse(moment ?? "") + seconds * 1_000).toISOString();

const refundOf = async ({ sessionID }: PaymentTarget, refundID: string) =>
  (await read(sessionID)).refunds.find((one) => one.refundID === refundID);

describe("a terminal that is off", () => {
  it("gets a capture and a refund when it is back, each once", async () => {
    const [sale, returned] = [await anAuthorized(), await aCaptured()];
    const refundID = randomUUID();
    expect(await capture(sale)).toMatchObject({ status: 202, body: { status: "captureRequested" } });
    expect(await refund(returned, 25.5, { refundID, deliverWithinSeconds: 3_600 })).toMatchObject({ status: 202 });
    await off(sale);

    expect(await status(sale.pointOfServiceID)).toMatchObject({ waiting: 2 });
    const [waits] = (await read(returned.sessionID)).refunds;
    expect(waits).toMatchObject({ status: "pending", fetched: false });
    expect(waits?.deliverBefore).toBe(secondsAfter(waits?.createdAt, 3_600));
    const requested = await read(sale.sessionID);
    expect(requested).toMatchObject({ status: "captureRequested", fetched: false });
    expect(requested.deliverBefore).toBe(secondsAfter(requested.charges[0]?.createdAt, 30 * 24 * 3_600));

    const fetched: string[] = [];
    for (let i = 0; i < 2; i++) {
      const message = await silent.next();
      fetched.push(message.type);
      if (message.type === "capture") await silent.sendReport(message, "captured");
      else {
        expect(await refundOf(returned, refundID)).toMatchObject({ status: "pending", fetched: true });
        expect(await cancel(returned, { refundID })).toMatchObject({
          status: 409,
          body: { code: "invalid_state", currentStatus: "captured", refundID, refundStatus: "pending" },
        });
        await silent.sendReport(message, "refunded", { refundID });
      }
    }
    expect(fetched.toSorted()).toEqual(["capture", "refund"]);
    await until(sale.sessionID, "captured");
    await expect.poll(() => refundOf(returned, refundID)).toMatchObject({ status: "succeeded" });
    expect(await refundOf(returned, refundID)).not.toHaveProperty("deliverBefore");
    expect(await cancel(returned, { refundID })).toMatchObject({ status: 409, body: { refundStatus: "succeeded" } });
    expect(await silent.client.next(0)).toBeUndefined();
    expect(await status(sale.pointOfServiceID)).toMatchObject({ waiting: 0 });
  });

  it("gets a payment before fifty refunds that have waited", async () => {
    const returned = await aCaptured();
    const refundIDs = Array.from({ length: 50 }, () => randomUUID());
    for (const refundID of refundIDs) {
      const wanted = { refundID, confirmDuplicate: true, deliverWithinSeconds: 3_600 };
      expect(await refund(returned, 1, wanted)).toMatchObject({ status: 202 });
    }
    await silent.online(); // fetches the first
    const sale = request();
    expect(await pay(sale)).toMatchObject({ status: 202 });
    expect(await status(sale.pointOfServiceID)).toMatchObject({ waiting: 49 });
    expect(await silent.next()).toMatchObject({ type: "payment", sessionID: sale.sessionID });
    await cancel(sale);
    await silent.sendReport(await silent.reach("cancel", sale.sessionID), "cancelled");
    const made = new Set<string>();
    while (made.size < refundIDs.length) {
      const message = await silent.next();
      const { refundID = "" } = message;
      made.add(refundID);
      await silent.sendReport(message, "refunded", { refundID });
    }
    expect([...made].toSorted()).toEqual(refundIDs.toSorted());
  });

  it("never gets a capture that a cancel has withdrawn, but a void", async () => {
    const sale = await anAuthorized();
    await capture(sale);
    await off(sale);
    expect(await cancel(sale)).toMatchObject({
      status: 202,
      body: { status: "voidRequested", statusReason: "cancelledByPartner" },
    });
    const message = await silent.next();
    expect(message.type).toBe("void");
    await silent.sendReport(message, "voided");
    await until(sale.sessionID, "voided");
  });
});

describe("a refund that waits", () => {
  it("is withdrawn by its refundID with the scope refunds, and the payment stays as it is", async () => {
    const returned = await aCaptured();
    const refundID = randomUUID();
    await refund(returned, 25.5, { refundID, deliverWithinSeconds: 604_800 });
    const { shown } = operatorOf(inject("stack"));
    const withScope = async (scope: string) => {
      const words = ["key", "create", "--partner", partner.partnerID, "--scopes", scope];
      const { apikey = "" } = await shown<Record<string, string>>(...words);
      return partnerOn(inject("stack"), { ...partner, apikey });
    };
    const detail = "The key lacks the scope refunds.";
    expect(await (await withScope("payments")).cancel(returned, { refundID })).toMatchObject({
      status: 403,
      body: { code: "forbidden", detail },
    });
    const other = await withScope("refunds");
    expect(await other.cancel(returned)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    expect(await other.cancel(returned, { refundID: randomUUID() })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "refundID" }] },
    });
    expect(await other.cancel({ ...returned, sessionID: randomUUID() }, { refundID })).toMatchObject({
      status: 404,
      body: { code: "payment_not_found" },
    });

    const withdrawn = await other.cancel(returned, { refundID });
    expect(withdrawn).toMatchObject({
      status: 200,
      body: {
        status: "captured",
        amounts: { refunded: 0, refundPending: 0 },
        refunds: [{ refundID, status: "failed", statusReason: "cancelledByPartner" }],
      },
    });
    expect(isReplay(withdrawn)).toBe(false);
    expect(isReplay(await other.cancel(returned, { refundID }))).toBe(true);
    expect(await silent.client.next(0)).toBeUndefined();
  });

  it("for longer than ten minutes needs a name, and keeps its wait under it", async () => {
    const returned = await aCaptured();
    expect(await refund(returned, 5, { deliverWithinSeconds: 601 })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "refundID", code: "required" }] },
    });
    const named = { refundID: randomUUID(), deliverWithinSeconds: 601 };
    const first = await refund(returned, 5, named);
    const { deliverBefore } = first.body.refunds[0] ?? {};
    const again = await refund(returned, 5, named);
    expect(isReplay(again)).toBe(true);
    expect(again.body.refunds).toMatchObject([{ deliverBefore }]);
    const longer = await refund(returned, 5, { ...named, deliverWithinSeconds: 602 });
    expect(longer).toMatchObject({ status: 422, body: { code: "idempotency_mismatch" } });
    await cancel(returned, named);
  });
});

it("A repeated capture keeps the first wait, and under one Idempotency-Key another wait is refused", async () => {
  const sale = await anAuthorized();
  const key = { "Idempotency-Key": randomUUID() };
  const first = await capture(sale, { deliverWithinSeconds: 3_600 }, key);
  const { deliverBefore } = first.body;
  expect(isReplay(await capture(sale, { deliverWithinSeconds: 3_600 }, key))).toBe(true);
  expect(await capture(sale, { deliverWithinSeconds: 60 }, key)).toMatchObject({
    status: 422,
    body: { code: "idempotency_mismatch" },
  });
  expect(await capture(sale, { deliverWithinSeconds: 60 })).toMatchObject({ status: 202, body: { deliverBefore } });
  await cancel(sale);
  await silent.sendReport(await silent.reach("void", sale.sessionID), "voided");
});
