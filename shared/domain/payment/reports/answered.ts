import * as z from "zod";
import type { RecordOf } from "../../record.ts";
import { callsPaymentOff, comesFirst, type InboxEntry } from "../../terminal-inbox.ts";
import type { TerminalMessage, TerminalMessageType } from "../../terminal-message.ts";
import type { ReportType } from "../record/events.ts";
import { saidRecord } from "../record/said.ts";
import type { Payment } from "../record/payment.ts";
import type { Report } from "../record/report.ts";

/** A terminal that has begun the payment answers a cancel or a status query by reporting the payment's state. */
const howItStands = ["cancel", "statusQuery"] as const;
const howItEnded = ["payment", ...howItStands] as const;

/** The kinds of message that a report of each type answers. The report is about the first kind. */
const answeredKinds: Readonly<Record<ReportType, readonly TerminalMessageType[]>> = {
  acknowledged: [],
  accepted: ["payment"],
  amountLocked: ["payment"],
  stillRunning: ["payment", "statusQuery"],
  authorized: howItEnded,
  declined: howItEnded,
  cancelled: howItEnded,
  notStarted: howItEnded,
  failed: howItEnded,
  captured: ["capture", ...howItStands],
  captureFailed: ["capture", ...howItStands],
  voided: ["void", ...howItStands],
  voidFailed: ["void", ...howItStands],
  refunded: ["refund", "statusQuery"],
  refundFailed: ["refund", "statusQuery"],
  discountApplied: ["discount"],
  discountRefused: ["discount"],
};

/** The reports after which a message that requests the same is obsolete, whichever message they answer. */
const doneBy: Partial<Record<TerminalMessageType, ReportType>> = {
  capture: "captured",
  void: "voided",
  refund: "refunded",
};

/** A message that was sent for a payment. */
export interface Answered {
  readonly messageId: string;
  readonly type: TerminalMessageType;
  readonly sequence: number;
}

/**
 * The message that a report answers. It is the named message, if a report of this type can answer such a message. Otherwise it is the
 * oldest message of the kind that the terminal has fetched and not answered. A message that was not fetched cannot be answered. The query
 * of a restore is answered only by a report that names it, because any other report may be older than the query.
 *
 * @param named the message of this payment that the report names. Undefined if it names none
 * @param open the unanswered messages of this payment, the oldest first
 */
export function answeredBy(
  report: Report,
  named: Answered | undefined,
  open: readonly InboxEntry[],
): Answered | undefined {
  const kinds = answeredKinds[report.type];
  const isPossible = named && (report.type === "acknowledged" || kinds.includes(named.type));
  if (isPossible) return named;
  const isOpen = (entry: InboxEntry) =>
    entry.state === "fetched" && !comesFirst(entry) && isAbout(entry.message, report);
  const [meant] = kinds.flatMap((kind) => open.filter((entry) => entry.message.type === kind && isOpen(entry)));
  return meant ? { messageId: meant.messageId, type: meant.message.type, sequence: meant.slot.sequence } : named;
}

/**
 * Whether a message is about the charge, refund or discount that the report names. A report that is not about a refund answers a status
 * query of the payment.
 */
function isAbout(message: TerminalMessage, { type, chargeId, refundId, discountId }: Report): boolean {
  switch (message.type) {
    case "capture":
    case "void":
      return chargeId === undefined || isSame(chargeId, message.chargeId);
    case "refund":
      return isSame(refundId, message.refundId);
    case "statusQuery":
      return isSame(message.refundId, answeredKinds[type].includes("refund") ? refundId : undefined);
    case "discount":
      return discountId === undefined || isSame(discountId, message.discountId);
    default:
      return true;
  }
}

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one?.toLowerCase() === other?.toLowerCase();

/**
 * Whether the report is the failure of this capture or void, whichever message it names. The payment awaits no capture, or the terminal only
 * repeats the report. Otherwise the message would be handed out forever. The answer to a later status query then tells the outcome.
 */
const isFailedTry = (
  { type: wanted }: TerminalMessage,
  { type }: Report,
  { payment, isRepeated = false }: Acknowledging,
): boolean =>
  (wanted === "capture" && type === "captureFailed" && (isRepeated || payment.status !== "captureRequested")) ||
  (wanted === "void" && type === "voidFailed" && isRepeated);

const isQuestion = ({ type }: TerminalMessage): boolean => type === "cancel" || type === "statusQuery";

/**
 * Whether the message requests a capture or a void of a charge that the books hold as captured or voided. After a restore, the terminal may
 * have been ahead of the books. A request that they held as pending then ended differently.
 */
const isOver = ({ message }: InboxEntry, { charges }: Pick<Payment, "charges">): boolean =>
  (message.type === "capture" || message.type === "void") &&
  charges.some(
    ({ chargeId, status }) => isSame(chargeId, message.chargeId) && (status === "captured" || status === "voided"),
  );

/** A recorded report. */
export const recordedReportRecord = z.object({
  /** The sequence of the change that recorded it. The report cannot answer a message that was enqueued later. */
  sequence: z.int(),
  /** The message that it answers. Undefined if unknown. */
  messageId: z.string().optional(),
  said: saidRecord.optional(),
});
export interface RecordedReport extends RecordOf<typeof recordedReportRecord> {}

/** A recorded report, and the payment after it. */
interface Acknowledging extends RecordedReport {
  readonly payment: Pick<Payment, "charges" | "status">;
  /** The same report was recorded before. */
  readonly isRepeated?: boolean;
}

/**
 * The messages that a recorded report acknowledges, the oldest first: the message that it answers, and those whose question it answers too.
 * A report that the payment was begun or has ended acknowledges the payment message. So does any answer to a cancel or status query. From
 * then on the payment is never handed out. A repeated report acknowledges the same messages as the first time, and none that were enqueued
 * since. A repeated failure also acknowledges the capture or void that the terminal has fetched.
 */
export function acknowledgedBy<Entry extends InboxEntry>(
  report: Report,
  recorded: Acknowledging,
  open: readonly Entry[],
): readonly Entry[] {
  const { sequence, messageId, payment } = recorded;
  const kinds = answeredKinds[report.type];
  const answered = open.find((entry) => entry.messageId === messageId);
  const isBegunOrOver = kinds.includes("payment") || (answered !== undefined && callsPaymentOff(answered));
  const isAnswered = (entry: Entry): boolean => entry === answered && report.type !== "acknowledged";
  /** The request of the message needs no further try. */
  const isDone = (entry: Entry): boolean =>
    (isOver(entry, payment) && entry.slot.sequence < sequence) ||
    (report.type === doneBy[entry.message.type] && isAbout(entry.message, report));
  const isAcknowledged = (entry: Entry): boolean => {
    const { message, state, slot } = entry;
    // A query that comes first is answered only by a report that was matched to it.
    if (comesFirst(entry)) return isAnswered(entry);
    if (entry === answered) return true;
    if (message.type === "payment") return isBegunOrOver;
    if (isDone(entry)) return true;
    const isMeant = isQuestion(message) ? kinds.includes(message.type) : isFailedTry(message, report, recorded);
    return isMeant && isAbout(message, report) && state === "fetched" && slot.sequence < sequence;
  };
  return open.filter(isAcknowledged);
}
