import type { AccessToken } from "../domain/access-token.ts";
import type { TokenRequest } from "../domain/landing-page.ts";
import type { OrderKey } from "../domain/payment/record/order.ts";
import type { Day, Instant } from "../domain/time.ts";
import type { StoredAlert } from "./alerts.ts";
import type { Row } from "../ports/rows.ts";
import type { ActionKey, PaymentKey, RequestKey, TerminalDayKey } from "../ports/subjects.ts";

/** A partner's day with bookings, as its entry in the list was read. */
export interface BookedDay {
  readonly partnerId: string;
  readonly day: Day;
  readonly etag: string;
}

/** The messages of one subject in its terminal's inbox. */
export interface MessagesOf {
  readonly terminalId: string;
  readonly createdAt: Instant;
  /** The session, or the action request. */
  readonly sessionId: string;
}

/** Messages of one terminal with their holds and tombstones, as their rows were read. */
export interface FoundMessages extends Pick<MessagesOf, "terminalId"> {
  readonly rows: readonly Row[];
}

/**
 * Removes records from the tables permanently. Every removal names the rows as they were read, and throws `Conflict` if one of them changed
 * since. It may be repeated. It returns the number of removed rows.
 */
export interface Retention {
  /** Removes every row of the payment, its own row last. */
  removePayment(key: PaymentKey, etag: string): Promise<number>;
  /**
   * Removes the tombstone of a session without a payment, and its aborted commands, if they are from before this moment. Later ones stay,
   * because a commit may still come, and must fail. Throws `Conflict` if there is a payment.
   */
  removeAborted(key: PaymentKey, before: Instant): Promise<number>;
  /** The rows of the messages, their holds and their tombstones. */
  messagesOf(of: MessagesOf): Promise<FoundMessages>;
  /** Removes these rows, and none that was added since. */
  removeMessages(found: FoundMessages): Promise<number>;
  removeOrder(key: OrderKey, etag: string): Promise<void>;
  /** Removes every row of the action request, its own row last. Without an ETag, removes the remaining rows of a missing action request. */
  removeActionRequest(key: ActionKey, etag: string | undefined): Promise<number>;
  /** Removes every row of the terminal's day, its own row last. Without an ETag, removes the remaining rows of a missing day. */
  removeTerminalDay(key: TerminalDayKey, etag: string | undefined): Promise<number>;
  /** Removes every row of the token request, its own row last. Without an ETag, removes the remaining rows of a missing token request. */
  removeTokenRequest(key: RequestKey, etag: string | undefined): Promise<number>;
  /** Removes the rows that name this request as the latest of its button and address, under each of these keys of the address. */
  removeSame(
    request: Pick<TokenRequest, "landingPageId" | "requestId" | "button">,
    keys: readonly string[],
  ): Promise<number>;
  /** Removes the token and the row of its code. */
  removeToken(token: AccessToken, etag: string): Promise<number>;
  /** The requests that came from the address. */
  requestsOf(addressKey: string): Promise<RequestKey[]>;
  /** Removes the request from those of the address. */
  forgetRequest(addressKey: string, request: RequestKey): Promise<number>;
  /** Removes everything that is stored of the address. */
  forgetAddress(addressKey: string): Promise<number>;
  /** Removes the count of a mailbox or domain. With a moment, removes it only if it has no later token. */
  forgetCount(countKey: string, before?: Instant): Promise<number>;
  /** The number of events of the partner's feed that were entered before this moment. */
  countEvents(partnerId: string, before: Instant): Promise<number>;
  /**
   * Removes as many of these events as one group takes, with the marks of subjects that have no later event, and the attempts to deliver
   * them. Removes nothing if no event is old enough. Returns the number of events, and of all rows.
   */
  removeEvents(partnerId: string, before: Instant): Promise<{ readonly events: number; readonly rows: number }>;
  /** The number of receipts of the terminal's payments that were printed before this day. */
  countReceipts(terminalId: string, before: Day): Promise<number>;
  /** Removes them. Returns their number. */
  removeReceipts(terminalId: string, before: Day): Promise<number>;
  /** The closed alerts that were last raised and closed before this moment. */
  closedAlerts(before: Instant): Promise<StoredAlert[]>;
  removeAlert(alert: StoredAlert): Promise<void>;
  /** The partners' days before this one under which anything is booked. */
  bookedDays(before: Day): Promise<BookedDay[]>;
  /** Removes all bookings of a partner's day, and the day from the list last. */
  removeBookedDay(day: BookedDay): Promise<number>;
}
