import { actionRequestRecord } from "../../../shared/domain/action-request.ts";
import type { Instant } from "../../../shared/domain/time.ts";
import { ACTION_REQUEST_PREFIX, filedRow, inboxRow, terminalPartition } from "../../../shared/stores/keys.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import type { WholeTables } from "../../../shared/stores/stores.ts";
import type { PlainRow } from "./exported-row.ts";
import { insertRows } from "./insert-rows.ts";
import { isRecent } from "./last-day.ts";
import { withoutEtag } from "./read-payment.ts";
import { keyRows, restoreKeys } from "./restored-keys.ts";
import { fetchedMessages } from "./restored-payments.ts";
import { commandIn, isCommand } from "./restored-rows.ts";

/**
 * Writes the responses to a partner's action requests that were filed after their terminals were exported, and the keys of these responses
 * that a failover has lost. A response that the terminal has answered left its tombstone there. It may run again.
 */
export async function completeActions(
  { terminals, sessions }: Pick<WholeTables, "terminals" | "sessions">,
  rows: readonly PlainRow[],
  begunAt: Instant,
): Promise<void> {
  for (const { command, terminalId } of lateCommands(rows, begunAt)) {
    if (command.subject.kind === "actionRequest")
      await restoreKeys(sessions, keyRows(command, { ...command.subject, terminalId }));
    if (!command.done.includes("message")) continue;
    const partitionKey = terminalPartition(terminalId);
    for (const message of fetchedMessages(command)) {
      if (await terminals.get(partitionKey, filedRow(message.slot))) continue;
      const isThere = await terminals.get(partitionKey, inboxRow(message.slot));
      const own = {
        partitionKey,
        rowKey: inboxRow(message.slot),
        columns: toColumns(message, { state: message.state }),
      };
      const filed = { partitionKey, rowKey: filedRow(message.slot), columns: toColumns({}) };
      await insertRows(terminals, partitionKey, isThere ? [filed] : [filed, own]);
    }
  }
}

/** The committed commands of the last day, with their terminals. One of a later change is ignored, because that change is lost. */
function lateCommands(rows: readonly PlainRow[], begunAt: Instant) {
  const actions = rows
    .filter(({ rowKey }) => rowKey.startsWith(ACTION_REQUEST_PREFIX))
    .map((row) => fromRow(withoutEtag(row), actionRequestRecord));
  const byId = new Map(actions.map((action) => [action.actionRequestId, action]));
  return rows
    .filter(isCommand)
    .map(commandIn)
    .flatMap((command) => {
      const { subject, state, sequence, at } = command;
      const action = subject.kind === "actionRequest" ? byId.get(subject.actionRequestId) : undefined;
      const isKept = action && state === "ready" && sequence <= action.sequence && isRecent(at, begunAt);
      return isKept ? { command, terminalId: action.terminalId } : [];
    });
}
