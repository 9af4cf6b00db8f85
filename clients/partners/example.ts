import { randomUUID } from "node:crypto";
import type { PartnersClient, Payment } from "terminal-payments-partners-client";

/** Takes 125.50 SEK: sends the payment to the terminal, and waits until it has ended. Returns the ended payment. */
export async function takePayment(
  partners: PartnersClient,
  merchantID: string,
  pointOfServiceID: string,
  orderId: string,
): Promise<Payment> {
  const sessionID = randomUUID(); // identifies this payment permanently: store it before the request
  const amount = { totalAmountInclVat: 125.5, currency: "SEK" };
  const merchantReferences = { orderId }; // without it, a second payment of the order is not detected
  const order = { sessionID, merchantID, pointOfServiceID, merchantReferences };
  // "automatic": an approval is captured without a request of yours. The default is "manual".
  let payment = await partners.payments.request({ ...order, ...amount, captureMode: "automatic" });
  if (payment.possibleDuplicateOf !== undefined) await partners.payments.cancel(payment); // the order is paid already
  while (!payment.final) {
    await new Promise((resolve) => setTimeout(resolve, 250)); // or wait for webhooks
    payment = await partners.payments.get(sessionID);
  }
  return payment;
}
