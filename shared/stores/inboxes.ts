import type { InboxSlot } from "../domain/effects.ts";
import { type InboxEntry, type InboxMessage, inboxRecord } from "../domain/terminal-inbox.ts";
import type { Instant } from "../domain/time.ts";
import { Conflict } from "../ports/failures.ts";
import { filedRow, HOLD_SUFFIX, holdRow, INBOX_PREFIX, inboxRow, terminalPartition } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Columns, Operation, Row, Rows } from "../ports/rows.ts";

/** A message as its row was read. */
export interface InboxRow extends InboxMessage {
  readonly etag: string;
}

/** A message as it is written. */
export type NewMessage = Omit<InboxEntry, "state" | "leasedUntil" | "fetchedAt">;

/**
 * The messages of one terminal, in its own partition. The group of a payment's change writes a message, and holds it back until the worker
 * of its command releases it. The group of a later change removes it.
 */
export function inboxesTable(rows: Rows) {
  return {
    /**
     * Every message that the terminal has not answered, in the order of handing out. A message and its hold are written together, and the
     * hold's key comes after the message's. So a message whose hold is not found was released, although rows are read one after the other.
     */
    async unanswered(terminalId: string): Promise<InboxRow[]> {
      const found = await rows.withPrefix(terminalPartition(terminalId), INBOX_PREFIX);
      const holds = new Set(found.map(({ rowKey }) => rowKey).filter((rowKey) => rowKey.endsWith(HOLD_SUFFIX)));
      return found.flatMap((row) =>
        holds.has(row.rowKey) ? [] : [toInboxRow(row, holds.has(row.rowKey + HOLD_SUFFIX))],
      );
    },
    /**
     * Releases a payment's message, so that it is handed out. False if there is nothing to release: it is not committed yet, or it was
     * released before. A message that was removed meanwhile leaves only its hold, which goes.
     */
    async release(terminalId: string, slot: InboxSlot): Promise<boolean> {
      try {
        await rows.submit(terminalPartition(terminalId), [{ kind: "discard", rowKey: holdRow(slot) }]);
        return true;
      } catch (error) {
        if (error instanceof Conflict) return false;
        throw error;
      }
    },
    /**
     * Files a message whose command is in another partition, with a tombstone that stays as long as its subject. So even a slow worker
     * cannot file it twice. Throws `Conflict` if it was filed before.
     */
    async file(terminalId: string, message: NewMessage): Promise<void> {
      await rows.submit(terminalPartition(terminalId), [
        { kind: "insert", rowKey: filedRow(message.slot), columns: toColumns({}) },
        writeMessage(message),
      ]);
    },
    /** Marks the message fetched, and keeps it from being handed out again before `until`. Throws `Conflict`. */
    async lease(terminalId: string, { etag, isHeld: _, ...row }: InboxRow, until: Instant): Promise<void> {
      const columns = toInboxColumns({ ...row, state: "fetched", leasedUntil: until });
      await rows.submit(terminalPartition(terminalId), [
        { kind: "replace", rowKey: inboxRow(row.slot), columns, etag },
      ]);
    },
    /** Removes messages that the terminal has answered, the oldest first. Throws `Conflict`. */
    async remove(terminalId: string, messages: readonly InboxRow[]): Promise<void> {
      for (let i = 0; i < messages.length; i += GROUP)
        await rows.submit(terminalPartition(terminalId), messages.slice(i, i + GROUP).map(removeMessage));
    },
  };
}

/** The most rows of one group. */
const GROUP = 100;

export type Inboxes = ReturnType<typeof inboxesTable>;

const writeMessage = (message: NewMessage): Operation => ({
  kind: "insert",
  rowKey: inboxRow(message.slot),
  columns: toInboxColumns({ ...message, state: "waiting" }),
});

/** The rows of a payment's message, for the group of its change. */
export const heldMessage = (message: NewMessage): Operation[] => [
  writeMessage(message),
  { kind: "insert", rowKey: holdRow(message.slot), columns: toColumns({}) },
];

/** Removes the message as it was read. Its hold, if any, is left to its worker. */
export const removeMessage = ({ slot, etag }: InboxRow): Operation => ({
  kind: "remove",
  rowKey: inboxRow(slot),
  etag,
});

/** Removes the message unread. The group fails if there is none. */
export const discardMessage = (slot: InboxSlot): Operation => ({ kind: "discard", rowKey: inboxRow(slot) });

const toInboxColumns = (row: InboxEntry): Columns => toColumns(row, { state: row.state });

const toInboxRow = (row: Row, isHeld: boolean): InboxRow => ({
  ...fromRow(row, inboxRecord),
  isHeld,
  etag: row.etag,
});
