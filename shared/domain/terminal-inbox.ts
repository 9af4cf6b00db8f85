import { z } from "zod";
import { envelopeRecord } from "./effects.ts";
import type { RecordOf } from "./record.ts";
import { msBetween, uncheckedInstant, type Instant } from "./time.ts";

/** A message on its way to a terminal. Its identifier is its command's: the terminal obeys it once. */
const inboxMessageRecord = envelopeRecord.omit({ terminalId: true }).extend({
  messageId: z.string(),
  /** As in the effect; the rows of messages were never checked for more than text. */
  expiresAt: uncheckedInstant.optional(),
  /** The trace of the request that led to it. */
  traceparent: z.string().optional(),
});
export interface InboxMessage extends RecordOf<typeof inboxMessageRecord> {}

/** A message as its row holds it. */
export const inboxRecord = inboxMessageRecord.extend({
  /**
   * `withdrawn`: taken back before the terminal fetched it. `resolved`: taken out because an operator decided what it asks for; the
   * terminal may have fetched it before. Either only has to be swept away.
   */
  state: z.enum(["waiting", "fetched", "withdrawn", "resolved"]),
  leasedUntil: uncheckedInstant.optional(),
});
export interface InboxEntry extends RecordOf<typeof inboxRecord> {}

/** The message is no longer there for its terminal; its row remains until it is swept away. */
export const isTakenOut = ({ state }: Pick<InboxEntry, "state">): boolean =>
  state === "withdrawn" || state === "resolved";

/** A terminal's fetch. */
export interface Poll {
  readonly now: Instant;
  readonly leaseSeconds: number;
  /** The last message that arrived at the terminal, where the terminal names it. */
  readonly received?: string | undefined;
}

/**
 * The first message that is still meant, not leased, and not behind a leased one of its own session. A payment that is no longer
 * meant stays where it is and holds nothing back: a report settles it.
 */
export function nextToHandOut<Entry extends InboxEntry>(entries: readonly Entry[], poll: Poll): Entry | undefined {
  const received = entries.find(({ messageId }) => messageId === poll.received);
  const heldBack = new Set<string>();
  for (const entry of entries) {
    const { sessionId } = entry.slot;
    if (heldBack.has(sessionId) || !isStillMeant(entry, entries, poll.now)) continue;
    if (!isLeased(entry, poll) || wasLost(entry, received, poll)) return entry;
    heldBack.add(sessionId);
  }
  return undefined;
}

/** A terminal must not begin a payment after its time, nor one that was called off. */
const isStillMeant = (entry: InboxEntry, entries: readonly InboxEntry[], now: Instant): boolean =>
  !isTakenOut(entry) && (entry.message.type !== "payment" || !(isExpired(entry, now) || isCalledOff(entry, entries)));

const isExpired = ({ expiresAt }: InboxEntry, now: Instant): boolean =>
  expiresAt !== undefined && msBetween(now, expiresAt) <= 0;

const isCalledOff = ({ slot }: InboxEntry, entries: readonly InboxEntry[]): boolean =>
  entries.some(
    (other) =>
      other.slot.sessionId === slot.sessionId &&
      other.slot.sequence > slot.sequence &&
      !isTakenOut(other) &&
      callsPaymentOff(other),
  );

/** The platform no longer wants the payment begun: the terminal is to stop it, or to say how it stands. */
export const callsPaymentOff = ({ message }: Pick<InboxEntry, "message">): boolean =>
  message.type === "cancel" || (message.type === "statusQuery" && message.refundId === undefined);

/** A lease that ends further ahead than a lease lasts is another clock's mistake and is not honoured. */
function isLeased({ leasedUntil }: InboxEntry, { now, leaseSeconds }: Poll): boolean {
  const left = leasedUntil === undefined ? 0 : msBetween(now, leasedUntil);
  return left > 0 && left <= leaseSeconds * 1000;
}

/**
 * A message that was handed out after the last one that arrived did not arrive. One that was handed out before it did: its lease
 * holds, or a terminal that is slow to answer two messages would get them in turns without a pause.
 */
const wasLost = (entry: InboxEntry, received: InboxEntry | undefined, poll: Poll): boolean =>
  poll.received !== undefined &&
  entry.messageId !== poll.received &&
  (received?.leasedUntil === undefined || (entry.leasedUntil ?? "") >= received.leasedUntil);
