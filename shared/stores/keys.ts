import { createHash } from "node:crypto";
import { nameOfSubject, type AlertIdentity, type AlertSubject } from "../domain/alert.ts";
import { fileDayOf, type Booking } from "../domain/booking.ts";
import type { InboxSlot } from "../domain/effects.ts";
import { type Day, dayOf, type Instant } from "../domain/time.ts";
import type { OrderKey } from "../domain/payment/record/order.ts";
import type { PartnerDayKey, PaymentKey } from "../ports/subjects.ts";

// One function per kind of key. Table Storage forbids / \ # ? and control characters in keys and allows 1 KiB.

/** Encodes characters that a key must not hold, and the separator `~`. Throws for a part that is empty or longer than 200 characters. */
export function part(text: string): string {
  const encoded = text.replaceAll(/[^A-Za-z0-9._:-]/g, (c) =>
    [...new TextEncoder().encode(c)].map((byte) => `!${byte.toString(16).padStart(2, "0")}`).join(""),
  );
  if (encoded === "" || encoded.length > 200)
    throw new Error(`a part of a key has ${encoded.length} characters, and must have 1 to 200`);
  return encoded;
}

/** A sequence as a part of a key, in the order of the numbers. */
export const sequenceKey = (sequence: number): string => String(sequence).padStart(6, "0");

export const COMMAND_PREFIX = "command~";

export const terminalPartition = (terminalId: string): string => part(terminalId);
/** All rows of the payments of a terminal. */
export const PAYMENTS_PREFIX = "payment~";
/** All rows of a payment, in the partition of its terminal. */
export const paymentPrefix = ({ sessionId }: Pick<PaymentKey, "sessionId">): string =>
  `${PAYMENTS_PREFIX}${part(sessionId)}~`;
/** The prefix of the payment to which a row of a terminal belongs. Undefined if the row is of no payment. */
export const paymentPrefixIn = (rowKey: string): string | undefined =>
  rowKey.startsWith(PAYMENTS_PREFIX) ? rowKey.slice(0, rowKey.indexOf("~", PAYMENTS_PREFIX.length) + 1) : undefined;
export const paymentRow = (key: Pick<PaymentKey, "sessionId">): string => `${paymentPrefix(key)}now`;
export const historyPrefix = (key: Pick<PaymentKey, "sessionId">): string => `${paymentPrefix(key)}history~`;
export const historyRow = (key: Pick<PaymentKey, "sessionId">, sequence: number): string =>
  `${historyPrefix(key)}${sequenceKey(sequence)}`;
export const reportRow = (key: Pick<PaymentKey, "sessionId">, reportId: string): string =>
  `${paymentPrefix(key)}report~${part(reportId)}`;
/** The receipts of a terminal's payments, by the UTC day of their changes. So a purge reads only those that it removes. */
export const RECEIPT_PREFIX = "receipt~";
export const receiptRow = (
  { sessionId }: Pick<PaymentKey, "sessionId">,
  { at, sequence }: { readonly at: Instant; readonly sequence: number },
): string => `${receiptsBefore(dayOf(at))}~${part(sessionId)}~${sequenceKey(sequence)}`;
/** The key before which all receipts of earlier days stand. */
export const receiptsBefore = (day: Day): string => RECEIPT_PREFIX + part(day);
/** The terminal and the rows that are read with it share this prefix, so that one query returns them all. */
export const TERMINAL_ROW = "terminal";
export const CLAIM_ROW = "terminal~claim";
export const SEEN_ROW = "terminal~seen";
export const DEVICE_ROW = "terminal~device";
/** A retired terminal. Its key lacks that prefix, so that readers of terminals do not find it. */
export const RETIRED_ROW = "retired";
export const INBOX_PREFIX = "inbox~";
export const inboxRow = (slot: InboxSlot): string => INBOX_PREFIX + slotKey(slot);
/** Holds a payment's message back until its worker has found its change committed. */
export const holdRow = (slot: InboxSlot): string => inboxRow(slot) + HOLD_SUFFIX;
export const HOLD_SUFFIX = "~hold";
/** The tombstone of a message whose command is in another partition. It is written with the message. */
export const filedRow = (slot: InboxSlot): string => FILED_PREFIX + slotKey(slot);
const FILED_PREFIX = "filed~";
const slotKey = (slot: InboxSlot): string => messagesKey(slot) + sequenceKey(slot.sequence);
const messagesKey = ({ createdAt, sessionId }: Omit<InboxSlot, "sequence">): string =>
  `${part(createdAt)}~${part(sessionId)}~`;
