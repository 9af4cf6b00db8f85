import { z } from "zod";
import type { RecordOf } from "./record.ts";
import { terminalMessageRecord } from "./terminal-message.ts";
import { instant, uncheckedInstant } from "./time.ts";

/** Where a message stands among a terminal's others: a session's messages keep their order whatever clocks say. */
const inboxPlaceRecord = z.object({ createdAt: uncheckedInstant, sessionId: z.string(), sequence: z.int() });
export interface InboxPlace extends RecordOf<typeof inboxPlaceRecord> {}

/** A message with all that filing it needs to know. */
export const mailingRecord = z.object({
  terminalId: z.string(),
  place: inboxPlaceRecord,
  /** The session as its partner spells it; undefined where a message belongs to none. */
  spelledSessionId: z.string().optional(),
  message: terminalMessageRecord,
  /** After this the terminal must not begin; undefined for what stays due (void, refund, …). */
  expiresAt: instant.optional(),
});
export interface Mailing extends RecordOf<typeof mailingRecord> {}

/** A voucher, and the discount of the payment that it is to be. */
const offeredVoucherRecord = z.object({ tokenId: z.string(), discountId: z.string() });
export interface OfferedVoucher extends RecordOf<typeof offeredVoucherRecord> {}

/** What waits for silence to end; each is a scheduled message that belongs to the command that announced it. */
const deadlines = ["acceptance", "expiry", "answer", "capture", "outcome", "action"] as const;
export type Deadline = (typeof deadlines)[number];

/** The effects that a command stores as they are. */
export const storedEffects = [
  /** Take the terminal (and the order) for this payment, and file its message; or end the payment as refused. */
  z.object({ kind: z.literal("admission"), mailing: mailingRecord }),
  z.object({ kind: z.literal("message"), mailing: mailingRecord }),
  /** Give back whatever the payment no longer holds. */
  z.object({ kind: z.literal("release") }),
  z.object({ kind: z.literal("deadline"), deadline: z.enum(deadlines), due: instant }),
  /** Reserve the voucher and then offer its discount to the terminal; or refuse the discount. */
  z.object({ kind: z.literal("reservation"), ...offeredVoucherRecord.shape }),
  /** The payment has decided over a voucher: redeem it, or give it back. */
  z.object({ kind: z.literal("settlement"), ...offeredVoucherRecord.shape }),
  /** Issue the access token that was asked for. */
  z.object({ kind: z.literal("issue") }),
  /** Mail the access token to its customer. */
  z.object({ kind: z.literal("mail") }),
] as const;

/** An event to tell the partner. `about` names the refund or discount that it tells of. A command stores it with its body. */
export const webhookEffect = z.object({
  kind: z.literal("webhook"),
  type: z.string(),
  about: z.string().optional(),
});

/** What a committed command makes happen elsewhere. A worker carries each effect out by itself and marks it done by itself. */
export type Effect = RecordOf<(typeof storedEffects)[number] | typeof webhookEffect>;

/** Names one effect within its command; a command never has the same one twice. */
export function effectId(effect: Effect): string {
  switch (effect.kind) {
    case "admission":
    case "message":
    case "release":
    case "issue":
    case "mail":
      return effect.kind;
    case "deadline":
      return `deadline~${effect.deadline}`;
    case "webhook":
      return `webhook~${effect.type}${effect.about === undefined ? "" : `~${effect.about}`}`;
    case "reservation":
    case "settlement":
      return `${effect.kind}~${effect.discountId}`;
  }
}
