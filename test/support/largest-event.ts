import { randomUUID } from "node:crypto";
import type { EventEnvelope } from "../../shared/contracts/events/events.ts";
import { toPaymentObject } from "../../shared/contracts/objects/payment.ts";
import type { Discount, Refund } from "../../shared/domain/payment/record/payment.ts";
import { grown, whyTooLarge } from "../../shared/stores/payment-weight.ts";
import { aPaymentIn, now } from "./a-payment.ts";

/** The characters that take the most bytes of an event's JSON for each UTF-16 unit: six of a partner's text, three of a terminal's. */
export const widest = {
  /** Partners' texts are stored unchanged, and JSON escapes a control character. */
  ofPartner: "\u0001",
  /** In a terminal's text a control character becomes a space. */
  ofTerminal: "漢",
} as const;

const stored = { commandId: randomUUID(), createdAt: now, updatedAt: now };

const refund = (): Refund => ({
  ...stored,
  refundId: randomUUID(),
  idAsReceived: randomUUID(),
  names: [],
  amount: 999_999_999_999,
  chargeId: randomUUID(),
  reason: widest.ofPartner.repeat(192),
  status: "pending",
  sequence: 999_999,
});

const discount = (): Discount => ({
  ...stored,
  discountId: randomUUID(),
  amount: 999_999_999_999,
  percent: 99.999_999_999,
  voucherTokenId: randomUUID(),
  reason: widest.ofPartner.repeat(128),
  status: "requested",
});

/** The longest event that the platform may send: a payment with everything that it may hold, and texts of their greatest length in bytes. */
export function largestEvent(): EventEnvelope {
  const payment = aPaymentIn("captured", {
    requestId: randomUUID(),
    merchantName: widest.ofPartner.repeat(128),
    terminalName: widest.ofPartner.repeat(128),
    references: { orderId: widest.ofPartner.repeat(64), paymentId: widest.ofPartner.repeat(64) },
    metadata: Object.fromEntries(
      Array.from({ length: 10 }, (_, i) => [`${i}`.padStart(40, "n"), widest.ofPartner.repeat(200)]),
    ),
    refunds: Array.from({ length: 100 }, refund),
    discounts: Array.from({ length: 20 }, discount),
  });
  const refused = whyTooLarge(payment);
  if (refused) throw new Error(refused.detail);
  // The short texts of a terminal are ASCII.
  const data = JSON.stringify(toPaymentObject(grown(payment)))
    .replaceAll(/x{65,}/g, ({ length }) => widest.ofTerminal.repeat(length))
    .replaceAll(/x{36}/g, () => randomUUID());
  const { sessionId, sequence } = payment;
  const id = `${sessionId}_${sequence}_${randomUUID()}`;
  return { id, type: "payment.captured", timestamp: now, sequence, data: JSON.parse(data) as EventEnvelope["data"] };
}
