import type { InboxRow } from "../../../shared/stores/inboxes.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import type { TerminalMessage } from "../../../shared/domain/terminal-message.ts";
import type { Platform } from "../platform/platform.ts";
import type { World } from "../world/world.ts";

/** Watches that no message is handed out to a terminal whose own report contradicts it. */
export interface DoneAlready {
  /** The platform has recorded a report, and answers it. */
  heard(sessionId: string, reportId: string): void;
  /** Begins a poll, and returns the check of the message that it hands out. */
  poll(): (row: InboxRow) => Promise<void>;
}

const doneBy = { capture: "captured", void: "voided", refund: "refunded" } as const;
type Move = Extract<TerminalMessage, { type: keyof typeof doneBy }>;
const isMove = (message: TerminalMessage): message is Move => message.type in doneBy;
const ofCharges: ReadonlySet<string> = new Set(["captured", "captureFailed", "voided", "voidFailed"]);

/**
 * No alert excuses these: a capture, void or refund that the terminal's latest report calls done, and a void of a charge that was not
 * captured in time, although the latest report calls it captured. A capture without a request is requested again at its own amount. An
 * operator's later decision counts instead, and so does the time that a restore lost.
 */
export function watchDone(world: World, { ports }: Platform, partnerId: string): DoneAlready {
  const known = new Map<string, number>();

  async function check({ message, slot: { sessionId, sequence } }: InboxRow, upTo: number): Promise<void> {
    if (!isMove(message) || world.lostTime.behind.has(sessionId)) return;
    const [stored, history] = await Promise.all([
      ports.payments.find({ partnerId, sessionId }),
      ports.payments.history({ partnerId, sessionId }),
    ]);
    const latest = history.findLast((entry) => isAbout(entry, message));
    if (!latest?.said || (known.get(`${sessionId} ${latest.reportId}`) ?? Infinity) > upTo) return;
    if (history.some((entry) => entry.by === "operator" && entry.sequence > latest.sequence)) return;
    const { type, amount } = latest.said;
    const isKept = message.type === "capture" && amount === message.amount && sequence > latest.sequence;
    if (type === doneBy[message.type] && !isKept)
      world.violate("handed out, although the latest report calls it done", `${sessionId} ${message.type}`);
    const charge = message.type === "void" && stored?.payment.charges.find((c) => c.chargeId === message.chargeId);
    const isOwn = charge && (charge.voidReason !== undefined || ["captured", "authorized"].includes(charge.status));
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

/** Whether the entry is a terminal's report about the end of what the message requests. */
function isAbout({ by, said }: RecordedEntry, message: Move): boolean {
  if (by !== "terminal" || !said) return false;
  if (message.type === "refund") return said.refundId?.toLowerCase() === message.refundId.toLowerCase();
  return ofCharges.has(said.type) && said.chargeId === message.chargeId;
}
