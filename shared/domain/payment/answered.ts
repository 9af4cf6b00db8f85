import { z } from "zod";
import type { RecordOf } from "../record.ts";
import { callsPaymentOff, type InboxEntry } from "../terminal-inbox.ts";
import type { TerminalMessage, TerminalMessageType } from "../terminal-message.ts";
import type { ReportType } from "./events.ts";
import type { Report } from "./report.ts";

/** A terminal that has begun the payment answers what called it off by how the payment stands. */
const howItStands = ["cancel", "statusQuery"] as const;
const howItEnded = ["payment", ...howItStands] as const;

/** The kinds of message that a report of each type answers. The first kind is what the report is about. */
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

/** A message that was sent for a payment. */
export interface Answered {
  readonly messageId: string;
  readonly type: TerminalMessageType;
  readonly sequence: number;
}

/**
 * The message that a report answers: the one that it names, where it can answer such a message; otherwise, of those that the
 * terminal has fetched and not answered, the oldest of the kind. Nothing that was not fetched can be meant.
 *
 * @param named the message of this payment that the report names; undefined where it names none
 * @param open the messages of this payment that are not answered, the oldest first
 */
export function answeredBy(
  report: Report,
  named: Answered | undefined,
  open: readonly InboxEntry[],
): Answered | undefined {
  const kinds = answeredKinds[report.type];
  if (named && (report.type === "acknowledged" || kinds.includes(named.type))) return named;
  const meant = kinds.flatMap((kind) =>
    open.filter(({ state, message }) => message.type === kind && state === "fetched" && isAbout(message, report)),
  )[0];
  return meant ? { messageId: meant.messageId, type: meant.message.type, sequence: meant.slot.sequence } : named;
}

/** Of two charges, refunds or discounts a report means the one that it names; of the payment it speaks where it is about no refund. */
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

/** A report as it is remembered. */
export const recordedReportRecord = z.object({
  /** The sequence of the change that recorded it: what was filed later it cannot mean. */
  sequence: z.int(),
  /** The message that it answers; undefined where that is not known. */
  messageId: z.string().optional(),
});
export interface RecordedReport extends RecordOf<typeof recordedReportRecord> {}

/**
 * The messages that a recorded report settles, the oldest first: the one that it answers, and those that want to know nothing else.
 * A payment is settled by whatever says that it was begun or is over, and by any answer to what called it off: from then on it is
 * never handed out. A repeated report settles the same as at first, and nothing that was filed since.
 */
export function acknowledgedBy<Entry extends InboxEntry>(
  report: Report,
  { sequence, messageId }: RecordedReport,
  open: readonly Entry[],
): readonly Entry[] {
  const kinds = answeredKinds[report.type];
  const answered = open.find((entry) => entry.messageId === messageId);
  const isBegunOrOver = kinds.includes("payment") || (answered !== undefined && callsPaymentOff(answered));
  const isAcknowledged = (entry: Entry): boolean => {
    const { message, state, slot } = entry;
    if (entry === answered) return true;
    if (message.type === "payment") return isBegunOrOver;
    if (message.type === "void" && report.type === "voided") return isAbout(message, report); // every try is over
    const isQuestion = message.type === "cancel" || message.type === "statusQuery";
    const isMeant = kinds.includes(message.type) && isAbout(message, report);
    return isQuestion && isMeant && state === "fetched" && slot.sequence < sequence;
  };
  return open.filter(isAcknowledged);
}
