import { damageText } from "./damage.ts";
import { rowsOf, type Lines, type PlainRow } from "./exported-row.ts";
import { addFeedRow, bookingIn, emptyLastDay } from "./last-day.ts";
import { keysIn, moneyOf, partitionOf } from "./left-out.ts";
import { byPartition, differencesBetween, takeStock, type Manifest } from "./manifest.ts";
import { paymentIn } from "./read-payment.ts";
import { addPayment, emptyPlan, type RestorePlan } from "./restore-plan.ts";
import { nameOfBooking, planPartnerDay, planTerminalDay } from "./restored-bookings.ts";
import { planFeed } from "./restored-feeds.ts";
import type { ExportedTable } from "./table-order.ts";
import { restoredPayment } from "./restored-payments.ts";
import { planActions } from "./restored-rows.ts";

/** The export cannot be imported. Each reason is a sentence. Nothing was written. */
export class NotImported extends Error {
  override readonly name = "NotImported";
}

/**
 * Verifies the whole export, and plans the import's work in addition to writing its rows. Throws `NotImported` if the files disagree with
 * the manifest, or if a row is damaged whose payment is not left out.
 *
 * @param without the partitions of the damaged payments to leave out
 */
export async function verifiedPlan(
  manifest: Manifest,
  lines: Lines,
  without: ReadonlySet<string>,
): Promise<RestorePlan> {
  const found = await takeStock(lines, manifest);
  const damaged = new Set(found.damaged.filter(({ table }) => table === "payments").map(({ partition }) => partition));
  const money = await moneyOf(lines, damaged);
  const keys = await keysIn(lines, damaged);
  const troubles = [
    ...differencesBetween(manifest, found),
    ...found.damaged.filter(({ table, partition }) => table !== "payments" || !without.has(partition)).map(damageText),
    ...[...damaged]
      .filter((partition) => !without.has(partition))
      .map((partition) => `The payment can be left out: --without ${partition}. ${money.get(partition)}`),
    ...[...without]
      .filter((partition) => !damaged.has(partition))
      .map((partition) => `The payment ${partition} is not damaged, and cannot be left out.`),
    ...[...without]
      .filter((partition) => damaged.has(partition) && !keys.has(partition))
      .map((partition) => `The payment ${partition} cannot be left out: its terminal cannot be read either.`),
  ];
  if (troubles.length > 0)
    throw new NotImported(`The export cannot be imported. Nothing was written.\n${troubles.join("\n")}`);
  const leftOut = [...money].flatMap(([partition, text]) => {
    const key = keys.get(partition);
    return key ? [[partition, { key, money: text }] as const] : [];
  });
  return planOf(manifest, lines, new Map(leftOut));
}

async function planOf(manifest: Manifest, lines: Lines, leftOut: RestorePlan["leftOut"]): Promise<RestorePlan> {
  const lastDay = emptyLastDay(manifest.begunAt);
  const plan = emptyPlan(lastDay, leftOut);
  const each = async (table: ExportedTable, add: (row: PlainRow) => void) => {
    for await (const row of rowsOf(lines, table)) add(row);
  };
  await each("days", (row) => planPartnerDay(plan.books, row));
  await each("terminalDays", (row) => planTerminalDay(plan.books, row));
  await each("bookings", (row) => keepIfLeftOut(plan, row));
  await each("feeds", (row) => addFeedRow(lastDay, row));
  for await (const rows of byPartition(rowsOf(lines, "payments"))) {
    const payment = leftOut.has(rows[0]?.partitionKey ?? "") ? undefined : paymentIn(rows);
    if (payment) addPayment(plan, restoredPayment(payment, lastDay));
  }
  for await (const rows of byPartition(rowsOf(lines, "actionRequests"))) planActions(plan, rows, manifest.begunAt);
  await each("feeds", (row) => planFeed(plan.feeds, row));
  return plan;
}

/** Keeps the booking of a payment that is left out. No history says that it was made. */
function keepIfLeftOut({ books, leftOut }: RestorePlan, row: PlainRow): void {
  const booking = bookingIn(row);
  if (booking && leftOut.has(partitionOf(booking))) books.leftOut.add(nameOfBooking(booking));
}
