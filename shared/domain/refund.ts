import type { Instant } from "./time.ts";

export type RefundState = "pending" | "succeeded" | "failed";

/** Money on its way back to the customer; a payment stays `captured` while its refunds live their own lives. */
export interface Refund {
  readonly refundId: string;
  /** As the caller named it, or undefined when the platform did. */
  readonly spelledId?: string | undefined;
  /** Integer minor units. */
  readonly amount: number;
  readonly reason: string;
  readonly status: RefundState;
  readonly statusReason?: string | undefined;
  /** The command whose message asks the terminal for it, and the sequence it is filed under. */
  readonly commandId: string;
  readonly sequence: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
