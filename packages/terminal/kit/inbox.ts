import { toTerminalMessage } from "../../../shared/contracts/objects/terminal-message.ts";
import type { TerminalMessage } from "../../../shared/domain/terminal-message.ts";
import { nextToHandOut, type InboxMessage } from "../../../shared/domain/terminal-inbox.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import { after, type Instant } from "../../../shared/domain/time.ts";

/** A message for the terminal. Its state and lease change as it is handed out. */
export interface Filed extends InboxMessage {
  readonly sessionId: string;
  /** An unknown type, as a later release may send it, instead of the message's own type. */
  readonly unknownType?: string | undefined;
  /** Overrides the time that is left when the message arrives, whenever that is. */
  readonly expiresInMs?: number | undefined;
}

/** A message to file. */
export interface NewMessage {
  readonly messageId: string;
  /** The identifier as the terminal gets it. */
  readonly sessionID?: string | undefined;
  /** Identifies the slot: the session, or the action request that an answer belongs to. */
  readonly about: string;
  readonly message: TerminalMessage;
  readonly expiresAt?: Instant | undefined;
  readonly unknownType?: string | undefined;
  readonly expiresInMs?: number | undefined;
}

/**
 * The inbox of one terminal. It hands out messages as the platform would: with leases, in the order of each session, and a payment only
 * while it is valid.
 */
export function newInbox(now: () => Instant) {
  let sequence = 0;
  let entries: Filed[] = [];

  const replace = (next: Filed): Filed => {
    entries = entries.map((entry) => (entry.messageId === next.messageId ? next : entry));
    return next;
  };

  return {
    file({ about, sessionID, ...message }: NewMessage): Filed {
      const slot = { createdAt: now(), sessionId: about, sequence: ++sequence };
      const filed = {
        ...message,
        sessionId: about,
        sessionIdAsReceived: sessionID,
        slot,
        state: "waiting" as const,
        isHeld: false,
      };
      entries.push(filed);
      return filed;
    },
    /** Hands out the message again, although it was answered. */
    fileAgain(filed: Filed): void {
      const again: Filed = { ...filed, state: "waiting", leasedUntil: undefined };
      entries = [...entries.filter(({ messageId }) => messageId !== filed.messageId), again];
    },
    /** Leases the next message. Returns the body to send. */
    lease(received: string | undefined): object | undefined {
      const poll = { now: now(), leaseSeconds: standardTimings.leaseSeconds, received };
      const found = nextToHandOut(entries, poll);
      if (!found) return undefined;
      const leased = replace({ ...found, state: "fetched", leasedUntil: after(poll.now, poll.leaseSeconds) });
      return bodyOf(leased, poll.now);
    },
    open: (about: string): readonly Filed[] => entries.filter(({ sessionId }) => sessionId === about),
    remove(gone: readonly Filed[]): void {
      const ids = new Set(gone.map(({ messageId }) => messageId));
      entries = entries.filter(({ messageId }) => !ids.has(messageId));
    },
    /** Takes a message out of the inbox if the terminal has not fetched it. Returns whether it did. */
    withdraw({ messageId }: Filed): boolean {
      const left = entries.filter((entry) => entry.messageId !== messageId || entry.state === "fetched");
      const isWithdrawn = left.length < entries.length;
      entries = left;
      return isWithdrawn;
    },
    /** Ends all leases, as if their time had passed. */
    endLeases(): void {
      entries = entries.map((entry) => ({ ...entry, leasedUntil: undefined }));
    },
    clear(): void {
      entries = [];
    },
  };
}
export type Inbox = ReturnType<typeof newInbox>;

/** A message of an unknown type also gets an unknown member. */
function bodyOf({ unknownType, expiresInMs, ...entry }: Filed, now: Instant): object {
  const message = toTerminalMessage(entry, now);
  const body = expiresInMs === undefined ? message : { ...message, expiresInMs };
  return unknownType === undefined ? body : { ...body, type: unknownType, laterMember: { of: "a later release" } };
}
