import type { InboxRow } from "../../../shared/stores/inboxes.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import { ownCaptured, refundsOf } from "../../../shared/domain/payment/record/kept-money.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { TerminalMessage } from "../../../shared/domain/terminal-message.ts";
import type { Platform } from "../platform/platform.ts";
import type { Terminal } from "../../../shared/domain/terminal.ts";
import type { World } from "../world/world.ts";

/** Watches that no message is handed out to a terminal whose own report contradicts it. */
export interface DoneAlready {
  /** The platform has recorded a report, and answers it. */
  heard(sessionId: string, reportId: string): void;
  /** Begins a poll, and returns the check of the message that it hands out. */
  poll(): (row: InboxRow) => Promise<void>;
}

/** The reports after which a message must not be handed out any more. */
const doneBy = { capture: ["captured", "voided"], void: ["voided"], refund: ["refunded"] } as const;
type Move = Extract<TerminalMessage, { type: keyof typeof doneBy }>;
const isMove = (message: TerminalMessage): message is Move => message.type in doneBy;

type Said = NonNullable<RecordedEntry["said"]>;
const ofMoney: ReadonlySet<string> = new Set([
  "captured",
  "captureFailed",
  "voided",
  "voidFailed",
  "refunded",
  "refundFailed",
]);
/** Whether a report says that money moved after an approval, or did not. */
export const isMoneyReport = ({ type }: Said): boolean => ofMoney.has(type);

/**
 * No alert excuses these: a capture, void or refund that the terminal's latest report calls done, and a void of a charge that was not
 * captured in time, although the latest report calls it captured. A capture without a request is requested again at its own amount. An
 * operator's later decision counts instead, and so does the time that a restore lost. A refund that no longer fits is not handed out
 * either, unless the terminal fetched it before, which an alert says.
 */
export function watchDone(
  world: World,
  { ports }: Platform,
  { partnerId, terminalId }: Pick<Terminal, "partnerId" | "terminalId">,
): DoneAlready {
  const known = new Map<string, number>();

  async function check({ message, slot: { sessionId, sequence } }: InboxRow, upTo: number): Promise<void> {
    if (!isMove(message) || world.lostTime.behind.has(sessionId)) return;
    const [stored, history] = await Promise.all([
      ports.payments.find({ partnerId, terminalId, sessionId }),
      ports.payments.history({ partnerId, terminalId, sessionId }),
    ]);
    if (!stored || history.some((entry) => entry.by === "operator")) return;
    const { payment } = stored;
    if (message.type === "refund") checkFit(world, payment, message, history);
    const latest = history.findLast((entry) => isAbout(entry, message));
    if (!latest?.said || (known.get(`${sessionId} ${latest.reportId}`) ?? Infinity) > upTo) return;
    const { type, amount } = latest.said;
    const charge = payment.charges.find(({ chargeId }) => chargeId === latest.said?.chargeId);
    if (charge && charge.createdAt > latest.at) return; // the report came before the charge's own
    const isKept =
      message.type === "capture" && type === "captured" && amount === message.amount && sequence > latest.sequence;
    if (doneBy[message.type].some((one) => one === type) && !isKept)
      world.violate("handed out, although the latest report calls it done", `${sessionId} ${message.type}`);
    const isOwn =
      message.type === "void" &&
      charge &&
      (charge.voidReason !== undefined || ["captured", "authorized"].includes(charge.status));
    if (isOwn && type === "captured" && history.some((h) => h.event === "captureOverdue" && h.sequence <= sequence))
      world.violate("a void for want of a capture was handed out after a capture", sessionId);
  }

  return {
    heard: (sessionId, reportId) => void known.set(`${sessionId} ${reportId}`, known.size),
    poll() {
      const upTo = known.size - 1;
      return (row) => check(row, upTo);
    },
  };
}

/** A pending refund fits, or its message was fetched before an earlier refund turned out to be made. Then an alert names it. */
function checkFit(
  world: World,
  payment: Payment,
  { refundId: received }: Extract<Move, { type: "refund" }>,
  history: readonly RecordedEntry[],
): void {
  const refundId = received.toLowerCase();
  const refund = payment.refunds.find((one) => one.refundId === refundId);
  const isNamed = history.some(({ alerts = [] }) => alerts.some(({ about }) => about === refundId));
  if (!refund || isNamed || refund.status !== "pending" || refund.chargeId !== undefined) return;
  const made = refundsOf(payment, undefined).filter(({ status }) => status === "succeeded");
  const sum = made.reduce((total, one) => total + (one.made ?? one.amount), refund.amount);
  if (sum > ownCaptured(payment)) world.violate("a refund was handed out that does not fit", payment.sessionId);
}

/** Whether the entry is a terminal's report about the end of what the message requests. */
function isAbout({ by, said }: RecordedEntry, message: Move): boolean {
  if (by !== "terminal" || !said || !isMoneyReport(said)) return false;
  if (message.type === "refund") return said.refundId?.toLowerCase() === message.refundId.toLowerCase();
  return said.chargeId === message.chargeId && said.refundId === undefined;
}
