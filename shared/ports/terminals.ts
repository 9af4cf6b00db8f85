import type { InboxPlace, Mailing } from "../domain/effects.ts";
import type { StatusReason } from "../domain/payment.ts";
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

/** A message on its way to a terminal. Its identifier is its command's: the terminal obeys it once. */
export type InboxMessage = Omit<Mailing, "terminalId"> & { readonly messageId: string };

export type InboxRow =
  | {
      readonly state: "tombstone";
      readonly place: InboxPlace;
      /** Set by the worker that refused the payment, so that a crash before it is told is made good. */
      readonly refused?: StatusReason | undefined;
      readonly etag: string;
    }
  | (InboxMessage & {
      readonly state: "waiting" | "fetched" | "settled";
      readonly leasedUntil?: Instant | undefined;
      readonly etag: string;
    });
export type OpenInboxRow = Exclude<InboxRow, { state: "tombstone" }>;

export interface Terminals {
  find(terminalId: string): Promise<TerminalView | undefined>;
  /** Writes what the operator or the partner sets; insert without an ETag. Throws `Conflict`. */
  save(terminal: Terminal, etag: string | undefined): Promise<void>;
  /** Notes that the terminal was heard from. */
  seen(terminalId: string, at: Instant): Promise<void>;
  releaseClaim(terminalId: string, claim: StoredClaim): Promise<void>;
}

/** The messages of one terminal, in its own partition beside its claim. */
export interface Inboxes {
  find(terminalId: string, place: InboxPlace): Promise<InboxRow | undefined>;
  /** Everything not yet forgotten, in the order of handing out. */
  open(terminalId: string): Promise<InboxRow[]>;
  /** Files the message and takes the terminal for its session in one group. Throws `Conflict` if either was there first. */
  admit(terminalId: string, message: InboxMessage, claim: Claim, held: StoredClaim | undefined): Promise<void>;
  /** Files a message. Throws `Conflict` when one, or a tombstone, is in its place. */
  post(terminalId: string, message: InboxMessage): Promise<void>;
  /** Puts a tombstone in the place: of nothing, or of the row as it was read. Throws `Conflict`. */
  withdraw(terminalId: string, place: InboxPlace, row: InboxRow | undefined, refused?: StatusReason): Promise<void>;
  /** Marks the message fetched and keeps it from being handed out again until then. Throws `Conflict`. */
  lease(terminalId: string, row: OpenInboxRow, until: Instant): Promise<void>;
  /** The terminal answered: it is not handed out again. Throws `Conflict`. */
  settle(terminalId: string, row: OpenInboxRow): Promise<void>;
  /** Takes a settled message or a tombstone out of the way, once nothing can file it again. Throws `Conflict`. */
  forget(terminalId: string, row: InboxRow): Promise<void>;
}
