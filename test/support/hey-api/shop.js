import { randomUUID } from "node:crypto";
import { client } from "./sdk/client.gen.ts";
import { events, posPayment, posPaymentRequest, posPayments } from "./sdk/index.ts";

// A partner's programs with a client that hey-api generates: `pay` and `read`.

const { BASE_URL, APIKEY, SUBSCRIPTION_KEY, MERCHANT_ID, TERMINAL_ID, WEBHOOK_PORT } = process.env;
client.setConfig({
  baseUrl: BASE_URL,
  headers: { apikey: APIKEY, "Ocp-Apim-Subscription-Key": SUBSCRIPTION_KEY },
  throwOnError: true,
});

async function repeated(send) {
  for (let attempt = 0; ; attempt++) {
    try {
      return (await send()).data;
    } catch (error) {
      if (attempt === 8 || !(error instanceof TypeError)) throw error; // fetch's own error, so there was no response
      await new Promise((resolve) => setTimeout(resolve, 200 * 2 ** attempt));
    }
  }
}

async function pay() {
  const body = {
    sessionID: randomUUID(),
    msgType: "paymentRequest",
    merchantID: MERCHANT_ID,
    pointOfServiceID: TERMINAL_ID,
    totalAmountInclVat: 125.5,
    currency: "SEK",
    captureMode: "automatic",
    responseWebhookUrl: `http://127.0.0.1:${WEBHOOK_PORT}/webhooks`,
  };
  let payment = await repeated(() => posPaymentRequest({ body }));
  while (!payment.final) payment = await repeated(() => posPayment({ path: { session_id: body.sessionID } }));
  console.log(`${payment.sessionID}: ${payment.status}`);
}

async function read() {
  const { payments } = await repeated(() => posPayments());
  for (const payment of payments) console.log(`${payment.sessionID}: ${payment.status}`);
  const page = await repeated(() => events());
  for (const { type, id } of page.events) console.log(`${type} ${id}`);
}

await { pay, read }[process.argv[2]]();
