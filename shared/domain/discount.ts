import type { Instant } from "./time.ts";

export type DiscountState = "requested" | "applied" | "refused";

/** A reduction offered to a running payment; it counts only once the terminal says that it applied it. */
export interface Discount {
  readonly discountId: string;
  /** Integer minor units. */
  readonly amount: number;
  /** The VAT of the payment once this discount is applied, where the caller gave it; otherwise VAT shrinks in proportion. */
  readonly vatAfter?: number | undefined;
  readonly percent?: number | undefined;
  readonly voucherTokenId?: string | undefined;
  readonly reason?: string | undefined;
  readonly status: DiscountState;
  readonly commandId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}
