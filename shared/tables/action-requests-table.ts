import { z } from "zod";
import { tokenKinds } from "../domain/access-token-template.ts";
import { tokenStates } from "../domain/access-token.ts";
import { actionStates, tokenProblems, type ActionRequest } from "../domain/action-request.ts";
import type { ActionRequests } from "../ports/action-requests.ts";
import { commandColumns } from "./commands-table.ts";
import { actionPartition, actionRow, commandRow, PENDING_PREFIX, pendingRow } from "./keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Operation, Rows } from "./rows.ts";

const text = z.string();
const actionRecord: z.ZodType<ActionRequest> = z.object({
  actionRequestId: text,
  partnerId: text,
  terminalId: text,
  spelled: z.object({ actionRequestId: text, terminalId: text }),
  sessionId: text.optional(),
  actionCode: text,
  description: text.optional(),
  data: z.record(text, z.union([text, z.number(), z.boolean()])).optional(),
  webhookUrl: text.optional(),
  token: z
    .object({
      tokenId: text,
      kind: z.enum(tokenKinds),
      productId: text,
      validUntil: text,
      status: z.enum(tokenStates),
    })
    .optional(),
  tokenProblem: z.enum(tokenProblems).optional(),
  status: z.enum(actionStates),
  respondedAt: text.optional(),
  readBy: z.array(text),
  sequence: z.int(),
  createdAt: text,
  updatedAt: text,
  expiresAt: text,
});
const pendingRecord = z.object({ actionRequestId: text, terminalId: text });

/** Action requests in the table `ActionRequests`; the pending ones have a row more, so that they are found by it. */
export function actionRequestsTable(rows: Rows): ActionRequests {
  return {
    async find({ partnerId, actionRequestId }) {
      const row = await rows.get(actionPartition(partnerId), actionRow(actionRequestId));
      return row && { action: fromRow(row, actionRecord), etag: row.etag };
    },
    async pending(partnerId) {
      const found = await rows.withPrefix(actionPartition(partnerId), PENDING_PREFIX);
      return found.map((row) => fromRow(row, pendingRecord));
    },
    async commit(action, read, command) {
      const { actionRequestId, terminalId, partnerId, status } = action;
      const rowKey = actionRow(actionRequestId);
      const columns = toColumns(action, { status });
      const marker = pendingRow(actionRequestId);
      const operations: Operation[] = [
        read ? { kind: "replace", rowKey, columns, etag: read.etag } : { kind: "insert", rowKey, columns },
      ];
      if (!read)
        operations.push({ kind: "insert", rowKey: marker, columns: toColumns({ actionRequestId, terminalId }) });
      else if (read.action.status === "pending" && status !== "pending")
        operations.push({ kind: "discard", rowKey: marker });
      if (command) {
        const subject = { kind: "actionRequest", partnerId, actionRequestId } as const;
        const ready = { ...command, subject, state: "ready", sequence: action.sequence, done: [] } as const;
        operations.push({ kind: "insert", rowKey: commandRow(command.commandId), columns: commandColumns(ready) });
      }
      await rows.submit(actionPartition(partnerId), operations);
    },
  };
}
