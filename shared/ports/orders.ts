import type { PaymentKey } from "./subjects.ts";

export interface OrderKey {
  readonly merchantId: string;
  readonly orderId: string;
}

/** The sessions that were let in for one order of a merchant. Checked against each session's state, never trusted. */
export interface OrderHolder extends PaymentKey {
  /** Integer minor units. */
  readonly amount: number;
}

export interface StoredOrder {
  readonly holders: readonly OrderHolder[];
  readonly etag: string;
}

export interface Orders {
  find(key: OrderKey): Promise<StoredOrder | undefined>;
  /** Replaces the list as it was read; an empty list removes it. Throws `Conflict`. */
  save(key: OrderKey, holders: readonly OrderHolder[], read: StoredOrder | undefined): Promise<void>;
}
