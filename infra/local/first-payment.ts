import { randomUUID } from "node:crypto";
import type { StackFile } from "./stack-file.ts";

/** A payment request with only the specification's own fields. */
export function samplePayment(file: StackFile, total = 125.5, webhookUrl = "http://127.0.0.1:9/") {
  return {
    sessionID: randomUUID(),
    msgType: "paymentRequest",
    merchantID: file.demo.merchantID,
    merchantName: "Demo Kiosk",
    pointOfServiceID: file.demo.terminals.autopilot.pointOfServiceID,
    pointOfServiceName: "Autopilot",
    totalAmountInclVat: total,
    totalVatAmount: 25.1,
    currency: "SEK",
    responseWebhookUrl: webhookUrl,
    merchantReferences: { orderId: randomUUID(), paymentId: randomUUID() },
    _id: randomUUID(),
  };
}

/** The request as a command to paste into a POSIX shell. */
export function curlFor(file: StackFile, { responseWebhookUrl: _, ...body }: ReturnType<typeof samplePayment>): string {
  const headers = Object.entries(file.demo.headers).map(([name, value]) => `  -H '${name}: ${value}' \\`);
  return [`curl -s '${file.partnersUrl}/pos-payment-request' \\`, ...headers, `  -d '${JSON.stringify(body)}'`].join(
    "\n",
  );
}
