import { randomUUID } from "node:crypto";
import { request, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { json } from "node:stream/consumers";
import { expect, inject, it } from "vitest";
import { operatorOf } from "../support/admin.ts";
import { partnerFor } from "../support/partner.ts";

// The contract's eleven requests, at the gateway's one base address. They have exactly the contract's paths, headers and members.

const { baseUrl, ...stack } = inject("stack");
const { partner, silent, until } = partnerFor("contract");
const { pointOfServiceID } = partner.terminals.autopilot;
const { pointOfServiceID: silentID } = partner.terminals.silent;
const { basic, functionKeys, productID, templateAccessTokenID } = stack.demo.consumer;

/** Sends a request like an HTTP client that adds only the length of a body. */
async function send(method: string, path: string, headers: Record<string, string>, body?: object) {
  const text = body && JSON.stringify(body);
  const length = text === undefined ? {} : { "Content-Length": String(Buffer.byteLength(text)) };
  const sent = request(`${baseUrl}${path}`, { method, headers: { ...headers, ...length } });
  sent.end(text);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return [response.statusCode, (await json(response)) as Record<string, unknown>] as const;
}

it("consumers' requests of the contract", async () => {
  const landingPageID = randomUUID();
  const ofPage = { landingPageID, productID, templateAccessTokenID, button: 1, email: `${randomUUID()}@example.com` };
  const password = { Authorization: `Basic ${basic}`, "x-functions-key": functionKeys["landing-page-request"] };
  const json = { "Content-Type": "application/json" };
  expect(await send("POST", "/landing-page-request", { ...password, ...json }, ofPage)).toMatchObject([202, {}]);
  const key = { "x-functions-key": functionKeys["get-landing-page"] };
  expect(await send("GET", `/landing-page/${landingPageID}`, key)).toMatchObject([200, { landingPageID }]);
});

it("partners' requests of the contract", async () => {
  // The contract names no terminal in two of its bodies, so the key reaches only one terminal.
  const reaches = ["--scopes", "payments,refunds,terminals,actions,discounts", "--terminals"];
  const of = ["--partner", partner.partnerID, ...reaches];
  const create = operatorOf(inject("stack")).shown<{ apikey: string }>;
  const keyFor = async (terminal: string) => (await create("key", "create", ...of, terminal)).apikey;
  const always = (apikey: string) => ({
    apikey,
    "Ocp-Apim-Subscription-Key": stack.demo.subscriptionKey,
    "Ocp-Apim-Trace": "true",
    Host: new URL(baseUrl).host,
    "Content-Type": "application/json",
  });
  const headers = always(await keyFor(pointOfServiceID));
  const reading = { ...headers, Accept: "application/json" };

  const sessionID = randomUUID();
  const asked = {
    sessionID,
    msgType: "paymentRequest",
    merchantID: partner.merchantID,
    merchantName: "A merchant",
    pointOfServiceID,
    pointOfServiceName: "A terminal",
    totalAmountInclVat: 125.5,
    totalVatAmount: 25.1,
    currency: "SEK",
    responseWebhookUrl: "https://shop.example.com/webhooks",
    merchantReferences: { orderId: randomUUID(), paymentId: randomUUID() },
    _id: randomUUID(),
  };
  expect(await send("POST", "/pos-payment-request", headers, asked)).toMatchObject([202, { sessionID }]);
  await until(sessionID, "authorized");
  const target = { sessionID, pointOfServiceID };
  const capture = { ...target, msgType: "paymentCapture" };
  expect(await send("POST", "/pos-payment-capture", headers, capture)).toMatchObject([202, { sessionID }]);
  await until(sessionID, "captured");
  const money = { currency: "SEK", refundAmount: 25.5, refundReason: "a return" };
  const refund = { ...target, msgType: "paymentRefund", ...money };
  expect(await send("POST", "/pos-payment-refund", headers, refund)).toMatchObject([202, { sessionID }]);
  const cancel = { ...target, msgType: "paymentCancel" };
  expect(await send("POST", "/pos-payment-cancel", headers, cancel)).toMatchObject([409, { code: "invalid_state" }]);

  const status = `/pointOfServices/${pointOfServiceID}/pos-status`;
  expect(await send("GET", status, reading)).toMatchObject([200, { pointOfServiceID }]);
  const available = { statusCode: "available" };
  expect(await send("PATCH", "/set-pos-status", reading, available)).toMatchObject([200, { pointOfServiceID }]);

  const atSilent = { ...always(await keyFor(silentID)), Accept: "application/json" };
  const actionRequestID = randomUUID();
  expect(await silent.client.raiseActionRequest({ actionRequestID, actionCode: "openGate" })).toBe(202);
  const action = `/action-request/${actionRequestID}`;
  expect(await send("GET", action, atSilent)).toMatchObject([200, { actionRequestID, status: "pending" }]);
  const accepted = { responseCode: "accepted" };
  expect(await send("POST", "/action-request-response", atSilent, accepted)).toMatchObject([200, { actionRequestID }]);

  await silent.online();
  const running = { ...asked, sessionID: randomUUID(), pointOfServiceID: silentID, _id: randomUUID() };
  const other = { ...running, merchantReferences: { orderId: randomUUID(), paymentId: randomUUID() } };
  expect(await send("POST", "/pos-payment-request", atSilent, other)).toMatchObject([202, { status: "pending" }]);
  await silent.begin(other.sessionID);
  const discount = await send("POST", "/add-discount", atSilent, { discountAmount: 25.5 });
  expect(discount).toMatchObject([202, { sessionID: other.sessionID, discounts: [{ discountAmount: 25.5 }] }]);
});
