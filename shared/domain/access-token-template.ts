import * as z from "zod";
import { minorUnits } from "./minor-units.ts";
import type { RecordOf } from "./record.ts";
import { uncheckedInstant } from "./time.ts";

export const tokenKinds = ["voucher", "key"] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** The value of a voucher: the reduction of a payment. `percent` is between 0 and 100, with at most two decimals. */
export const tokenValueRecord = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("amount"), amount: minorUnits, currency: z.string() }),
  z.object({ kind: z.literal("percent"), percent: z.number() }),
]);
export type TokenValue = RecordOf<typeof tokenValueRecord>;

/**
 * The template of access tokens. The operator creates it, and it never changes, so a token always means what its template says. The look of
 * its mails is separate (`TemplateLook`).
 */
export const accessTokenTemplateRecord = z.object({
  templateId: z.string(),
  /** The name that customers read on the landing pages that use the template. */
  name: z.string(),
  kind: z.enum(tokenKinds),
  /** Absent for a key, and for a voucher that is valid for its product only and reduces no amount. */
  value: tokenValueRecord.optional(),
  /** The only merchant at whose terminals its tokens are valid. Undefined if they are valid at every merchant. */
  merchantId: z.string().optional(),
  /** Seconds of validity, counted from the customer's request. */
  validSeconds: z.number(),
  /** The language of the mail (a BCP 47 tag), and the time zone of its dates (an IANA name). */
  locale: z.string(),
  timeZone: z.string(),
  /** When its landing pages end. Undefined if they never end. */
  endsAt: uncheckedInstant.optional(),
  createdAt: uncheckedInstant,
});
export interface AccessTokenTemplate extends RecordOf<typeof accessTokenTemplateRecord> {}
