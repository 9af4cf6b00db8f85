import { randomUUID } from "node:crypto";
import { type partnersClient, type Payment } from "./client.ts";

type Partners = ReturnType<typeof partnersClient>;

/** Takes 125.50 SEK: asks the terminal, waits for the card, captures. Returns the payment as it ended. */
export async function takePayment(partners: Partners, merchantID: string, pointOfServiceID: string): Promise<Payment> {
  const sessionID = randomUUID(); // one name, one payment: keep it, and whenever in doubt send the same again
  const amount = { totalAmountInclVat: 125.5, currency: "SEK" };
  const asked = await partners.POST("/pos-payment-request", {
    body: { msgType: "paymentRequest", sessionID, merchantID, pointOfServiceID, ...amount },
  });
  if (!asked.data) throw new Error(`${asked.error.code}: ${asked.error.title}`);
  for (let payment = asked.data; ; await new Promise((resolve) => setTimeout(resolve, 250))) {
    if (payment.final) return payment;
    if (payment.status === "authorized")
      await partners.POST("/pos-payment-capture", { body: { msgType: "paymentCapture", sessionID, pointOfServiceID } });
    const params = { path: { session_id: sessionID } };
    payment = (await partners.GET("/pos-payment/{session_id}", { params })).data ?? payment; // or let webhooks tell
  }
}
