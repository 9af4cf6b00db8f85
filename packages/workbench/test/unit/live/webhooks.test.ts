import { describe, expect, it } from "vitest";
import { amountIn, eventsOf, nextAttempt, type WebhookEvent } from "../../../live/page/views/webhooks/events.ts";
import { eventsLike, filterOf, queryOf, typesOf } from "../../../live/page/views/webhooks/filter.ts";
import { partsOf, receivedOf, runsOf, signatureOf } from "../../../live/page/views/webhooks/signature.ts";
import { toPaymentObject } from "../../../../../shared/contracts/objects/payment.ts";
import type { Payment } from "../../../../../shared/domain/payment/record/payment.ts";
import { signWebhook } from "../../../../../shared/adapters/webhooks/signature.ts";
import { sampleSource } from "../../browser/sample-source.ts";
import { sampleSecret, sampleWebhook } from "../../browser/sample-webhooks.ts";
import { aPaymentIn } from "../../../../../test/support/a-payment.ts";

const AT = Date.UTC(2026, 10, 21, 9, 30);
const attempt = (more: Partial<Parameters<typeof sampleWebhook>[0]> = {}) =>
  sampleWebhook({
    id: "hook",
    at: AT,
    eventId: "msg_1",
    type: "payment.captured",
    sessionId: "s",
    answer: 200,
    text: "100 € 🎈 \u0000",
    ...more,
  });

describe("the signature that the page computes", () => {
  it("is the platform's own, and differs after a change of one letter", async () => {
    const webhook = attempt();
    const { id, timestamp, body } = partsOf(webhook);
    const signed = signWebhook({ id, timestamp: Number(timestamp), body, secrets: [sampleSecret] });
    const worked = await signatureOf({ id, timestamp, body }, sampleSecret);
    expect(`v1,${worked}`).toBe(signed);
    expect(receivedOf(webhook, worked)).toBe(worked);
    expect(await signatureOf({ id, timestamp, body: `${body} ` }, sampleSecret)).not.toBe(worked);
  });

  it("is compared with the matching one, if the header also holds the old secret's signature", async () => {
    const webhook = attempt();
    const { id, timestamp, body } = partsOf(webhook);
    const old = `whsec_${Buffer.from("the secret before this one").toString("base64")}`;
    const header = signWebhook({ id, timestamp: Number(timestamp), body, secrets: [old, sampleSecret] });
    const worked = await signatureOf({ id, timestamp, body }, sampleSecret);
    expect(receivedOf({ ...webhook, headers: [["Webhook-Signature", header]] }, worked)).toBe(worked);
  });

  it("does not match the signature of another secret", async () => {
    const forged = attempt({ isForged: true });
    const worked = await signatureOf(partsOf(forged), sampleSecret);
    expect(receivedOf(forged, worked)).not.toBe(worked);
  });

  it("is compared letter by letter", () => {
    expect(runsOf("abcde", "abXYe")).toEqual([
      { isAlike: true, left: "ab", right: "ab" },
      { isAlike: false, left: "cd", right: "XY" },
      { isAlike: true, left: "e", right: "e" },
    ]);
    expect(runsOf("ab", "abc").at(-1)).toEqual({ isAlike: false, left: "", right: "c" });
    expect(runsOf("same", "same")).toEqual([{ isAlike: true, left: "same", right: "same" }]);
  });
});

describe("the attempts of webhooks", () => {
  it("are one event by their identifier, the newest first, with the newest one's next attempt", () => {
    const attempts = [
      attempt({ id: "3", attempt: 2, answer: 500, nextAt: AT + 30_000 }),
      attempt({ id: "2", eventId: "msg_2" }),
      attempt({ id: "1", answer: 500, nextAt: AT + 5_000 }),
    ];
    const events = eventsOf(attempts, []);
    expect(events.map(({ id, attempts }) => [id, attempts.map(({ id }) => id)])).toEqual([
      ["msg_1", ["3", "1"]],
      ["msg_2", ["2"]],
    ]);
    expect(events.map(nextAttempt)).toEqual([AT + 30_000, undefined]);
  });

  it.each([
    ["delivered", { answer: 204 }],
    ["open", { answer: undefined }],
    ["open", { answer: 500, nextAt: AT + 5_000 }],
    ["open", { answer: 500 }],
    ["givenUp", { answer: 410, isGivenUp: true }],
    ["givenUp", { answer: undefined, isGivenUp: true }],
  ] as const)("have the outcome %s after %j", (outcome, newest) => {
    const [event] = eventsOf([attempt(newest), attempt({ id: "older", answer: 500 })], []);
    expect(event?.outcome).toBe(outcome);
  });
});

describe("the amount of an event", () => {
  const bodyOf = (payment: Payment) => JSON.stringify({ type: "payment", data: toPaymentObject(payment) });
  const amounts = { requested: 12_550, discounted: 5_000, authorized: 7_550, captured: 0 };

  it.each([
    ["before a discount", aPaymentIn("inProgress"), "125.50 SEK"],
    ["after a discount", aPaymentIn("authorized", { amounts }), "75.50 SEK"],
    ["captured", aPaymentIn("captured", { amounts: { ...amounts, captured: 4_000 } }), "40.00 SEK"],
    ["without minor units", aPaymentIn("inProgress", { currency: "JPY" }), "12550 JPY"],
  ])("is its own payment's, %s", (_, payment, amount) => {
    expect(amountIn(bodyOf(payment))).toBe(amount);
  });

  it.each([
    "no JSON",
    "null",
    "{}",
    '{"data":{"sessionID":"s"}}',
    '{"data":{"status":"captured","currency":"SEK","totalAmountInclVat":"1","amounts":null}}',
    '{"data":{"status":"captured","currency":"???","totalAmountInclVat":1,"amounts":{"captured":1}}}',
  ])("is not known from the body %s", (body) => {
    expect(amountIn(body)).toBeUndefined();
  });
});

describe("the filter of webhooks", () => {
  const { webhooks, payments } = sampleSource().snapshot();
  const events = eventsOf(webhooks, payments);
  const found = (query: string) => eventsLike(events, filterOf(query)).map(({ attempts: [last] }) => last.id);

  it("finds an event by its payment's order or session, or by its own identifier", () => {
    const [{ payment, attempts }] = events.slice(4) as [WebhookEvent];
    const [{ id, sessionId = "", eventId }] = attempts;
    for (const text of [payment?.orderId ?? "", sessionId.toUpperCase(), eventId])
      expect(found(new URLSearchParams({ text }).toString())).toEqual([id]);
  });

  it("filters by type and outcome at once, and offers a type in the address that no event has", () => {
    expect(found("outcome=givenUp")).toEqual(["hook-7"]);
    expect(found("outcome=givenUp&type=payment.captured")).toEqual([]);
    expect(found("outcome=open")).toEqual(["hook-2", "hook-3"]);
    const types = typesOf(events, filterOf("type=day.closed")).map(([type]) => type);
    expect(types).toEqual(["day.closed", "payment.captured", "payment.inProgress"]);
  });

  it("is complete again when it is read from the address that it was written to", () => {
    const filter = { text: "order #7 & more/€", type: "payment.captured", outcome: "open" };
    expect(filterOf(queryOf(filter))).toEqual(filter);
    expect(queryOf(filterOf(""))).toBe("");
  });
});
