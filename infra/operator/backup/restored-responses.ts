import { actionRequestRecord } from "../../../shared/domain/action-request.ts";
import type { Instant } from "../../../shared/domain/time.ts";
import type { Command } from "../../../shared/stores/commands.ts";
import { ACTION_REQUEST_PREFIX, filedRow, inboxRow, terminalPartition } from "../../../shared/stores/keys.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import type { WholeTables } from "../../../shared/stores/stores.ts";
import type { PlainRow } from "./exported-row.ts";
import { insertRows } from "./insert-rows.ts";
import { isRecent } from "./last-day.ts";
import { withoutEtag } from "./read-payment.ts";
import { fetchedMessages } from "./restored-payments.ts";
import { commandIn, isCommand } from "./restored-rows.ts";

/**
 * Writes the responses to a partner's action requests that were filed after their terminals were exported. A response that the terminal has
 * answered left its tombstone there. It may run again.
 */
export async function fileResponses(
  { terminals }: Pick<WholeTables, "terminals">,
  rows: readonly PlainRow[],
  begunAt: Instant,
): Promise<void> {
  for (const command of filedLately(rows, begunAt)) {
    const [terminalId] = command.effects.flatMap((effect) =>
      effect.kind === "message" ? effect.envelope.terminalId : [],
    );
    if (terminalId === undefined) continue;
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

/** The commands of the last day that filed a response. One of a later change is ignored, because that change is lost. */
function filedLately(rows: readonly PlainRow[], begunAt: Instant): readonly Omit<Command, "etag">[] {
  const actions = rows
    .filter(({ rowKey }) => rowKey.startsWith(ACTION_REQUEST_PREFIX))
    .map((row) => fromRow(withoutEtag(row), actionRequestRecord));
  const sequences = new Map(actions.map(({ actionRequestId, sequence }) => [actionRequestId, sequence]));
  return rows
    .filter(isCommand)
    .map(commandIn)
    .filter(({ subject, state, sequence, done, at }) => {
      const known = subject.kind === "actionRequest" ? sequences.get(subject.actionRequestId) : undefined;
      const isFiled = state === "ready" && done.includes("message") && isRecent(at, begunAt);
      return known !== undefined && sequence <= known && isFiled;
    });
}
