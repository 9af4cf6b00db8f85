import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { dayOf } from "../../../shared/domain/time.ts";
import { paymentSubjectOf } from "../../../shared/ports/subjects.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import { createdRow, sessionRow, sessionsPartition } from "../../../shared/stores/keys.ts";
import { dayListRow, listingShardOf, listPartition } from "../../../shared/stores/subject-rows.ts";
import { toColumns } from "../../../shared/stores/record.ts";
import type { Session } from "../../../shared/stores/sessions.ts";
import type { WholeTables } from "../../../shared/stores/stores.ts";
import { eachOf } from "../../../shared/use-cases/each-of.ts";
import { createdEntryOf } from "../../../shared/use-cases/payments/enter-session.ts";
import type { PlainRow } from "./exported-row.ts";
import { insertRows } from "./insert-rows.ts";
import type { Slice } from "./manifest.ts";

/** The entries of payments that a table may lack, by partition and row. */
type TablePlan = Map<string, Map<string, PlainRow>>;
/** The entries that lists and sessions may lack. */
export type ListsPlan = Readonly<Record<"listings" | "sessions", TablePlan>>;

/** Adds the entries of a payment: its session, in its partner's list, and under each day of its history. */
export function planLists(plan: ListsPlan, payment: Payment, history: readonly RecordedEntry[]): void {
  const { partnerId, sessionId, terminalId, createdAt, updatedAt: enteredAt } = payment;
  const subject = paymentSubjectOf(payment);
  const add = (table: TablePlan, partitionKey: string, rowKey: string, record: unknown): void => {
    const rows = table.get(partitionKey) ?? new Map<string, PlainRow>();
    table.set(partitionKey, rows.set(rowKey, { partitionKey, rowKey, columns: toColumns(record) }));
  };
  add(plan.sessions, sessionsPartition(partnerId), sessionRow(sessionId), { terminalId, createdAt } satisfies Session);
  add(plan.sessions, sessionsPartition(partnerId), createdRow(payment), createdEntryOf(payment));
  for (const day of new Set(history.map(({ at }) => dayOf(at))))
    add(plan.listings, listPartition(listingShardOf(subject)), dayListRow(day, subject), { subject, enteredAt });
}

/** The rows of a slice of a table. The last slice adds the missing entries, and removes them from the plan. */
export function listRows({ rows, isLast }: Slice<PlainRow>, plan: TablePlan): readonly PlainRow[] {
  const [{ partitionKey } = { partitionKey: "" }] = rows;
  const lacking = plan.get(partitionKey);
  for (const { rowKey } of rows) lacking?.delete(rowKey);
  if (!lacking || !isLast) return rows;
  plan.delete(partitionKey);
  return [...rows, ...lacking.values()];
}

/** Writes the entries that the export lacks. It may run again: existing entries stay. */
export async function completeLists(tables: Pick<WholeTables, keyof ListsPlan>, plan: ListsPlan): Promise<void> {
  for (const table of ["listings", "sessions"] as const) {
    const rows = [...plan[table].values()].flatMap((list) => [...list.values()]);
    await eachOf(rows, async (row) => {
      if (!(await tables[table].get(row.partitionKey, row.rowKey)))
        await insertRows(tables[table], row.partitionKey, [row]);
    });
  }
}
