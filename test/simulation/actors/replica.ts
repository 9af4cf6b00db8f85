import type { Row } from "../../../shared/ports/rows.ts";
import {
  BOOKING_PREFIX,
  LATE_BOOKING_PREFIX,
  paymentPrefixIn,
  TERMINAL_DAY_PREFIX,
} from "../../../shared/stores/keys.ts";
import { eachTable, type Table, type WholeTables } from "../../../shared/stores/stores.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import type { Random } from "../../support/seeded-random.ts";
import { MINUTE } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** How many moments the replica copies. */
const LOOKS = 4;

/**
 * The tables of another region, as an unplanned failover leaves them. They are some minutes old. Each partition is from a different moment,
 * and so are the books of a terminal, each of its payments and each of its business days. Sometimes the sessions are the oldest or the newest. Resolves
 * with them as they are then. Later writes are lost.
 */
export async function replicaOf({ agenda, fateOf }: World, random: Random, tables: WholeTables): Promise<WholeTables> {
  const nameOfUnit = ({ partitionKey, rowKey }: Row) =>
    `${partitionKey} ${paymentPrefixIn(rowKey) ?? dayIn(rowKey) ?? booksOf(rowKey) ?? ""}`;
  const partitions = new Map<string, { readonly table: Table; readonly rows: readonly Row[] }>();
  const most = random.pick(1, MINUTE, 10 * MINUTE);
  const sessions = fateOf("failover of sessions").pick("oldest", "newest", "any", "any");
  const isCopied = (table: Table): boolean => {
    const isDrawn = random.chance(0.5);
    return table === "sessions" && sessions !== "any" ? sessions === "newest" : isDrawn;
  };
  for (let look = 0; look < LOOKS; look++) {
    for (const table of Object.keys(tables) as Table[])
      for (const [partition, rows] of Map.groupBy(await allOf(tables[table]), nameOfUnit))
        if (look === 0 || isCopied(table)) partitions.set(`${table} ${partition}`, { table, rows });
    await agenda.sleep(random.between(0, most));
  }
  const replica = eachTable(() => inMemoryRows());
  for (const { table, rows } of partitions.values())
    for (const { partitionKey, rowKey, columns } of rows)
      await replica[table].submit(partitionKey, [{ kind: "insert", rowKey, columns }]);
  return replica;
}

/** The business day to which a row of a terminal belongs. */
const dayIn = (rowKey: string): string | undefined =>
  rowKey.startsWith(TERMINAL_DAY_PREFIX) ? rowKey.split("~", 2).join("~") : undefined;

/** The books of a terminal, for its bookings. */
const booksOf = (rowKey: string): string | undefined =>
  [BOOKING_PREFIX, LATE_BOOKING_PREFIX].some((prefix) => rowKey.startsWith(prefix)) ? BOOKING_PREFIX : undefined;

async function allOf(table: WholeTables[Table]): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const row of table.rowsAfter()) all.push(row);
  return all;
}
