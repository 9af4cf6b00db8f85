import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { createdRow, sessionRow, sessionsPartition } from "../../../shared/stores/keys.ts";
import { toColumns } from "../../../shared/stores/record.ts";
import type { Session } from "../../../shared/stores/sessions.ts";
import type { WholeTables } from "../../../shared/stores/stores.ts";
import { eachOf } from "../../../shared/use-cases/each-of.ts";
import { createdEntryOf } from "../../../shared/use-cases/payments/enter-session.ts";
import type { PlainRow } from "./exported-row.ts";
import { insertRows } from "./insert-rows.ts";
import type { Slice } from "./manifest.ts";

/** The rows that the table of sessions may lack, by partition and key. */
export type SessionsPlan = Map<string, Map<string, PlainRow>>;

/** Adds the entries of a payment: its session, and its place in its partner's list. */
export function planSession(plan: SessionsPlan, payment: Payment): void {
  const { partnerId, sessionId, terminalId, createdAt } = payment;
  const partitionKey = sessionsPartition(partnerId);
  const rows = plan.get(partitionKey) ?? new Map<string, PlainRow>();
  plan.set(partitionKey, rows);
  const add = (rowKey: string, record: unknown) =>
    rows.set(rowKey, { partitionKey, rowKey, columns: toColumns(record) });
  add(sessionRow(sessionId), { terminalId, createdAt } satisfies Session);
  add(createdRow(payment), createdEntryOf(payment));
}

/** The rows of a slice of the table. The last slice of a partition adds the missing entries, and removes them from the plan. */
export function sessionRows({ rows, isLast }: Slice<PlainRow>, plan: SessionsPlan): readonly PlainRow[] {
  const [{ partitionKey } = { partitionKey: "" }] = rows;
  const lacking = plan.get(partitionKey);
  for (const { rowKey } of rows) lacking?.delete(rowKey);
  if (!lacking || !isLast) return rows;
  plan.delete(partitionKey);
  return [...rows, ...lacking.values()];
}

/** Writes the entries that the export lacks. It may run again: existing entries stay. */
export async function completeSessions({ sessions }: Pick<WholeTables, "sessions">, plan: SessionsPlan): Promise<void> {
  const rows = [...plan.values()].flatMap((ofPartition) => [...ofPartition.values()]);
  await eachOf(rows, async (row) => {
    if (!(await sessions.get(row.partitionKey, row.rowKey))) await insertRows(sessions, row.partitionKey, [row]);
  });
}
