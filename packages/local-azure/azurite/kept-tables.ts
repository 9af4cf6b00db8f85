import { openJournal, type Journal } from "../common/journal.ts";
import { commitsOf } from "./commits.ts";
import { EVERYTHING, isSorted, portions } from "./published-rows.ts";
import type { TableStore } from "./sorted-store.ts";
import type { Entity, SortedTable } from "./sorted-table.ts";

/** A line of the journal: a table that was made or deleted, or the rows of one commit. A removed row has only its keys. */
type Line =
  | { readonly made: TableModel }
  | { readonly deleted: Pick<TableModel, "account" | "table"> }
  | { readonly in: string; readonly rows: readonly Entity[] };

interface TableModel {
  readonly account: string;
  readonly table: string;
}

/** The members of Azurite's store that are called here, in addition to `TableStore`. */
export interface KeptStore extends TableStore {
  init(): Promise<void>;
  createTable(context: object, table: TableModel): Promise<void>;
  deleteTable(context: object, table: string, account: string): Promise<void>;
}

/** A start rewrites the journal if its outdated rows exceed its current rows by more than this. */
const MOST_OUTDATED = 1_000;

/**
 * Keeps the tables of a store in a file. The initialised store has the tables and rows of the file. From then on, each commit is in the
 * file before its caller gets a response. Azurite's own persistence instead writes all of its data every five seconds, and loses the
 * commits in between. Returns the function that a table calls when one of its rows was written or removed. If a write to the file fails,
 * the process ends, so that it confirms nothing that it does not keep.
 */
export function keepTables(store: KeptStore, file: string): (table: SortedTable, row: Entity) => void {
  let journal: Journal | undefined;
  const note = (line: Line) => journal?.add(line);
  const { init, createTable, deleteTable } = store;
  store.init = async () => {
    await init.call(store);
    journal = await loadInto(store, file);
  };
  store.createTable = async (context, model) => {
    const made = { ...model }; // the list of tables adds its own members to the model
    await createTable.call(store, context, model);
    note({ made });
  };
  store.deleteTable = async (context, table, account) => {
    await deleteTable.call(store, context, table, account);
    note({ deleted: { account, table } });
  };
  return commitsOf(store, {
    isListening: () => journal !== undefined,
    committed: (table, keys) => note(rowsLine(table, keys)),
  });
}

const rowsLine = (table: SortedTable, keys: readonly Entity[]): Line => ({
  in: table.name,
  rows: keys.map((of) => table.findOne(of) ?? of),
});

/** Brings the store to the state of the journal. Rewrites the journal if too many of its rows are outdated. */
async function loadInto(store: KeptStore, file: string): Promise<Journal> {
  const made = new Map<string, TableModel>();
  const steps: Line[] = [];
  const journal = openJournal(file, (line) => steps.push(line as Line)); // no other code writes this file
  let written = 0;
  for (const step of steps) {
    if ("made" in step) {
      await store.createTable({}, { ...step.made });
      made.set(nameOf(store, step.made), step.made);
    } else if ("deleted" in step) {
      await store.deleteTable({}, step.deleted.table, step.deleted.account);
      made.delete(nameOf(store, step.deleted));
    } else {
      written += step.rows.length;
      putInto(store, step.in, step.rows);
    }
  }
  const tables = store.db.collections.filter(isSorted);
  const rows = tables.map((table) => [...table.rows(EVERYTHING)]);
  const isOutdated = written - rows.flat().length > MOST_OUTDATED + rows.flat().length;
  if (isOutdated) journal.replace(linesOf([...made.values()], tables));
  return journal;
}

/** The store finds a table by its name in any case. */
const nameOf = (store: TableStore, { account, table }: TableModel) =>
  store.getTableCollectionName(account, table).toLowerCase();

function putInto(store: TableStore, name: string, rows: readonly Entity[]): void {
  const table = store.db.collections.find((one) => one.name === name);
  if (!table) throw new Error(`The kept rows of ${name} have no table.`);
  for (const row of rows) {
    const found = table.findOne(row);
    if (found) table.remove(found);
    if (hasContent(row)) table.insert(row);
  }
}

const hasContent = (row: Entity): boolean => "properties" in row;

function* linesOf(made: readonly TableModel[], tables: readonly SortedTable[]): Generator<Line> {
  for (const model of made) yield { made: model };
  for (const table of tables) for (const rows of portions([...table.rows(EVERYTHING)])) yield { in: table.name, rows };
}
