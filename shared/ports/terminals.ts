import { z } from "zod";
import type { InboxSlot } from "../domain/effects.ts";
import { statusReasons, type StatusReason } from "../domain/payment/record/payment.ts";
import type { RecordOf } from "../domain/record.ts";
import type { InboxEntry, InboxMessage } from "../domain/terminal-inbox.ts";
import type { Claim, Terminal } from "../domain/terminal.ts";
import type { Instant } from "../domain/time.ts";
import type { KeyHash } from "./partners.ts";

/** A terminal as one query returns it: the set status, the claim, and when it was last heard from. */
export interface TerminalView {
  readonly terminal: Terminal;
  readonly etag: string;
  readonly claim: StoredClaim | undefined;
  readonly lastSeenAt: Instant | undefined;
}
export interface StoredClaim extends Claim {
  readonly etag: string;
}

/**
 * A terminal as its key identifies it: what is fixed while it is registered, and what the key is compared with. It holds nothing that
 * changes from call to call.
 */
export type KeyedTerminal = Pick<
  Terminal,
  "terminalId" | "idAsReceived" | "partnerId" | "merchantId" | "keyHash" | "pepperId" | "formerKey"
>;

/** A message as its row was read. */
export interface InboxRow extends InboxEntry {
  readonly etag: string;
}

/**
 * The tombstone of a slot in an inbox. It is written with the message or instead of it, and stays as long as its payment: nothing can be enqueued twice,
 * or after it was withdrawn or resolved, however late a slow worker is.
 */
export const slotRecord = z.object({
  /** Withdrawn before the terminal fetched it: the terminal never got it, and never will. */
  withdrawn: z.boolean(),
  /** Taken out by an operator's resolution. This does not show whether the terminal had fetched it. */
  resolved: z.boolean().optional(),
  /** Why a worker refused the payment. Another worker ends the payment by it, should the first one crash in between. */
  refused: z.enum(statusReasons).optional(),
});
export interface SlotState extends RecordOf<typeof slotRecord> {
  /** The message; undefined once the terminal has answered it. */
  readonly row: InboxRow | undefined;
}

export interface Terminals {
  find(terminalId: string): Promise<TerminalView | undefined>;
  /** What a terminal's key is compared with. A cache may return it as it was some seconds ago. */
  findKey(terminalId: string): Promise<KeyedTerminal | undefined>;
  findClaim(terminalId: string): Promise<StoredClaim | undefined>;
  /** Writes what the operator or the partner sets. Without an ETag the terminal is inserted. Throws `Conflict`. */
  save(terminal: Terminal, etag: string | undefined): Promise<void>;
  /** Replaces the hash of the terminal's key, as `Partners.rehashKey` does. */
  rehashKey(terminalId: string, was: KeyHash, next: KeyHash): Promise<void>;
  /** Moves the terminal to where only `findRetired` finds it. Throws `Conflict`. */
  retire(terminal: Terminal, etag: string): Promise<void>;
  findRetired(terminalId: string): Promise<Terminal | undefined>;
  /** Writes the terminal's heartbeat. */
  seen(terminalId: string, at: Instant): Promise<void>;
}

/** The messages of one terminal, in its own partition beside its claim. */
export interface Inboxes {
  /** The slot's state; undefined while no message was enqueued in it and it was neither withdrawn nor resolved. */
  find(terminalId: string, slot: InboxSlot): Promise<SlotState | undefined>;
  /** Every message that the terminal has not answered, in the order of handing out. */
  unanswered(terminalId: string): Promise<InboxRow[]>;
  /**
   * Enqueues the message and claims the terminal for its session, in one group. Throws `Conflict` when the slot is used or the claim
   * changed since it was read.
   */
  admit(terminalId: string, message: InboxMessage, claim: Claim, held: StoredClaim | undefined): Promise<void>;
  /** Enqueues a message. Throws `Conflict` when its slot was used, withdrawn or resolved before. */
  post(terminalId: string, message: InboxMessage): Promise<void>;
  /**
   * Withdraws the row as it was read; without a row, inserts the slot's tombstone, so that no message can be enqueued in it. Throws
   * `Conflict`.
   */
  withdraw(terminalId: string, slot: InboxSlot, row: InboxRow | undefined, refused?: StatusReason): Promise<void>;
  /**
   * Takes out the row as it was read, fetched or not; without a row, inserts the slot's tombstone. An operator has decided what the message
   * requests. Throws `Conflict`.
   */
  resolve(terminalId: string, slot: InboxSlot, row: InboxRow | undefined): Promise<void>;
  /** Marks the message fetched, and keeps it from being handed out again until then. Throws `Conflict`. */
  lease(terminalId: string, row: InboxRow, until: Instant): Promise<void>;
  /** Removes the row of a message that the terminal has answered, or will never get. The slot's tombstone stays. Throws `Conflict`. */
  remove(terminalId: string, row: InboxRow): Promise<void>;
  /**
   * Removes the row of the message in this slot, which the terminal has answered, whatever the row's state. A row that is gone already is
   * no error. The slot's tombstone stays.
   */
  discard(terminalId: string, slot: InboxSlot): Promise<void>;
}
