import type { TokenKind, TokenValue } from "../domain/access-token-template.ts";
import type { Instant } from "../domain/time.ts";

/** What a customer is told of a token. The only place where its code leaves the platform. */
export interface TokenMail {
  /** The same on every attempt. */
  readonly id: string;
  readonly to: string;
  readonly pageName: string;
  readonly kind: TokenKind;
  readonly value?: TokenValue | undefined;
  readonly code: string;
  readonly validUntil: Instant;
  readonly locale: string;
  readonly timeZone: string;
}

/** `refused`: the mail server will never take it. Reasons hold no addresses. */
export type MailReply =
  | { readonly kind: "sent" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

/** The customers' mailboxes. */
export interface Mails {
  /** One attempt. Trouble with the mail server is an answer, not an error. */
  send(mail: TokenMail): Promise<MailReply>;
  /** Seconds from this failed attempt to the next, or undefined when it was the last. Attempts count from 1. */
  nextAttemptAfter(attempt: number): number | undefined;
}
