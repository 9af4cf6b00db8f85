import { z } from "zod";
import type { InboxSlot } from "../domain/effects.ts";
import { statusReasons, type StatusReason } from "../domain/payment/payment.ts";
import type { RecordOf } from "../domain/record.ts";
import type { InboxEntry, InboxMessage } from "../domain/terminal-inbox.ts";
import type { Claim, Terminal } from "../domain/terminal.ts";
import type { Instant } from "../domain/time.ts";

/** A terminal as one read shows it: what was set, who holds it, when it was last heard from. */
export interface TerminalView {
  readonly terminal: Terminal;
  readonly etag: string;
  readonly claim: StoredClaim | undefined;
  readonly lastSeenAt: Instant | undefined;
}
export interface StoredClaim extends Claim {
  readonly etag: string;
}

/** A terminal as its key proves it: what stays while it is registered, and what the key is compared with. Nothing that changes from call to call. */
export type KeyedTerminal = Pick<
  Terminal,
  "terminalId" | "idAsReceived" | "partnerId" | "merchantId" | "keyHash" | "pepperId"
>;

/** A message as its row was read. */
export interface InboxRow extends InboxEntry {
  readonly etag: string;
}

/**
 * What became of a place in an inbox. A tombstone is written with the message, or in its stead, and stays for good: nothing can be
 * filed twice, or after it was withdrawn or resolved, however late a slow worker comes.
 */
export const slotRecord = z.object({
  /** Taken back before the terminal fetched it: the terminal never got it, and never will. */
  withdrawn: z.boolean(),
  /** Taken out at an operator's word. Whether the terminal had fetched it is not known from this. */
  resolved: z.boolean().optional(),
  /** Set by the worker that refused the payment, so that a crash before it is told is made good. */
  refused: z.enum(statusReasons).optional(),
});
export interface SlotState extends RecordOf<typeof slotRecord> {
  /** The message, until the terminal has answered it. */
  readonly row: InboxRow | undefined;
}

export interface Terminals {
  find(terminalId: string): Promise<TerminalView | undefined>;
  /** What a terminal's key is held against; where it is cached, as it was some seconds ago. */
  findKey(terminalId: string): Promise<KeyedTerminal | undefined>;
  findClaim(terminalId: string): Promise<StoredClaim | undefined>;
  /** Writes what the operator or the partner sets; insert without an ETag. Throws `Conflict`. */
  save(terminal: Terminal, etag: string | undefined): Promise<void>;
  /** Notes that the terminal was heard from. */
  seen(terminalId: string, at: Instant): Promise<void>;
}

/** The messages of one terminal, in its own partition beside its claim. */
export interface Inboxes {
  /** Undefined while nothing was filed in the place, and it was neither withdrawn nor resolved. */
  find(terminalId: string, slot: InboxSlot): Promise<SlotState | undefined>;
  /** Every message that is not answered, in the order of handing out. */
  unanswered(terminalId: string): Promise<InboxRow[]>;
  /** Files the message and takes the terminal for its session in one group. Throws `Conflict` if either was there first. */
  admit(terminalId: string, message: InboxMessage, claim: Claim, held: StoredClaim | undefined): Promise<void>;
  /** Files a message. Throws `Conflict` when the place was filed, withdrawn or resolved before. */
  post(terminalId: string, message: InboxMessage): Promise<void>;
  /** Takes the place so that nothing is filed in it, or takes the row back as it was read. Throws `Conflict`. */
  withdraw(terminalId: string, slot: InboxSlot, row: InboxRow | undefined, refused?: StatusReason): Promise<void>;
  /** Takes the place, or takes out the row as it was read, fetched or not: an operator decided what it asks for. Throws `Conflict`. */
  resolve(terminalId: string, slot: InboxSlot, row: InboxRow | undefined): Promise<void>;
  /** Marks the message fetched and keeps it from being handed out again until then. Throws `Conflict`. */
  lease(terminalId: string, row: InboxRow, until: Instant): Promise<void>;
  /** The terminal has answered, or never will get it: the row goes, its tombstone stays. Throws `Conflict`. */
  remove(terminalId: string, row: InboxRow): Promise<void>;
  /** The terminal has answered what stands in the place: the row goes, whatever became of it, or is gone; its tombstone stays. */
  discard(terminalId: string, slot: InboxSlot): Promise<void>;
}
