import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import { dayOf, monthOf } from "../../../shared/domain/time.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import { createdPartition, createdRow } from "../../../shared/stores/keys.ts";
import { dayListRow, listingShardOf, listPartition } from "../../../shared/stores/subject-rows.ts";
import { toColumns } from "../../../shared/stores/record.ts";
import type { WholeTables } from "../../../shared/stores/stores.ts";
import { eachOf } from "../../../shared/use-cases/each-of.ts";
import { createdEntryOf } from "../../../shared/use-cases/payments/enter-created.ts";
import type { PlainRow } from "./exported-row.ts";
import { insertRows } from "./insert-rows.ts";
import type { Slice } from "./manifest.ts";

/** The entries of payments that lists may lack, by partition and row. */
export type ListsPlan = Map<string, Map<string, PlainRow>>;

/** Adds the entries of a payment, to its partner's list and to each day of its history. */
export function planLists(plan: ListsPlan, payment: Payment, history: readonly RecordedEntry[]): void {
  const { partnerId, sessionId, createdAt, updatedAt: enteredAt } = payment;
  const subject = { kind: "payment", partnerId, sessionId } as const;
  const add = (partitionKey: string, rowKey: string, record: unknown): void => {
    const rows = plan.get(partitionKey) ?? new Map<string, PlainRow>();
    plan.set(partitionKey, rows.set(rowKey, { partitionKey, rowKey, columns: toColumns(record) }));
  };
  add(createdPartition(partnerId, monthOf(createdAt)), createdRow(payment), createdEntryOf(payment));
  for (const day of new Set(history.map(({ at }) => dayOf(at))))
    add(listPartition(listingShardOf(subject)), dayListRow(day, subject), { subject, enteredAt });
}

/** The rows of a slice of a list. The last slice adds the missing entries, and removes them from the plan. */
export function listRows({ rows, isLast }: Slice<PlainRow>, plan: ListsPlan): readonly PlainRow[] {
  const [{ partitionKey } = { partitionKey: "" }] = rows;
  const lacking = plan.get(partitionKey);
  for (const { rowKey } of rows) lacking?.delete(rowKey);
  if (!lacking || !isLast) return rows;
  plan.delete(partitionKey);
  return [...rows, ...lacking.values()];
}

/** Writes the lists that the export lacks. It may run again: existing entries stay. */
export async function completeLists({ listings }: Pick<WholeTables, "listings">, plan: ListsPlan): Promise<void> {
  const rows = [...plan.values()].flatMap((list) => [...list.values()]);
  await eachOf(rows, async (row) => {
    if (!(await listings.get(row.partitionKey, row.rowKey))) await insertRows(listings, row.partitionKey, [row]);
  });
}
