import type { InboxSlot } from "../domain/effects.ts";
import { inboxRecord, isTakenOut, type InboxEntry, type InboxMessage } from "../domain/terminal-inbox.ts";
import { slotRecord, type SlotState, type Inboxes, type InboxRow } from "../ports/terminals.ts";
import { Conflict } from "../ports/failures.ts";
import { CLAIM_ROW, slotRow, INBOX_PREFIX, inboxRow, terminalPartition } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Columns, Operation, Row, Rows } from "./rows.ts";
import { claimColumns } from "./terminals-table.ts";

/** The messages on their way to each terminal, in its own partition of the table `Terminals`. */
export function inboxesTable(rows: Rows): Inboxes {
  const enqueue = (message: InboxMessage): Operation[] => [
    { kind: "insert", rowKey: slotRow(message.slot), columns: toColumns({ withdrawn: false }) },
    { kind: "insert", rowKey: inboxRow(message.slot), columns: toInboxColumns({ ...message, state: "waiting" }) },
  ];
  const change = ({ etag, ...row }: InboxRow, changed: Partial<InboxRow>): Operation => {
    const columns = toInboxColumns({ ...row, ...changed });
    return { kind: "replace", rowKey: inboxRow(row.slot), columns, etag };
  };
  /** Writes the tombstone together with the row as it was read; without a row it inserts the tombstone, which uses the slot. */
  const takeOut = async (
    terminalId: string,
    slot: InboxSlot,
    row: InboxRow | undefined,
    { state, ...tombstone }: Omit<SlotState, "row"> & Pick<InboxRow, "state">,
  ): Promise<void> => {
    const rowKey = slotRow(slot);
    const columns = toColumns(tombstone);
    await rows.submit(
      terminalPartition(terminalId),
      row ? [change(row, { state }), { kind: "overwrite", rowKey, columns }] : [{ kind: "insert", rowKey, columns }],
    );
  };
  return {
    async find(terminalId, slot) {
      const partition = terminalPartition(terminalId);
      const tombstone = () => rows.get(partition, slotRow(slot));
      const seen = await tombstone();
      const found = seen && (await rows.get(partition, inboxRow(slot)));
      const row = found && toInboxRow(found);
      // Two reads are no snapshot: a message that is gone may have been withdrawn between them, and then its tombstone shows it by now.
      const latest = seen && (!row || isTakenOut(row)) ? await tombstone() : seen;
      return latest && { ...fromRow(latest, slotRecord), row };
    },
    async unanswered(terminalId) {
      return (await rows.withPrefix(terminalPartition(terminalId), INBOX_PREFIX)).map(toInboxRow);
    },
    async admit(terminalId, message, claim, held) {
      const columns = claimColumns(claim);
      await rows.submit(terminalPartition(terminalId), [
        held
          ? { kind: "replace", rowKey: CLAIM_ROW, columns, etag: held.etag }
          : { kind: "insert", rowKey: CLAIM_ROW, columns },
        ...enqueue(message),
      ]);
    },
    async post(terminalId, message) {
      await rows.submit(terminalPartition(terminalId), enqueue(message));
    },
    withdraw: (terminalId, slot, row, refused) =>
      takeOut(terminalId, slot, row, { state: "withdrawn", withdrawn: true, refused }),
    resolve: (terminalId, slot, row) =>
      takeOut(terminalId, slot, row, { state: "resolved", withdrawn: false, resolved: true }),
    async lease(terminalId, row, until) {
      await rows.submit(terminalPartition(terminalId), [change(row, { state: "fetched", leasedUntil: until })]);
    },
    async remove(terminalId, row) {
      await rows.remove(terminalPartition(terminalId), inboxRow(row.slot), row.etag);
    },
    async discard(terminalId, slot) {
      try {
        await rows.submit(terminalPartition(terminalId), [{ kind: "discard", rowKey: inboxRow(slot) }]);
      } catch (error) {
        if (!(error instanceof Conflict)) throw error;
      }
    },
  };
}

const toInboxColumns = (row: InboxEntry): Columns => toColumns(row, { state: row.state });

const toInboxRow = (row: Row): InboxRow => ({ ...fromRow(row, inboxRecord), etag: row.etag });
