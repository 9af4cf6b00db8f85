import { randomUUID } from "node:crypto";
import { partnersClient } from "terminal-payments-partners-client";

const { BASE_URL = "", APIKEY = "", SUBSCRIPTION_KEY = "", WEBHOOK_PORT = "4242" } = process.env;
const { MERCHANT_ID: merchantID = "", TERMINAL_ID: pointOfServiceID = "" } = process.env;

const partners = partnersClient({ baseUrl: BASE_URL, apikey: APIKEY, subscriptionKey: SUBSCRIPTION_KEY });
const payment = await partners.payments.request({
  sessionID: randomUUID(), // store it before the request: the same again is the same payment
  merchantID,
  pointOfServiceID,
  totalAmountInclVat: 125.5,
  currency: "SEK",
  merchantReferences: { orderId: randomUUID() }, // your order's number: without it nothing notices an order that is paid twice
  captureMode: "automatic",
  responseWebhookUrl: `http://127.0.0.1:${WEBHOOK_PORT}/webhooks`, // elsewhere https; your default address when left out
});
console.log(`${payment.sessionID}: ${payment.status}`);
if (payment.possibleDuplicateOf !== undefined) await partners.payments.cancel(payment); // the order is paid already
