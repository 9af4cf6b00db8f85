import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { partnersClient } from "../../clients/partners/client.ts";
import type { PaymentListObject } from "../../shared/contracts/objects/payment-list.ts";
import { partnerFor } from "../support/partner.ts";

const { partner, onAutopilot, pay, read, refused, send, until } = partnerFor("listing");
const { baseUrl, demo } = inject("stack");
const client = partnersClient({
  baseUrl,
  apikey: partner.apikey,
  subscriptionKey: demo.subscriptionKey,
});
const pointOfServiceID = partner.terminals.autopilot.pointOfServiceID;

/** Three payments of one order, in the order of their creation, and the moments around them. */
const orderId = randomUUID();
const sessions: string[] = [];
let range: { readonly from: string; readonly to: string };
beforeAll(async () => {
  for (const totalAmountInclVat of [111, 112.01, 113]) {
    const body = onAutopilot({ totalAmountInclVat, captureMode: "automatic", merchantReferences: { orderId } });
    expect(await pay(body)).toMatchObject({ status: 202 });
    await until(body.sessionID, "captured", "declined");
    sessions.push(body.sessionID);
  }
  const [first, last] = [await read(sessions[0] ?? ""), await read(sessions[2] ?? "")];
  range = { from: first.createdAt, to: new Date(Date.parse(last.createdAt) + 1).toISOString() };
});

const sessionsOf = (payments: readonly { readonly sessionID: string }[]) => payments.map(({ sessionID }) => sessionID);

describe("a partner's list of payments", () => {
  it("has each payment as a single read returns it, page by page, in the order of creation", async () => {
    const first = await client.payments.list({ ...range, orderId, limit: 2 });
    expect(sessionsOf(first.payments)).toEqual(sessions.slice(0, 2));
    expect(first.payments[0]).toEqual(await read(sessions[0] ?? ""));
    const second = await client.payments.list({ ...range, orderId, limit: 2, after: first.next ?? "" });
    expect(sessionsOf(second.payments)).toEqual(sessions.slice(2));
    expect(second.next).toBeUndefined();
    const all: string[] = [];
    for await (const { sessionID } of client.payments.all({ ...range, orderId, limit: 1 })) all.push(sessionID);
    expect(all).toEqual(sessions);
    // As Java writes a moment, and with the plus of its offset as a blank.
    const query = `from=${range.from.replace("Z", "000000+00:00")}&to=${range.to}&orderId=${orderId}`;
    const written = await send<PaymentListObject>("GET", `/pos-payments?${query}`);
    expect(sessionsOf(written.body.payments)).toEqual(sessions);
  });

  it("has today's payments if no time is named, and otherwise those of a day, a status, or a terminal in any case", async () => {
    const today = range.from.slice(0, 10);
    if (today === range.to.slice(0, 10)) {
      const all: string[] = [];
      for await (const { sessionID } of client.payments.all({ day: today })) all.push(sessionID);
      expect(all).toEqual(expect.arrayContaining(sessions));
      expect(new Set(all).size).toBe(all.length);
    }
    const { payments } = await client.payments.list({
      ...range,
      status: "declined",
      pointOfServiceID: pointOfServiceID.toUpperCase(),
      merchantID: partner.merchantID.toUpperCase(),
      orderId,
    });
    expect(sessionsOf(payments)).toEqual([sessions[1]]);
    const none = await client.payments.list({ ...range, pointOfServiceID: randomUUID() });
    expect(none).toEqual({ payments: [] });
  });

  it.each([
    ["day", "?day=2026-02-30"],
    ["day", "?day=2026-11-21&from=2026-11-21"],
    ["from", "?from=yesterday"],
    ["to", "?from=2026-11-21&to=2026-11-20"],
    ["to", "?from=2026-01-01&to=2026-02-01"],
    ["to", "?to=2026-02-01"],
    ["status", "?status=paid"],
    ["pointOfServiceID", "?pointOfServiceID=1"],
    ["limit", "?limit=101"],
    ["limit", "?limit=1.5"],
    ["after", "?after=x"],
  ])("refuses a wrong %s by its name: %s", async (field, query) => {
    expect(await refused("GET", `/pos-payments${query}`)).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field }] },
    });
  });

  it("refuses the cursor of another list, and accepts it with another limit", async () => {
    const { next = "" } = await client.payments.list({ ...range, orderId, limit: 1 });
    const other = await refused("GET", `/pos-payments?after=${next}&status=captured`);
    expect(other).toMatchObject({ status: 422, body: { errors: [{ field: "after", code: "invalid" }] } });
    const rest = await client.payments.list({ orderId, limit: 100, after: next });
    expect(sessionsOf(rest.payments)).toEqual(sessions.slice(1));
  });

  it("has none of another partner's payments", async () => {
    const stranger = partnerFor("stranger").partner;
    const theirs = partnersClient({
      baseUrl,
      apikey: stranger.apikey,
      subscriptionKey: demo.subscriptionKey,
    });
    if (stranger.partnerID === partner.partnerID) return;
    expect(await theirs.payments.list({ ...range, orderId })).toEqual({ payments: [] });
    const { next = "" } = await client.payments.list({ ...range, orderId, limit: 1 });
    await expect(theirs.payments.list({ ...range, orderId, after: next })).rejects.toThrow(/validation_failed/);
  });
});