/** The messages of one session with their holds, and their tombstones. */
export const inboxPrefix = (of: Omit<InboxSlot, "sequence">): string => INBOX_PREFIX + messagesKey(of);
export const filedPrefix = (of: Omit<InboxSlot, "sequence">): string => FILED_PREFIX + messagesKey(of);

export const actionPartition = (partnerId: string): string => part(partnerId);
export const ACTION_REQUEST_PREFIX = "request~";
export const actionRow = (actionRequestId: string): string => `${ACTION_REQUEST_PREFIX}${part(actionRequestId)}`;
export const PENDING_PREFIX = "pending~";
export const pendingRow = (actionRequestId: string): string => `${PENDING_PREFIX}${part(actionRequestId)}`;

/** A business day of a terminal, in the terminal's partition. Its own row sorts before its other rows, so a scan reads it first. */
export const TERMINAL_DAY_PREFIX = "day~";
export const terminalDayRow = (day: Day): string => `${TERMINAL_DAY_PREFIX}${part(day)}`;
/** The other rows of the day. */
export const terminalDayPrefix = (day: Day): string => `${terminalDayRow(day)}~`;
export const closingRow = (day: Day, closingId: string): string =>
  `${terminalDayPrefix(day)}closing~${part(closingId)}`;

/** An order reference is the partner's own text with any characters, so the key holds its digest. */
export const orderPartition = (key: OrderKey): string =>
  `${part(key.merchantId)}~${createHash("sha256").update(key.orderId).digest("hex")}`;
/** Payments of different amounts are not duplicates. Each amount has its own list, so that none waits for another's. */
export const orderRow = ({ currency, amount }: OrderKey): string => `order~${part(currency)}~${amount}`;

/** A booking in the partition of its terminal, under the day of its file. */
export const BOOKING_PREFIX = "booking~";
export const bookingsPrefix = (fileDay: Day): string => `${BOOKING_PREFIX}${part(fileDay)}~`;
export const bookingRow = (booking: Booking): string => bookingsPrefix(fileDayOf(booking)) + placeInFile(booking);
/** The same booking under its business day, if that was closed when it came. */
export const LATE_BOOKING_PREFIX = "late~";
export const lateBookingsPrefix = (businessDay: Day): string => `${LATE_BOOKING_PREFIX}${part(businessDay)}~`;
export const lateBookingRow = (booking: Booking): string =>
  lateBookingsPrefix(booking.businessDay) + placeInFile(booking);
/** The place of a booking among those of its terminal and day. */
export const placeInFile = ({ sessionId, sequence, number }: Booking): string =>
  `${part(sessionId)}~${sequenceKey(sequence)}~${number}`;

/** A partner's day, with the terminals that have bookings under it. */
export const partnerDayPartition = (partnerId: string, day: Day): string => `${part(partnerId)}~${part(day)}`;
export const PARTNER_DAY_ROW = "day";
export const DAY_TERMINAL_PREFIX = "terminal~";
export const dayTerminalRow = (terminalId: string): string => `${DAY_TERMINAL_PREFIX}${part(terminalId)}`;
/** Every partner's day, the oldest day first. A purge finds here what it removes. */
export const PARTNER_DAYS_PARTITION = "days";
export const LISTED_DAY_PREFIX = "booked~";
export const listedDayRow = (of: PartnerDayKey): string => LISTED_DAY_PREFIX + dayName(of);
/** The days that are not closed, or whose closing is not carried out. A repair finds them here. */
export const OPEN_DAY_PREFIX = "open~";
export const openDayRow = (of: PartnerDayKey): string => OPEN_DAY_PREFIX + dayName(of);
const dayName = ({ partnerId, day }: PartnerDayKey): string => `${part(day)}~${part(partnerId)}`;

