import { holdsTerminal, type Payment, paymentRecord } from "../../../shared/domain/payment/record/payment.ts";
import { claimRecord } from "../../../shared/domain/terminal.ts";
import type { Row } from "../../../shared/ports/rows.ts";
import { CLAIM_ROW } from "../../../shared/stores/keys.ts";
import { isTombstone } from "../../../shared/stores/payments.ts";
import { fromRow } from "../../../shared/stores/record.ts";
import type { Platform } from "./platform.ts";
import type { World } from "../world/world.ts";

const isOwnRow = (rowKey: string): boolean => /^payment~.*~now$/.test(rowKey);
const paymentsIn = (rows: readonly Row[]): Payment[] =>
  rows
    .filter((row) => isOwnRow(row.rowKey) && !isTombstone(row))
    .map((row) => fromRow(row, paymentRecord))
    .filter(({ status, unclaimed }) => holdsTerminal(status) && !unclaimed);

/** A terminal's claim names exactly the payment that holds it, at every moment. */
export function watchClaims(world: World, { stores }: Platform): void {
  stores.watch(async ({ table, partition, operation: { rowKey } }) => {
    if (table === "terminals" && (isOwnRow(rowKey) || rowKey === CLAIM_ROW))
      checkClaim(world, partition, await stores.plain.terminals.withPrefix(partition, ""));
  });
}

/** The same of every terminal. */
export async function checkClaims(world: World, { stores }: Platform): Promise<void> {
  const rows: Row[] = [];
  for await (const row of stores.whole().terminals.rowsAfter()) rows.push(row);
  for (const [partition, own] of Map.groupBy(rows, ({ partitionKey }) => partitionKey))
    checkClaim(world, partition, own);
}

function checkClaim(world: World, partition: string, rows: readonly Row[]): void {
  const row = rows.find(({ rowKey }) => rowKey === CLAIM_ROW);
  const holder = row && fromRow(row, claimRecord).holder?.sessionId;
  const living = paymentsIn(rows).map(({ sessionId }) => sessionId);
  if (living.length > 1 || living[0] !== holder)
    world.violate(
      "a claim is not the living payment",
      `${partition}: ${holder ?? "free"}, but ${living.join(", ") || "none"} hold it`,
    );
}
