import { randomUUID } from "node:crypto";
import { fromMinorUnits, proportion, toMinorUnits } from "../../shared/domain/money.ts";
import { curlOf } from "./live/curl.ts";
import type { StackFile } from "./stack/stack-file.ts";

interface Sampled {
  readonly demo: Pick<StackFile["demo"], "merchantID" | "terminals">;
}

/** Sweden's standard rate, as a share of a price that includes it: 25 of 125. */
const VAT = { part: 1, whole: 5 };

/** The VAT in a total. Both are in the major unit. */
function vatIn(total: number): number {
  const minor = toMinorUnits(total, CURRENCY);
  if (!minor.ok) throw new Error(`${total} is not an amount in ${CURRENCY}`);
  return fromMinorUnits(proportion(minor.value, VAT.part, VAT.whole), CURRENCY);
}

/** The demo's currency. */
export const CURRENCY = "SEK";

/** A payment request whose approval is captured automatically. `total` is in the major unit. */
export function samplePayment(file: Sampled, total = 125.5, webhookUrl = "http://127.0.0.1:9/") {
  return {
    sessionID: randomUUID(),
    msgType: "paymentRequest",
    merchantID: file.demo.merchantID,
    merchantName: "Demo Kiosk",
    pointOfServiceID: file.demo.terminals.autopilot.pointOfServiceID,
    pointOfServiceName: "Autopilot",
    totalAmountInclVat: total,
    totalVatAmount: vatIn(total),
    currency: CURRENCY,
    captureMode: "automatic" as const,
    responseWebhookUrl: webhookUrl,
    merchantReferences: { orderId: randomUUID(), paymentId: randomUUID() },
    _id: randomUUID(),
  };
}

/** The request as a command to paste into a POSIX shell. */
export const curlFor = (
  file: StackFile,
  { responseWebhookUrl: _, ...body }: ReturnType<typeof samplePayment>,
): string =>
  curlOf({
    method: "POST",
    url: `${file.baseUrl}/pos-payment-request`,
    headers: Object.entries(file.demo.headers),
    body: JSON.stringify(body),
  });
