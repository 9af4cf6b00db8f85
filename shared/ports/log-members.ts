import type { AlertKind } from "../domain/alert.ts";

/**
 * Every member that a line of the log may have. They are names and numbers: no key, code, address, card number, or free text of a caller or
 * a terminal. An amount is logged only for a report that nothing else keeps. Identifiers are in their stored form. Times are milliseconds.
 */
export interface LogMembers {
  /** The identifier in the response, `x-request-id`. */
  readonly requestID: string;
  /** The trace identifier of the `traceparent`: 32 hexadecimal digits. */
  readonly trace: string;
  readonly function: string;
  readonly partner: string;
  /** The identifier of the partner's key that proved the caller: `0f3a91c2d4e5b6a7`. */
  readonly key: string;
  /** The identifier of a key that the caller named and did not prove. */
  readonly claimedKey: string;
  /** The user of the Basic credentials that proved the caller. */
  readonly user: string;
  /** A user that the caller named and did not prove. */
  readonly claimedUser: string;
  /**
   * Why the caller was refused. Its credential is `missing`, `malformed`, `unknown`, `wrong`, `expired`, `revoked`, or `disabled` with its
   * partner. Or its key lacks the operation's `scope`.
   */
  readonly refused: string;
  readonly terminal: string;
  readonly session: string;
  readonly chargeID: string;
  readonly refundID: string;
  readonly actionRequest: string;
  readonly landingPage: string;
  readonly tokenRequest: string;
  readonly alert: AlertKind;
  /** The object of an alert within its subject: a charge, a refund, a dependency, or a queue with its message. */
  readonly about: string;
  /** The business day of a terminal, or the UTC day of a terminal's alert: `2026-11-21`. */
  readonly day: string;
  /** The change in the payment's history that raised an alert. */
  readonly sequence: number;
  /** The cause of an alert that no change of a payment raised. */
  readonly cause: string;
  readonly reportID: string;
  readonly messageID: string;
  readonly discountID: string;
  /** The `type` of a terminal's report. */
  readonly reportType: string;
  /** In the currency's major unit, as a terminal wrote it: `125.5`. */
  readonly amount: string;
  readonly currency: string;
  /** The business day that a terminal names. */
  readonly businessDay: string;
  /** The problem code of a response. */
  readonly code: string;
  /** The reason: a dependency, a mail server's code, a code of OpenSSL or Node, a status of the payment. */
  readonly reason: string;
  readonly outcome: string;
  readonly effect: string;
  readonly queue: string;
  readonly commandID: string;
  /** `webhook-id`: `<session>_<sequence>`, or the same of an action request or a terminal's day. */
  readonly eventID: string;
  /** From 1. */
  readonly attempt: number;
  /** Until the next try. */
  readonly dueMs: number;
  /** From the enqueued time of the message to the start of its worker. The two times are of different clocks. */
  readonly queueAgeMs: number;
  /** Of the response. */
  readonly status: number;
  readonly ms: number;
  /** The name of an app setting. */
  readonly setting: string;
  /** Tries or failures so far, this one included. */
  readonly tries: number;
  /** The name and the code of an error. Its message is included only if this platform wrote it. */
  readonly error: string;
  /** The places in the source where an unexpected error arose, the innermost first. */
  readonly stack: readonly string[];
}
