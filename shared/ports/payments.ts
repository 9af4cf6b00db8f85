import { z } from "zod";
import { historyEntryRecord } from "../domain/payment/advance.ts";
import type { RecordedReport } from "../domain/payment/answered.ts";
import type { Payment } from "../domain/payment/payment.ts";
import type { RecordOf } from "../domain/record.ts";
import type { NewCommand } from "./commands.ts";
import type { PaymentKey } from "./subjects.ts";

export interface StoredPayment {
  readonly payment: Payment;
  readonly etag: string;
}

/** Stands where a session was cancelled before it was requested: a slow request that lands later must fail. */
export type Tombstone = "tombstone";

export const recordedEntryRecord = historyEntryRecord.extend({
  /** The command that this change committed, where it has effects. */
  commandId: z.string().optional(),
});
export interface RecordedEntry extends RecordOf<typeof recordedEntryRecord> {}

/** One entity group: the only moment at which anything happens to a payment. */
export interface PaymentCommit {
  readonly payment: Payment;
  /** Of the payment as it was read; undefined for a session that is new. */
  readonly etag: string | undefined;
  /** The report that it names is remembered, so that a repeat is known. */
  readonly entry: RecordedEntry;
  /** What workers shall carry out, under an identifier that was announced before; undefined when there is nothing. */
  readonly command?: NewCommand | undefined;
}

export interface Payments {
  find(key: PaymentKey): Promise<StoredPayment | undefined>;
  /** For the request and the cancel, which treat a session that was cancelled before it came differently from an absent one. */
  findOrTombstone(key: PaymentKey): Promise<StoredPayment | Tombstone | undefined>;
  /** Throws `Conflict` when the session changed since it was read, the report is known or the command was voided. */
  commit(key: PaymentKey, commit: PaymentCommit): Promise<void>;
  /**
   * Notes that the payment is listed as open no more. No change of its own: it has neither sequence nor history, and yet whoever read the
   * payment before cannot commit to it any more. Throws `Conflict` when the session changed since it was read.
   */
  unlist(read: StoredPayment): Promise<void>;
  /** Throws `Conflict` when there is a session, or a tombstone, already. */
  leaveTombstone(key: PaymentKey): Promise<void>;
  findReport(key: PaymentKey, reportId: string): Promise<RecordedReport | undefined>;
  /** Oldest first. */
  history(key: PaymentKey): Promise<RecordedEntry[]>;
}
