import type { Command } from "../../../shared/stores/commands.ts";
import { keyHolderRecord, keyOperations } from "../../../shared/stores/idempotency-keys.ts";
import { IDEMPOTENCY_PREFIX, sessionsPartition } from "../../../shared/stores/keys.ts";
import type { Rows } from "../../../shared/ports/rows.ts";
import { fromRow, toColumns } from "../../../shared/stores/record.ts";
import type { PlainRow } from "./exported-row.ts";
import { withoutEtag } from "./read-payment.ts";

/**
 * A part of the rows of a partner's sessions. The request that holds an `Idempotency-Key` is marked as restored, because the export may lack
 * its commit.
 */
export const sessionRows = (rows: readonly PlainRow[]): readonly PlainRow[] =>
  rows.map((row) => {
    if (!row.rowKey.startsWith(IDEMPOTENCY_PREFIX)) return row;
    return { ...row, columns: toColumns({ ...fromRow(withoutEtag(row), keyHolderRecord), isRestored: true }) };
  });

/**
 * Gives its key to each committed request. The export may lack the key's row, or the row may name an earlier request, which was not accepted.
 * It may run again.
 */
export async function restoreKeys(sessions: Rows, rows: readonly PlainRow[]): Promise<void> {
  for (const { partitionKey, rowKey, columns } of rows)
    await sessions.submit(partitionKey, [{ kind: "overwrite", rowKey, columns }]);
}

/** The rows of the `Idempotency-Key` with which the change of a command was requested. None without a key. */
export function keyRows(
  { subject, commandId, at, state, idempotency }: Omit<Command, "etag">,
  { partnerId, terminalId }: { readonly partnerId: string; readonly terminalId: string },
): readonly PlainRow[] {
  if (!idempotency || state === "aborted") return [];
  const { hash, operation } = idempotency;
  const holder = { operation, subject, terminalId, commandId, at, isRestored: true } as const;
  const partitionKey = sessionsPartition(partnerId);
  return keyOperations({ hash, holder, read: undefined }).flatMap((row) =>
    "columns" in row ? { partitionKey, rowKey: row.rowKey, columns: row.columns } : [],
  );
}
