import { z } from "zod";
import { statusReasons } from "../domain/payment.ts";
import type { Inboxes, InboxMessage, InboxRow, OpenInboxRow } from "../ports/terminals.ts";
import { CLAIM_ROW, INBOX_PREFIX, inboxRow, terminalPartition } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Columns, Operation, Row, Rows } from "./rows.ts";
import { inboxPlace, terminalMessageRecord } from "./schemas.ts";
import { claimColumns } from "./terminals-table.ts";

const inboxRecord = z.discriminatedUnion("state", [
  z.object({ state: z.literal("tombstone"), place: inboxPlace, refused: z.enum(statusReasons).optional() }),
  z.object({
    state: z.enum(["waiting", "fetched", "settled"]),
    place: inboxPlace,
    messageId: z.string(),
    spelledSessionId: z.string().optional(),
    message: terminalMessageRecord,
    expiresAt: z.string().optional(),
    leasedUntil: z.string().optional(),
  }),
]);
type Unstored<T extends InboxRow> = T extends InboxRow ? Omit<T, "etag"> : never;

/** The messages on their way to a terminal, in its own partition of the table `Terminals`. */
export function inboxesTable(rows: Rows): Inboxes {
  const replace = (terminalId: string, { etag, ...row }: InboxRow, columns: Columns) =>
    rows.submit(terminalPartition(terminalId), [{ kind: "replace", rowKey: inboxRow(row.place), columns, etag }]);
  const filed = (message: InboxMessage): Operation => ({
    kind: "insert",
    rowKey: inboxRow(message.place),
    columns: toInboxColumns({ ...message, state: "waiting" }),
  });
  return {
    async find(terminalId, place) {
      const row = await rows.get(terminalPartition(terminalId), inboxRow(place));
      return row && toInboxRow(row);
    },
    async open(terminalId) {
      return (await rows.withPrefix(terminalPartition(terminalId), INBOX_PREFIX)).map(toInboxRow);
    },
    async admit(terminalId, message, claim, held) {
      const columns = claimColumns(claim);
      await rows.submit(terminalPartition(terminalId), [
        held
          ? { kind: "replace", rowKey: CLAIM_ROW, columns, etag: held.etag }
          : { kind: "insert", rowKey: CLAIM_ROW, columns },
        filed(message),
      ]);
    },
    async post(terminalId, message) {
      await rows.submit(terminalPartition(terminalId), [filed(message)]);
    },
    async withdraw(terminalId, place, row, refused) {
      const columns = toInboxColumns({ state: "tombstone", place, refused });
      if (row) return replace(terminalId, row, columns);
      return rows.submit(terminalPartition(terminalId), [{ kind: "insert", rowKey: inboxRow(place), columns }]);
    },
    async lease(terminalId, row, until) {
      await replace(terminalId, row, toInboxColumns({ ...asRead(row), state: "fetched", leasedUntil: until }));
    },
    async settle(terminalId, row) {
      await replace(terminalId, row, toInboxColumns({ ...asRead(row), state: "settled" }));
    },
    async forget(terminalId, row) {
      await rows.remove(terminalPartition(terminalId), inboxRow(row.place), row.etag);
    },
  };
}

const asRead = ({ etag: _, ...row }: OpenInboxRow): Unstored<OpenInboxRow> => row;

const toInboxColumns = (row: Unstored<InboxRow>): Columns => toColumns(row, { state: row.state });

const toInboxRow = (row: Row): InboxRow => ({ ...fromRow(row, inboxRecord), etag: row.etag });
