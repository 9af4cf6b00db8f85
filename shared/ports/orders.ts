import type { Holders } from "../domain/payment/requests/duplicate.ts";
import type { OrderKey } from "../domain/payment/record/order.ts";

export interface StoredOrder {
  /** The sessions that were admitted. Each is checked against its payment's state, and never trusted. */
  readonly holders: Holders;
  readonly etag: string;
}

export interface Orders {
  find(key: OrderKey): Promise<StoredOrder | undefined>;
  /**
   * Replaces the list. An empty list is kept, so that a slow write that read no list fails. Throws `Conflict` when the list changed since
   * it was read.
   */
  save(key: OrderKey, holders: Holders, read: StoredOrder | undefined): Promise<void>;
}
