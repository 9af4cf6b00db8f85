import * as z from "zod";
import type { Receipt, ReceiptKind } from "../../domain/payment/record/card.ts";
import type { HistoryEntry } from "../../domain/payment/record/history-entry.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import { chargeID, instant, pageLimit, refundID } from "../fields.ts";
import { values } from "../values.ts";
import { receipt } from "./card-receipt.ts";

/** The most receipts of one page, and the number if the request names none. */
const MOST_OF_PAGE = 20;

/** The query of a payment's receipts. */
export const receiptsQuery = z.object({
  limit: pageLimit("receipts", { most: MOST_OF_PAGE, usual: MOST_OF_PAGE }),
  after: z.coerce.number().int().min(0).max(999_999).optional().meta({ description: "`next` of the previous page." }),
});

export const pageOf = ({ after = 0, limit = MOST_OF_PAGE }: z.infer<typeof receiptsQuery>) => ({ after, limit });

const kind = values("ReceiptKind", "The movement that the receipt is about.", {
  sale: "A card was approved.",
  capture: "An approved payment was captured.",
  refund: "Money was refunded.",
  reversal: "A charge was given back.",
  decline: "Nothing moved: a payment, capture, refund or void was declined or failed.",
});

const printed = z
  .object({
    sequence: z.int().meta({ description: "The payment's `sequence` with the report that printed it." }),
    of: kind,
    at: instant.meta({ description: "The time at which the report came." }),
    chargeID: chargeID.optional(),
    refundID: refundID.optional(),
    ...receipt.shape,
  })
  .meta({ id: "PrintedReceipt", description: "A receipt, as the terminal printed it." });

/** The receipts of a payment, as its partner reads them. */
export const receiptsObject = z
  .object({
    receipts: z.array(printed).meta({ description: "Oldest first." }),
    next: z.int().optional().meta({ description: "`after` of the next page. Absent on the last page." }),
  })
  .meta({ id: "Receipts", description: "A page of a payment's receipts." });
type ReceiptsObject = z.infer<typeof receiptsObject>;

export const toReceiptsObject = ({
  payment,
  receipts,
  next,
}: {
  readonly payment: Payment;
  readonly receipts: readonly { readonly entry: HistoryEntry; readonly receipt: Receipt }[];
  readonly next: number | undefined;
}): ReceiptsObject => ({ receipts: receipts.map((one) => toPrinted(payment, one.entry, one.receipt)), next });

function toPrinted(
  { refunds }: Payment,
  entry: HistoryEntry,
  { customer, merchant }: Receipt,
): z.infer<typeof printed> {
  const { sequence, at, said, messageId, printed: of = "decline" satisfies ReceiptKind } = entry;
  const refund = refunds.find(({ refundId, commandId }) =>
    said?.refundId === undefined ? commandId === messageId : refundId === said.refundId,
  );
  return {
    sequence,
    of,
    at,
    chargeID: said?.chargeId,
    refundID: refund?.idAsReceived ?? said?.refundId,
    customer: customer?.slice(),
    merchant: merchant?.slice(),
  };
}
