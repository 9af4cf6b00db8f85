import { randomUUID } from "node:crypto";
import type { PartnersClient, Payment } from "terminal-payments-partners-client";

/** Takes 125.50 SEK: asks the terminal, waits for the card, captures. Returns the payment as it ended. */
export async function takePayment(
  partners: PartnersClient,
  merchantID: string,
  pointOfServiceID: string,
  orderId: string,
): Promise<Payment> {
  const sessionID = randomUUID(); // names this payment for ever: store it before the request
  const amount = { totalAmountInclVat: 125.5, currency: "SEK" };
  const merchantReferences = { orderId }; // without it nothing notices that an order is paid twice
  const request = { sessionID, merchantID, pointOfServiceID, merchantReferences, ...amount };
  let payment = await partners.payments.request(request);
  if (payment.possibleDuplicateOf !== undefined) await partners.payments.cancel(payment); // paid already
  while (!payment.final) {
    if (payment.status === "authorized") payment = await partners.payments.capture(payment);
    await new Promise((resolve) => setTimeout(resolve, 250)); // or let webhooks tell
    payment = await partners.payments.get(sessionID);
  }
  return payment;
}
