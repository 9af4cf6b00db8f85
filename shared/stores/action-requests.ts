import { actionHasEnded, type ActionRequest, actionRequestRecord } from "../domain/action-request.ts";
import { type NewCommand, committedCommand } from "./commands.ts";
import type { ActionKey } from "../ports/subjects.ts";
import { actionPartition, actionRow, PENDING_PREFIX, pendingRow } from "./keys.ts";
import { type Marked, marksOf, submitMarked } from "./marks.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Operation, Rows } from "../ports/rows.ts";

export interface StoredAction {
  readonly action: ActionRequest;
  readonly etag: string;
}

const pendingRecord = actionRequestRecord.pick({ actionRequestId: true, terminalId: true });

/** Action requests in the table `ActionRequests`. A pending request has a second row, by which it is found. */
export function actionRequestsTable(rows: Rows) {
  return {
    async find(key: ActionKey): Promise<StoredAction | undefined> {
      const { partnerId, actionRequestId } = key;
      const row = await rows.get(actionPartition(partnerId), actionRow(actionRequestId));
      return row && { action: fromRow(row, actionRequestRecord), etag: row.etag };
    },
    /** The partner's pending action requests, with the terminals that raised them. */
    async pending(partnerId: string): Promise<{ readonly actionRequestId: string; readonly terminalId: string }[]> {
      const found = await rows.withPrefix(actionPartition(partnerId), PENDING_PREFIX);
      return found.map((row) => fromRow(row, pendingRecord));
    },
    /** Writes the action request, its pending row, its marks and its command in one group. Throws `Conflict` if it changed since it was read. */
    async commit(
      action: ActionRequest,
      read: StoredAction | undefined,
      command: NewCommand | undefined,
    ): Promise<void> {
      const { actionRequestId, terminalId, partnerId, status } = action;
      const rowKey = actionRow(actionRequestId);
      const columns = toColumns(action, { status });
      const marker = pendingRow(actionRequestId);
      const subject = { kind: "actionRequest", partnerId, actionRequestId } as const;
      const operations: Operation[] = [
        ...marksOf(subject, read && markedIn(read.action), markedIn(action)),
        read ? { kind: "replace", rowKey, columns, etag: read.etag } : { kind: "insert", rowKey, columns },
      ];
      if (!read)
        operations.push({ kind: "insert", rowKey: marker, columns: toColumns({ actionRequestId, terminalId }) });
      else if (read.action.status === "pending" && status !== "pending")
        operations.push({ kind: "discard", rowKey: marker });
      if (command) {
        const { sequence, updatedAt: at } = action;
        operations.push(...committedCommand(subject, command, { sequence, at }));
      }
      await submitMarked(rows, actionPartition(partnerId), operations);
    },
  };
}

const markedIn = (action: ActionRequest): Marked => ({ ...action, hasEnded: actionHasEnded(action) });

/** Action requests, one partition for each partner, so that its pending requests are found without a scan. */
export type ActionRequests = ReturnType<typeof actionRequestsTable>;