export const partnerPartition = (partnerId: string): string => part(partnerId);
export const PARTNER_ROW = "partner";
/** The number of the partner's test events in an hour. The next hour overwrites it. */
export const WEBHOOK_TESTS_ROW = "webhookTests";
export const OWNED_TERMINAL_PREFIX = "terminal~";
export const ownedTerminalRow = (terminalId: string): string => `${OWNED_TERMINAL_PREFIX}${part(terminalId)}`;
export const OWNED_KEY_PREFIX = "key~";
export const ownedKeyRow = (keyId: string): string => `${OWNED_KEY_PREFIX}${part(keyId)}`;
/** One partition: the operator lists all partners, and they are few. */
export const PARTNERS_PARTITION = "partners";
export const LISTED_PARTNER_PREFIX = "partner~";
export const listedPartnerRow = (partnerId: string): string => `${LISTED_PARTNER_PREFIX}${part(partnerId)}`;
export const apiKeyPartition = (keyId: string): string => `apikey~${part(keyId)}`;
export const API_KEY_ROW = "apikey";
export const KEY_USE_ROW = "used";
/** The actions of operators in a month (`2026-11`). */
export const actionsPartition = (month: string): string => `${ACTIONS_PARTITION_PREFIX}${part(month)}`;
export const ACTIONS_PARTITION_PREFIX = "actions~";
export const ACTION_PREFIX = "action~";
export const operatorActionRow = ({ at, actionId }: { readonly at: Instant; readonly actionId: string }): string =>
  `${ACTION_PREFIX}${part(at)}~${part(actionId)}`;

/** One partition. Alerts are few, and an open alert changes in one group with its mark. An operator knows only the subject's name. */
export const ALERTS_PARTITION = "alerts";
export const ALERT_PREFIX = "alert~";
export const alertsPrefix = (name: string): string => `${ALERT_PREFIX}${part(name)}~`;
export const alertRow = (identity: AlertIdentity): string => ALERT_PREFIX + alertKey(identity);
export const OPEN_ALERT_PREFIX = "open~";
export const openAlertRow = (identity: AlertIdentity): string => OPEN_ALERT_PREFIX + alertKey(identity);
const alertKey = ({ subject, kind, about }: AlertIdentity): string =>
  [nameOfSubject(subject), ...withinName(subject), kind, ...(about === undefined ? [] : [about])].map(part).join("~");
/** Partners choose their sessions' names, so two partners may have the same name. */
const withinName = (subject: AlertSubject): string[] => {
  switch (subject.kind) {
    case "payment":
      return [subject.partnerId];
    case "terminal":
      return [subject.day];
    case "platform":
      return [];
  }
};

/** One row for each process that rings. All are read together. */
export const BELLS_PARTITION = "bells";
export const RINGER_PREFIX = "ringer~";
export const ringerRow = (ringer: string): string => `${RINGER_PREFIX}${part(ringer)}`;

/** One partition for each partner. The head, events and the marks of their commands are written in one group. */
export const feedPartition = (partnerId: string): string => part(partnerId);
export const FEED_HEAD_ROW = "feed";
export const FEED_EVENT_PREFIX = "event~";
export const feedEventRow = (number: number): string => `${FEED_EVENT_PREFIX}${String(number).padStart(15, "0")}`;
export const feedMarkRow = (commandId: string): string => `mark~${part(commandId)}`;
/** The sessions of a partner, and its payments in the order in which they were created. */
export const sessionsPartition = (partnerId: string): string => part(partnerId);
export const sessionRow = (sessionId: string): string => `session~${part(sessionId)}`;
export const CREATED_PREFIX = "created~";
/** The request's command comes last. Two requests of one session at one moment have two rows, and only one of these is the payment's. */
export const createdRow = ({
  createdAt,
  sessionId,
  requestedBy,
}: {
  readonly createdAt: Instant;
  readonly sessionId: string;
  readonly requestedBy: string;
}): string => `${CREATED_PREFIX}${part(createdAt)}~${part(sessionId)}~${part(requestedBy)}`;
/** The request that holds an `Idempotency-Key`, by the key's hash, and its key by the day on which it was bound. */
export const IDEMPOTENCY_PREFIX = "idempotency~";
export const idempotencyRow = (hash: string): string => `${IDEMPOTENCY_PREFIX}${part(hash)}`;
export const IDEMPOTENCY_DAY_PREFIX = "bound~";
export const idempotencyDayRow = (day: Day, hash: string): string =>
  `${IDEMPOTENCY_DAY_PREFIX}${part(day)}~${part(hash)}`;
