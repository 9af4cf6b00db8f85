import type { Instant } from "./time.ts";

export const tokenKinds = ["voucher", "key"] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** What a voucher takes off a payment. Amounts are integer minor units; `percent` is between 0 and 100, with two decimals. */
export type TokenValue =
  | { readonly kind: "amount"; readonly amount: number; readonly currency: string }
  | { readonly kind: "percent"; readonly percent: number };

/** What access tokens are made from. Made by the operator, and never changed: a token means what its template says. */
export interface AccessTokenTemplate {
  readonly templateId: string;
  /** What customers read: the name of the landing pages that use it. */
  readonly name: string;
  readonly kind: TokenKind;
  /** Absent for a key, and for a voucher that is good for its product and nothing else. */
  readonly value?: TokenValue | undefined;
  /** The only merchant at whose terminals its tokens are good; undefined for all. */
  readonly merchantId?: string | undefined;
  /** From the customer's request. */
  readonly validSeconds: number;
  /** How the mail is worded and its dates are written: a BCP 47 tag, an IANA time zone. */
  readonly locale: string;
  readonly timeZone: string;
  /** When its landing pages end; undefined for never. */
  readonly endsAt?: Instant | undefined;
  readonly createdAt: Instant;
}
