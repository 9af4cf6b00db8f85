import type { HistoryEntry } from "../domain/advance.ts";
import type { Effect } from "../domain/effects.ts";
import type { Payment } from "../domain/payment.ts";

export interface PaymentKey {
  readonly partnerId: string;
  readonly sessionId: string;
}

export interface StoredPayment {
  readonly payment: Payment;
  readonly etag: string;
}

/** A mark that a session was cancelled before it ever came: a slow request that lands later must fail. */
export type Fence = "fence";

/** A webhook's body, frozen when the change it tells of was committed. */
export interface FrozenEvent {
  /** The same on every attempt. */
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

export interface RecordedEntry extends HistoryEntry {
  readonly commandId?: string | undefined;
  readonly events: readonly FrozenEvent[];
}

/** One entity group: the only moment at which anything happens to a payment. */
export interface PaymentCommit {
  readonly payment: Payment;
  /** Of the payment as it was read; undefined for a session that is new. */
  readonly etag: string | undefined;
  readonly entry: RecordedEntry;
  /** What workers shall carry out, under an identifier that was announced before; undefined when there is nothing. */
  readonly command?: { readonly commandId: string; readonly effects: readonly Effect[] } | undefined;
  /** Remembered, so that a repeated report is known. */
  readonly reportId?: string | undefined;
}

export interface Payments {
  find(key: PaymentKey): Promise<StoredPayment | Fence | undefined>;
  /** Throws `Conflict` when the session changed since it was read, the report is known or the command was voided. */
  commit(key: PaymentKey, commit: PaymentCommit): Promise<void>;
  /** Throws `Conflict` when there is a session after all. */
  fence(key: PaymentKey): Promise<void>;
  hasReport(key: PaymentKey, reportId: string): Promise<boolean>;
  /** Oldest first. */
  history(key: PaymentKey): Promise<RecordedEntry[]>;
  entry(key: PaymentKey, sequence: number): Promise<RecordedEntry | undefined>;
}
