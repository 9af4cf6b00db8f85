import type { Holders } from "../domain/payment/duplicate.ts";
import type { OrderKey } from "../domain/payment/order.ts";

export interface StoredOrder {
  /** The sessions that were let in. Checked against each session's state, never trusted. */
  readonly holders: Holders;
  readonly etag: string;
}

export interface Orders {
  find(key: OrderKey): Promise<StoredOrder | undefined>;
  /** Replaces the list as it was read. An empty one stays: a slow write that read none before must fail. Throws `Conflict`. */
  save(key: OrderKey, holders: Holders, read: StoredOrder | undefined): Promise<void>;
}
