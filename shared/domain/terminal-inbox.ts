import * as z from "zod";
import { envelopeRecord } from "./effects.ts";
import type { RecordOf } from "./record.ts";
import { msBetween, uncheckedInstant, type Instant } from "./time.ts";

/** A message in a terminal's inbox, as its row holds it. Its identifier is its command's. The terminal carries it out once. */
export const inboxRecord = envelopeRecord.omit({ terminalId: true }).extend({
  messageId: z.string(),
  /** As in the effect. It is read unchecked, because the rows of messages were never checked for more than text. */
  expiresAt: uncheckedInstant.optional(),
  /** The W3C trace context of the request that caused it. */
  traceparent: z.string().optional(),
  /** `fetched`: the terminal may have it. */
  state: z.enum(["waiting", "fetched"]),
  leasedUntil: uncheckedInstant.optional(),
  /** When the terminal first fetched it. Absent also for a message that was fetched before this was kept. */
  fetchedAt: uncheckedInstant.optional(),
});
export interface InboxEntry extends RecordOf<typeof inboxRecord> {}

/** A message in an inbox. `isHeld`: its worker has not released it yet, so it is not handed out. */
export interface InboxMessage extends InboxEntry {
  readonly isHeld: boolean;
}

/** A status query that must be answered before any other message of its session is handed out. While its row exists, it is not answered. */
export const comesFirst = ({ message }: Pick<InboxEntry, "message">): boolean =>
  message.type === "statusQuery" && message.first === true;

/** A terminal's fetch. */
export interface Poll {
  readonly now: Instant;
  readonly leaseSeconds: number;
  /** The last message that arrived at the terminal, if the terminal names it. */
  readonly received?: string | undefined;
}

/**
 * The first message that is released, still wanted and not leased, and is not behind a leased message of its own session. An unwanted
 * payment message stays in the inbox and holds no other message back. The report that concludes the payment removes it. A status query that
 * comes first holds back every other message of its session, also earlier ones, until it is answered. A held message counts for all this.
 *
 * A capture, void or refund that was not fetched may have waited for days. It is handed out after everything that is not behind such a
 * message of its own session, so that a customer never waits for it.
 */
export function nextToHandOut<Entry extends InboxMessage>(entries: readonly Entry[], poll: Poll): Entry | undefined {
  const received = entries.find(({ messageId }) => messageId === poll.received);
  const queried = new Set(entries.filter(comesFirst).map(({ slot }) => slot.sessionId));
  const heldBack = new Set<string>();
  const isMeant = (entry: Entry) =>
    !entry.isHeld &&
    !heldBack.has(entry.slot.sessionId) &&
    (comesFirst(entry) || !queried.has(entry.slot.sessionId)) &&
    isStillMeant(entry, entries, poll.now);
  let patient: Entry | undefined;
  for (const entry of entries) {
    if (!isMeant(entry)) continue;
    heldBack.add(entry.slot.sessionId);
    if (isLeased(entry, poll) && !wasLost(entry, received, poll)) continue;
    if (!isPatient(entry)) return entry;
    patient ??= entry;
  }
  return patient;
}

/** Whether nobody at the terminal waits for the message. */
const isPatient = (entry: InboxEntry): boolean =>
  isWaitingMovement(entry) || (entry.state === "waiting" && entry.message.type === "void");

/** Whether it is a capture or a refund that the terminal has not fetched. */
export const isWaitingMovement = ({ state, message: { type } }: InboxEntry): boolean =>
  state === "waiting" && (type === "capture" || type === "refund");

/** A payment that has expired or was called off is not handed out. */
const isStillMeant = (entry: InboxEntry, entries: readonly InboxEntry[], now: Instant): boolean =>
  entry.message.type !== "payment" || !(isExpired(entry, now) || isCalledOff(entry, entries));

const isExpired = ({ expiresAt }: InboxEntry, now: Instant): boolean =>
  expiresAt !== undefined && msBetween(now, expiresAt) <= 0;

const isCalledOff = ({ slot }: InboxEntry, entries: readonly InboxEntry[]): boolean =>
  entries.some(
    (other) => other.slot.sessionId === slot.sessionId && other.slot.sequence > slot.sequence && callsPaymentOff(other),
  );

/** Messages by which the platform no longer wants the payment to begin. The terminal is to stop it, or to report its state. */
export const callsPaymentOff = ({ message }: Pick<InboxEntry, "message">): boolean =>
  message.type === "cancel" || (message.type === "statusQuery" && message.refundId === undefined);

/** A lease that ends later than a whole lease from now was written by a wrong clock, and is ignored. */
function isLeased({ leasedUntil }: InboxEntry, { now, leaseSeconds }: Poll): boolean {
  const left = leasedUntil === undefined ? 0 : msBetween(now, leasedUntil);
  return left > 0 && left <= leaseSeconds * 1000;
}

/**
 * A message is lost if it was handed out after the last message that arrived. A message that was handed out earlier has arrived, and its
 * lease holds. Otherwise a terminal that answers two messages slowly would get them in turns without a pause.
 */
const wasLost = (entry: InboxEntry, received: InboxEntry | undefined, poll: Poll): boolean =>
  poll.received !== undefined &&
  entry.messageId !== poll.received &&
  (received?.leasedUntil === undefined || (entry.leasedUntil ?? "") >= received.leasedUntil);
