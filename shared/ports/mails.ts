import type { TokenKind, TokenValue } from "../domain/access-token-template.ts";
import type { MailBrand, MailTexts } from "../domain/mail-brand.ts";
import type { Instant } from "../domain/time.ts";

/** The content of the mail that brings a customer a token. A code leaves the platform only by this mail. */
export interface TokenMail {
  /** The same on every attempt. */
  readonly id: string;
  readonly to: string;
  readonly pageName: string;
  readonly kind: TokenKind;
  readonly value?: TokenValue | undefined;
  readonly code: string;
  /** When a key begins to open. Absent if the token is valid at once. */
  readonly validFrom?: Instant | undefined;
  readonly validUntil: Instant;
  readonly locale: string;
  readonly timeZone: string;
  /** If absent, the platform's own look is used. */
  readonly brand?: MailBrand | undefined;
  /** Texts that replace the platform's own. */
  readonly texts?: MailTexts | undefined;
}

/**
 * `refused`: the mail server will never take a mail to this address. `mailRefused`: it will never take this mail, because of its content or
 * its sender. `failed`: a later try may succeed. A reason never holds an address.
 */
export type MailReply =
  | { readonly kind: "sent" }
  | { readonly kind: "refused" | "mailRefused"; readonly reason: string }
  | {
      readonly kind: "failed";
      readonly reason: string;
      /** The mail server refuses the platform's own credentials. No mail is sent until an operator has corrected them. */
      readonly isLogin?: true;
    };

/** Sends mails to customers. */
export interface Mails {
  /** Makes one attempt. Trouble with the mail server is returned, not thrown. */
  send(mail: TokenMail): Promise<MailReply>;
  /** Seconds from this failed attempt to the next. Undefined after the last one. Attempts count from 1. */
  nextAttemptAfter(attempt: number): number | undefined;
}
