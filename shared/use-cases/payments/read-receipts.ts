import type { Receipt } from "../../domain/payment/record/card.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { ok, type Result } from "../../domain/result.ts";
import type { RecordedEntry } from "../../stores/payments.ts";
import type { PartnerCall } from "../caller.ts";
import { eachOf } from "../each-of.ts";
import { readPayment, type ReadPaymentDeps } from "./read-payment.ts";
import type { NoPayment } from "./why-no-payment.ts";

/** A receipt, and the change whose report printed it. */
export interface PrintedReceipt {
  readonly entry: RecordedEntry;
  readonly receipt: Receipt;
}

/** `next`: the sequence after which the next page begins. Undefined for the last page. */
export interface ReceiptPage {
  readonly payment: Payment;
  readonly receipts: readonly PrintedReceipt[];
  readonly next: number | undefined;
}

/** Reads a page of a payment's receipts, the oldest first. A receipt that was purged is left out. */
export async function readReceipts(
  deps: ReadPaymentDeps,
  call: PartnerCall,
  sessionId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Result<ReceiptPage, NoPayment>> {
  const read = await readPayment(deps, call, sessionId);
  if (!read.ok) return read;
  const payment = read.value;
  const history = await deps.payments.history(payment);
  const printed = history.filter((entry) => entry.printed !== undefined && entry.sequence > after);
  const page = printed.slice(0, limit);
  const found = await eachOf(page, async (entry) => ({ entry, receipt: await deps.payments.receipt(payment, entry) }));
  const receipts = found.flatMap(({ entry, receipt }) => (receipt ? [{ entry, receipt }] : []));
  return ok({ payment, receipts, next: printed.length > limit ? page.at(-1)?.sequence : undefined });
}
