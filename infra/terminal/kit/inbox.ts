import { toTerminalMessage } from "../../../shared/contracts/objects/terminal-message.ts";
import type { TerminalMessage } from "../../../shared/domain/terminal-message.ts";
import { nextToHandOut, type InboxEntry } from "../../../shared/domain/terminal-inbox.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import { after, type Instant } from "../../../shared/domain/time.ts";

/** A message for the terminal. Its state and lease change as it is handed out. */
export interface Filed extends InboxEntry {
  readonly sessionId: string;
  /** A type that no release sends yet, in the place of the message's own. */
  readonly unknownType?: string | undefined;
  /** What is left of its time when it arrives, whenever that is. */
  readonly expiresInMs?: number | undefined;
}

/** What is to be filed. */
export interface Wish {
  readonly messageId: string;
  /** As the terminal gets it. */
  readonly sessionID?: string | undefined;
  /** Names the slot: the session, or the action request of an answer. */
  readonly about: string;
  readonly message: TerminalMessage;
  readonly expiresAt?: Instant | undefined;
  readonly unknownType?: string | undefined;
  readonly expiresInMs?: number | undefined;
}

/** The inbox of one terminal. It hands out what the platform would: with leases, in each session's order, and a payment only while it is meant. */
export function newInbox(now: () => Instant) {
  let sequence = 0;
  let entries: Filed[] = [];

  const replace = (next: Filed): Filed => {
    entries = entries.map((entry) => (entry.messageId === next.messageId ? next : entry));
    return next;
  };

  return {
    file({ about, sessionID, ...wish }: Wish): Filed {
      const slot = { createdAt: now(), sessionId: about, sequence: ++sequence };
      const filed = { ...wish, sessionId: about, sessionIdAsReceived: sessionID, slot, state: "waiting" as const };
      entries.push(filed);
      return filed;
    },
    /** Hands the message out again, although it was answered. */
    fileAgain(filed: Filed): void {
      const again: Filed = { ...filed, state: "waiting", leasedUntil: undefined };
      entries = [...entries.filter(({ messageId }) => messageId !== filed.messageId), again];
    },
    /** Leases the next message. Returns its body as it goes out. */
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
    /** Ends all leases, as their time does. */
    endLeases(): void {
      entries = entries.map((entry) => ({ ...entry, leasedUntil: undefined }));
    },
    clear(): void {
      entries = [];
    },
  };
}
export type Inbox = ReturnType<typeof newInbox>;

/** An unknown type comes with a member that is unknown, too. */
function bodyOf({ unknownType, expiresInMs, ...entry }: Filed, now: Instant): object {
  const message = toTerminalMessage({ ...entry, etag: "" }, now);
  const body = expiresInMs === undefined ? message : { ...message, expiresInMs };
  return unknownType === undefined ? body : { ...body, type: unknownType, laterMember: { of: "a later release" } };
}
