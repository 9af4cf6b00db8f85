import * as z from "zod";
import type { InboxSlot } from "../domain/effects.ts";
import type { RecordOf } from "../domain/record.ts";
import { type InboxEntry, inboxRecord, isTakenOut } from "../domain/terminal-inbox.ts";
import type { Instant } from "../domain/time.ts";
import { Conflict } from "../ports/failures.ts";
import { slotRow, INBOX_PREFIX, inboxRow, terminalPartition } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Columns, Operation, Row, Rows } from "../ports/rows.ts";

/** A message as its row was read. */
export interface InboxRow extends InboxEntry {
  readonly etag: string;
}

/** A message as it is enqueued. */
export type NewMessage = Omit<InboxEntry, "state" | "leasedUntil">;

/**
 * The tombstone of a slot in an inbox. It is written with the message or instead of it, and stays as long as its payment. So even a slow
 * worker cannot enqueue a message twice, or after it was withdrawn or resolved.
 */
export const slotRecord = z.object({
  /** Withdrawn before the terminal fetched it. The terminal never got it, and never will. */
  withdrawn: z.boolean(),
  /** Taken out by an operator's resolution. This does not show whether the terminal had fetched it. */
  resolved: z.boolean().optional(),
});
export interface SlotState extends RecordOf<typeof slotRecord> {
  /** The message. Undefined once the terminal has answered it. */
  readonly row: InboxRow | undefined;
}

/** The messages on their way to each terminal, in its own partition of the table `Terminals`. */
export function inboxesTable(rows: Rows) {
  return { ...slotsIn(rows), ...messagesIn(rows) };
}

/** The messages of one terminal, in its own partition together with its claim. */
export type Inboxes = ReturnType<typeof inboxesTable>;

/** The slots. They enter a message, or keep it from being entered. */
function slotsIn(rows: Rows) {
  return {
    /** The slot's state. Undefined while no message was enqueued in it and it was neither withdrawn nor resolved. */
    async find(terminalId: string, slot: InboxSlot): Promise<SlotState | undefined> {
      const partition = terminalPartition(terminalId);
      const tombstone = () => rows.get(partition, slotRow(slot));
      const seen = await tombstone();
      const found = seen && (await rows.get(partition, inboxRow(slot)));
      const row = found && toInboxRow(found);
      // Two reads are not a snapshot. A missing message may have been withdrawn between them, and its tombstone shows that by now.
      const latest = seen && (!row || isTakenOut(row)) ? await tombstone() : seen;
      return latest && { ...fromRow(latest, slotRecord), row };
    },
    /** Enqueues a message. Throws `Conflict` if its slot was used, withdrawn or resolved before. */
    async post(terminalId: string, message: NewMessage): Promise<void> {
      await rows.submit(terminalPartition(terminalId), [
        { kind: "insert", rowKey: slotRow(message.slot), columns: toColumns({ withdrawn: false }) },
        { kind: "insert", rowKey: inboxRow(message.slot), columns: toInboxColumns({ ...message, state: "waiting" }) },
      ]);
    },
    /**
     * Withdraws the row as it was read. Without a row, inserts the slot's tombstone, so that no message can be enqueued in it. Throws
     * `Conflict`.
     */
    async withdraw(terminalId: string, slot: InboxSlot, row: InboxRow | undefined): Promise<void> {
      const operations = takenOut(slot, row, { state: "withdrawn", withdrawn: true });
      await rows.submit(terminalPartition(terminalId), operations);
    },
    /**
     * Takes out the row as it was read, fetched or not, because an operator has decided what the message requests. Without a row, inserts
     * the slot's tombstone. Throws `Conflict`.
     */
    async resolve(terminalId: string, slot: InboxSlot, row: InboxRow | undefined): Promise<void> {
      const operations = takenOut(slot, row, { state: "resolved", withdrawn: false, resolved: true });
      await rows.submit(terminalPartition(terminalId), operations);
    },
  };
}

/** The messages that are in their slots, until they are answered. */
function messagesIn(rows: Rows) {
  return {
    /** Every message that the terminal has not answered, in the order of handing out. */
    async unanswered(terminalId: string): Promise<InboxRow[]> {
      return (await rows.withPrefix(terminalPartition(terminalId), INBOX_PREFIX)).map(toInboxRow);
    },
    /** Marks the message fetched, and keeps it from being handed out again before `until`. Throws `Conflict`. */
    async lease(terminalId: string, row: InboxRow, until: Instant): Promise<void> {
      await rows.submit(terminalPartition(terminalId), [change(row, { state: "fetched", leasedUntil: until })]);
    },
    /** Removes the row of a message that the terminal has answered, or will never get. The slot's tombstone stays. Throws `Conflict`. */
    async remove(terminalId: string, row: InboxRow): Promise<void> {
      await rows.remove(terminalPartition(terminalId), inboxRow(row.slot), row.etag);
    },
    /**
     * Removes the row of the message in this slot, which the terminal has answered, whatever the row's state. A missing row is not an
     * error. The slot's tombstone stays.
     */
    async discard(terminalId: string, slot: InboxSlot): Promise<void> {
      try {
        await rows.submit(terminalPartition(terminalId), [{ kind: "discard", rowKey: inboxRow(slot) }]);
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
      }
    },
  };
}

function change({ etag, ...row }: InboxRow, changed: Partial<InboxRow>): Operation {
  const columns = toInboxColumns({ ...row, ...changed });
  return { kind: "replace", rowKey: inboxRow(row.slot), columns, etag };
}

/** Writes the tombstone together with the row as it was read. Without a row, inserts the tombstone, which uses the slot. */
function takenOut(
  slot: InboxSlot,
  row: InboxRow | undefined,
  { state, ...tombstone }: Omit<SlotState, "row"> & Pick<InboxRow, "state">,
): Operation[] {
  const rowKey = slotRow(slot);
  const columns = toColumns(tombstone);
  return row ? [change(row, { state }), { kind: "overwrite", rowKey, columns }] : [{ kind: "insert", rowKey, columns }];
}

const toInboxColumns = (row: InboxEntry): Columns => toColumns(row, { state: row.state });

const toInboxRow = (row: Row): InboxRow => ({ ...fromRow(row, inboxRecord), etag: row.etag });
