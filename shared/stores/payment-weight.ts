import type { AcquirerDetails, CardDetails, Evidence, Receipt } from "../domain/payment/record/card.ts";
import { MAX_CHARGES, MAX_LINES, MAX_WORDS, textLimits } from "../domain/payment/record/record-limits.ts";
import type { Charge } from "../domain/payment/record/charge.ts";
import type { Decline } from "../domain/payment/record/decline-code.ts";
import type { Discount, Payment, Refund } from "../domain/payment/record/payment.ts";
import type { Refusal } from "../domain/refusal.ts";
import { storedJson } from "../domain/texts.ts";

/**
 * The most characters of JSON of a payment without its deadlines. A row takes 480,000. The rest is for those, and for the effects of a
 * command, whose event holds the payment.
 */
const MAX_STORED = 436_000;

const filled = (length: number): string => "x".repeat(length);
const { short, line, detail } = textLimits;
const identifier = filled(36);
const money = 999_999_999_999;
const sequence = 999_999;
const moment = "2026-11-21T10:00:00.000Z";

const card: Required<CardDetails> = { brand: filled(short), last4: "0000", entryMode: filled(short) };
const acquirer: Required<AcquirerDetails> = {
  authorisationCode: filled(short),
  rrn: filled(short),
  stan: filled(short),
  tid: filled(short),
  mid: filled(short),
};
const evidence: Required<Evidence> = { card, acquirer };
const decline: Required<Decline> = { declineCode: "issuerUnavailable", hostCode: filled(4) };
const lines: readonly string[] = Array.from({ length: MAX_LINES }, () => filled(line));
const receipt: Required<Receipt> = { customer: lines, merchant: lines };
const charge: Required<Charge> = {
  chargeId: identifier,
  amount: money,
  currency: "SEK",
  tip: money,
  status: "reversalFailed",
  captured: money,
  capturedOn: "2026-11-21",
  voidReason: "cancelledByPartner",
  contradicted: true,
  decided: true,
  tries: 6,
  reversal: { sequence, since: moment, failed: true },
  correction: { amount: money, tip: money, businessDay: "2026-11-21" },
  card,
  acquirer,
  fromCapture: true,
  captureEvidence: evidence,
  reversalEvidence: evidence,
  ...decline,
  createdAt: moment,
  updatedAt: moment,
};
const charges: readonly Charge[] = Array.from({ length: MAX_CHARGES }, () => charge);

/** The longest form that each can still take, by any report or resolution. */
const concluded = (refund: Refund): Refund => ({
  ...refund,
  made: money,
  tip: money,
  status: "succeeded",
  statusReason: "settledByOperator",
  statusDetail: filled(detail),
  ...decline,
  ...evidence,
  terminalForgot: true,
  correction: { amount: money, tip: money, businessDay: "2026-11-21" },
});
const answered = (discount: Discount): Discount => ({
  ...discount,
  reserved: true,
  status: "requested",
  statusReason: "voucherUnavailable",
});
/** The payment with everything that may still be reported about it, each text filled with `x` to its greatest length. */
export const grown = (payment: Payment): Payment => ({
  ...payment,
  possibleDuplicateOf: identifier,
  status: "captureRequested",
  statusReason: "captureNotDelivered",
  statusDetail: filled(MAX_WORDS),
  ...decline,
  sequence,
  amounts: { requested: money, vat: money, discounted: money, authorized: money, captured: money },
  refunds: payment.refunds.map(concluded),
  discounts: payment.discounts.map(answered),
  terminalForgot: true,
  charges,
  voidedUnknown: charges.map(({ chargeId }) => chargeId),
  correction: { amount: money, businessDay: "2026-11-21" },
  card,
  acquirer,
  receipt,
  captureBefore: moment,
  requestedBy: identifier,
  captureAmount: money,
  awaiting: { commandId: identifier, sequence },
  deadlines: [], // at most 15,000 characters, and only in the payment's own row
});

/**
 * Refuses a refund or discount if the payment, with everything that may still be reported about it, would not fit its row. So no outcome is
 * ever too large to be recorded. In plain text of any script, a payment can have the full number of both. Undefined if it fits.
 *
 * @param payment the payment with the requested refund or discount
 */
export function whyTooLarge(payment: Payment): Refusal<"invalid_state"> | undefined {
  if (storedJson(grown(payment)).length <= MAX_STORED) return undefined;
  const detail = "The texts of this payment's refunds and discounts leave no room for another one.";
  return { code: "invalid_state", currentStatus: payment.status, detail };
}
