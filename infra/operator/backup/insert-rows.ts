import { Conflict } from "../../../shared/ports/failures.ts";
import type { Operation, Rows } from "../../../shared/ports/rows.ts";
import { isSameColumns, type PlainRow } from "./exported-row.ts";

/** The limits of one group: rows, and characters of their columns. They stay below the service's limit of 4 MiB. */
const MOST_ROWS = 100;
const MOST_CHARACTERS = 1_000_000;

/**
 * Inserts rows of one partition in groups. An existing row must be equal, because an earlier run inserted it. Throws `Error` if it differs,
 * and `Unavailable`.
 */
export async function insertRows(rows: Rows, partitionKey: string, given: readonly PlainRow[]): Promise<void> {
  for (const group of groupsOf(given)) {
    try {
      await rows.submit(partitionKey, group.map(insertion));
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      for (const row of group) await insertAlone(rows, partitionKey, row);
    }
  }
}

/** Inserts the rows that are missing. Existing rows stay as they are. Throws `Unavailable`. */
export async function insertMissing(table: Rows, given: readonly PlainRow[]): Promise<void> {
  for (const row of given)
    if (!(await table.get(row.partitionKey, row.rowKey))) await insertRows(table, row.partitionKey, [row]);
}

async function insertAlone(rows: Rows, partitionKey: string, row: PlainRow): Promise<void> {
  const there = await rows.get(partitionKey, row.rowKey);
  if (!there) await rows.submit(partitionKey, [insertion(row)]);
  else if (!isSameColumns(there.columns, row.columns))
    throw new Error(`The row ${row.rowKey} of the partition ${partitionKey} already exists, and is different.`);
}

const insertion = ({ rowKey, columns }: PlainRow): Operation => ({ kind: "insert", rowKey, columns });

function groupsOf(given: readonly PlainRow[]): readonly (readonly PlainRow[])[] {
  const groups: PlainRow[][] = [];
  let size = 0;
  for (const row of given) {
    const length = JSON.stringify(row.columns).length;
    const last = groups.at(-1);
    if (!last || last.length === MOST_ROWS || size + length > MOST_CHARACTERS) {
      groups.push([row]);
      size = length;
    } else {
      last.push(row);
      size += length;
    }
  }
  return groups;
}
