import { z } from "zod";
import { minorUnits } from "../domain/money.ts";
import type { RecordOf } from "../domain/record.ts";
import { paymentKey } from "./subjects.ts";

export interface OrderKey {
  readonly merchantId: string;
  readonly orderId: string;
}

/** The sessions that were let in for one order of a merchant. Checked against each session's state, never trusted. */
export const orderHolderRecord = z.object({ ...paymentKey.shape, amount: minorUnits });
export interface OrderHolder extends RecordOf<typeof orderHolderRecord> {}

export interface StoredOrder {
  readonly holders: readonly OrderHolder[];
  readonly etag: string;
}

export interface Orders {
  find(key: OrderKey): Promise<StoredOrder | undefined>;
  /** Replaces the list as it was read; an empty list removes it. Throws `Conflict`. */
  save(key: OrderKey, holders: readonly OrderHolder[], read: StoredOrder | undefined): Promise<void>;
}
