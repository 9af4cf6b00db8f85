import type { TerminalMessage } from "./terminal-message.ts";
import type { Instant } from "./time.ts";

/** What waits for silence to end; each is a scheduled message that belongs to the command that announced it. */
export type Deadline = "acceptance" | "expiry" | "answer" | "capture" | "outcome" | "action";

/** Where a message stands among a terminal's others: a session's messages keep their order whatever clocks say. */
export interface InboxPlace {
  readonly createdAt: Instant;
  readonly sessionId: string;
  readonly sequence: number;
}

/** A message with all that filing it needs to know. */
export interface Mailing {
  readonly terminalId: string;
  readonly place: InboxPlace;
  /** The session as its partner spells it; undefined where a message belongs to none. */
  readonly spelledSessionId?: string | undefined;
  readonly message: TerminalMessage;
  /** After this the terminal must not begin; undefined for what stays due (void, refund, …). */
  readonly expiresAt?: Instant | undefined;
}

/** A voucher, and the discount of the payment that it is to be. */
export interface OfferedVoucher {
  readonly tokenId: string;
  readonly discountId: string;
}

/** What a committed command makes happen elsewhere. A worker carries each effect out by itself and marks it done by itself. */
export type Effect =
  /** Take the terminal (and the order) for this payment, and file its message; or end the payment as refused. */
  | { readonly kind: "admission"; readonly mailing: Mailing }
  | { readonly kind: "message"; readonly mailing: Mailing }
  /** Give back whatever the payment no longer holds. */
  | { readonly kind: "release" }
  | { readonly kind: "deadline"; readonly deadline: Deadline; readonly due: Instant }
  /** `about` names the refund or discount that it tells of. */
  | { readonly kind: "webhook"; readonly type: string; readonly about?: string | undefined }
  /** Reserve the voucher and then offer its discount to the terminal; or refuse the discount. */
  | ({ readonly kind: "reservation" } & OfferedVoucher)
  /** The payment has decided over a voucher: redeem it, or give it back. */
  | ({ readonly kind: "settlement" } & OfferedVoucher)
  /** Issue the access token that was asked for. */
  | { readonly kind: "issue" }
  /** Mail the access token to its customer. */
  | { readonly kind: "mail" };

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
