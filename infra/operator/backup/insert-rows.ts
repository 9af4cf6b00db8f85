import { Conflict } from "../../../shared/ports/failures.ts";
import type { Operation, Row, Rows } from "../../../shared/ports/rows.ts";
import { isSameColumns, type PlainRow } from "./exported-row.ts";

/** The limits of one group: rows, and characters of their columns. They stay below the service's limit of 4 MiB. */
const MOST_ROWS = 100;
const MOST_CHARACTERS = 1_000_000;

/**
 * Inserts rows of one partition in groups. An existing row must be equal, because an earlier run inserted it, or another part of this run
 * just lists the same subject. Throws `Error` if it differs, and `Unavailable`.
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
  const read = () => rows.get(partitionKey, row.rowKey);
  const there = (await read()) ?? (await insertedOr(rows, row, read));
  if (there && !isSameColumns(there.columns, row.columns))
    throw new Error(`The row ${row.rowKey} of the partition ${partitionKey} already exists, and is different.`);
}

/** Inserts the row. If another writer was faster, returns that writer's row. */
async function insertedOr(rows: Rows, row: PlainRow, read: () => Promise<Row | undefined>): Promise<Row | undefined> {
  try {
    await rows.submit(row.partitionKey, [insertion(row)]);
    return undefined;
  } catch (error) {
    const there = error instanceof Conflict ? await read() : undefined;
    if (!there) throw error;
    return there;
  }
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
