import type { TokenKind, TokenValue } from "../domain/access-token-template.ts";
import type { MailBrand, MailTexts } from "../domain/mail-brand.ts";
import type { Instant } from "../domain/time.ts";

/** The content of the mail by which a customer gets a token. Nowhere else does a code leave the platform. */
export interface TokenMail {
  /** The same on every attempt. */
  readonly id: string;
  readonly to: string;
  readonly pageName: string;
  readonly kind: TokenKind;
  readonly value?: TokenValue | undefined;
  readonly code: string;
  /** When a key begins to open; absent where the token is valid at once. */
  readonly validFrom?: Instant | undefined;
  readonly validUntil: Instant;
  readonly locale: string;
  readonly timeZone: string;
  /** The platform's own look where it is absent. */
  readonly brand?: MailBrand | undefined;
  /** In place of the platform's own texts. */
  readonly texts?: MailTexts | undefined;
}

/**
 * `refused`: the mail server will never take a mail to this address; `mailRefused`: it will never take this mail, for its content or its
 * sender; `failed`: a later try may succeed. A reason never holds an address.
 */
export type MailReply =
  | { readonly kind: "sent" }
  | { readonly kind: "refused" | "mailRefused"; readonly reason: string }
  | {
      readonly kind: "failed";
      readonly reason: string;
      /** The mail server refuses the platform's own credentials: no mail goes until an operator has mended them. */
      readonly isLogin?: true;
    };

/** Sends mails to customers. */
export interface Mails {
  /** Makes one attempt. Trouble with the mail server is returned, not thrown. */
  send(mail: TokenMail): Promise<MailReply>;
  /** Seconds from this failed attempt to the next; undefined after the last one. Attempts count from 1. */
  nextAttemptAfter(attempt: number): number | undefined;
}
