import * as z from "zod";
import type { RecordOf } from "../../record.ts";

export const cardRecord = z.object({
  brand: z.string().optional(),
  last4: z.string().optional(),
  entryMode: z.string().optional(),
});
export interface CardDetails extends RecordOf<typeof cardRecord> {}

export const acquirerRecord = z.object({
  authorisationCode: z.string().optional(),
  rrn: z.string().optional(),
  stan: z.string().optional(),
  tid: z.string().optional(),
  mid: z.string().optional(),
});
export interface AcquirerDetails extends RecordOf<typeof acquirerRecord> {}

/** The card and the acquirer's references in the report of a capture, refund or void. */
export const evidenceRecord = z.object({ card: cardRecord.optional(), acquirer: acquirerRecord.optional() });
export interface Evidence extends RecordOf<typeof evidenceRecord> {}

/** The movement that a receipt is about. `decline`: nothing moved. */
export const receiptKinds = ["sale", "capture", "refund", "reversal", "decline"] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

export const receiptRecord = z.object({
  customer: z.array(z.string()).optional(),
  merchant: z.array(z.string()).optional(),
});
export interface Receipt extends RecordOf<typeof receiptRecord> {}
