import { z } from "zod";
import { minorUnits } from "./money.ts";
import type { RecordOf } from "./record.ts";
import { uncheckedInstant } from "./time.ts";

export const tokenKinds = ["voucher", "key"] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** What a voucher takes off a payment. `percent` is between 0 and 100, with two decimals. */
export const tokenValueRecord = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("amount"), amount: minorUnits, currency: z.string() }),
  z.object({ kind: z.literal("percent"), percent: z.number() }),
]);
export type TokenValue = RecordOf<typeof tokenValueRecord>;

/** What access tokens are made from. Made by the operator, and never changed: a token means what its template says. */
export const accessTokenTemplateRecord = z.object({
  templateId: z.string(),
  /** What customers read: the name of the landing pages that use it. */
  name: z.string(),
  kind: z.enum(tokenKinds),
  /** Absent for a key, and for a voucher that is good for its product and nothing else. */
  value: tokenValueRecord.optional(),
  /** The only merchant at whose terminals its tokens are good; undefined for all. */
  merchantId: z.string().optional(),
  /** From the customer's request. */
  validSeconds: z.number(),
  /** How the mail is worded and its dates are written: a BCP 47 tag, an IANA time zone. */
  locale: z.string(),
  timeZone: z.string(),
  /** When its landing pages end; undefined for never. */
  endsAt: uncheckedInstant.optional(),
  createdAt: uncheckedInstant,
});
export interface AccessTokenTemplate extends RecordOf<typeof accessTokenTemplateRecord> {}
