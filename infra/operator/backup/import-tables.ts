import { storableDetail } from "../../../shared/domain/alert.ts";
import type { Timings } from "../../../shared/domain/timings.ts";
import type { CallContext } from "../../../shared/ports/clock.ts";
import type { Log } from "../../../shared/ports/log.ts";
import { ACTIONS_PARTITION_PREFIX } from "../../../shared/stores/keys.ts";
import { tablePorts, type WholeTables } from "../../../shared/stores/stores.ts";
import { tableNames } from "../../../shared/stores/table-names.ts";
import { eachOf } from "../../../shared/use-cases/each-of.ts";
import { retryOnConflict } from "../../../shared/use-cases/outbox/retry-on-conflict.ts";
import { raiseAlert } from "../../../shared/use-cases/alerts/raise-alert.ts";
import { queryFirst } from "../../../shared/use-cases/operator/restore/query-first.ts";
import { rowsOf, type Lines, type PlainRow } from "./exported-row.ts";
import { insertRows } from "./insert-rows.ts";
import type { Manifest } from "./manifest.ts";
import { completeFeeds, feedRows } from "./restored-feeds.ts";
import { sessionRows } from "./restored-keys.ts";
import { completeActions } from "./restored-actions.ts";
import { actionRows, alertRows, landingPageRows, pageIn } from "./restored-rows.ts";
import { restoredDays } from "./restored-days.ts";
import { restoredTerminals, type OpenPayment, type Written } from "./restored-terminals.ts";
import { exportedTables, importedTables, type ExportedTable } from "./table-order.ts";
import { unitsOf, type Unit } from "./units.ts";
import { NotImported, verifiedPlan, type ImportPlan } from "./verified-plan.ts";

/** The progress of an import. */
export interface ImportCheckpoint {
  readonly finished: readonly ExportedTable[];
  /** The last written partition of the next table. */
  readonly after?: string | undefined;
}

/** A finished export, and the progress of its import into these tables. */
export interface ImportSource {
  readonly manifest: Manifest;
  readonly lines: Lines;
  /** Undefined if the import into these tables has not begun. */
  readonly checkpoint: () => Promise<ImportCheckpoint | undefined>;
  save(checkpoint: ImportCheckpoint): Promise<void>;
}

export interface ImportDeps {
  readonly tables: WholeTables;
  readonly timings: Timings;
  readonly log: Log;
}

export interface Imported {
  readonly rows: number;
  /** The number of payments that are queried first. */
  readonly queried: number;
  /** The damaged payments that were left out, as the manifest names them, with their money as far as it can be read. */
  readonly leftOut: readonly { readonly payment: string; readonly money: string }[];
}

/** How many units are written in parallel between two checkpoints. */
const AT_ONCE = 16;

/**
 * Writes an export into empty tables while the platform is stopped.
 * It first verifies the files against the manifest, and replays the history of every payment. If anything does not agree, nothing is
 * written. Then it reads the files once, as a stream.
 * It also puts a status query for every payment with open money into the terminal's inbox, before all other messages. Run `repair --all`
 * afterwards: it announces the effects that are not carried out.
 * An interrupted import continues after its last checkpoint. Throws `NotImported`, `Unavailable`.
 *
 * @param without the damaged payments to leave out, as the manifest names them. Their sessions are barred, their bookings stay, and an alert
 *   is raised for each
 */
export async function importTables(
  deps: ImportDeps,
  source: ImportSource,
  call: CallContext,
  without: ReadonlySet<string> = new Set(),
): Promise<Imported> {
  const plan = await verifiedPlan(source.manifest, source.lines, without);
  const begun = await source.checkpoint();
  if (!begun) await refuseOccupied(deps.tables);
  let at: ImportCheckpoint = begun ?? { finished: [] };
  await source.save(at);
  const open: OpenPayment[] = [];
  let rows = 0;
  for (const table of importedTables) {
    let waiting: Written[] = [];
    for await (const written of restored(deps.tables, table, { source, plan, open })) {
      rows += written.rows.length;
      if (isWritten(at, table, written)) continue;
      waiting.push(written);
      if (waiting.length === AT_ONCE) [at, waiting] = [await writeAll(deps, source, { table, at }, waiting), []];
    }
    if (waiting.length > 0) at = await writeAll(deps, source, { table, at }, waiting);
    if (!at.finished.includes(table)) await source.save((at = { finished: [...at.finished, table] }));
  }
  await completeFeeds(deps.tables, plan.feeds, tablePorts(deps.tables).partners, call.now());
  await restorePayments(deps, { plan, open }, call);
  const leftOut = [...plan.leftOut].map(([payment, { money }]) => ({ payment, money }));
  return { rows, queried: open.length, leftOut };
}

const isWritten = ({ finished, after }: ImportCheckpoint, table: ExportedTable, { partitionKey }: Written): boolean =>
  finished.includes(table) || (after !== undefined && partitionKey <= after);

/**
 * The rows of a table as the import writes them. They are also read if they are written already, because each run counts the open payments.
 */
function restored(
  tables: WholeTables,
  table: ExportedTable,
  { source, plan, open }: { readonly source: ImportSource; readonly plan: ImportPlan; readonly open: OpenPayment[] },
): AsyncIterable<Written> {
  const units = unitsOf(table, rowsOf(source.lines, table));
  if (table === "terminals") return restoredTerminals(units, { tables, plan, open });
  if (table === "days") return restoredDays(units, { tables, plan });
  return restoredUnits(units, (unit) => restoring[table]?.(unit.rows, plan, tables) ?? { rows: unit.rows });
}

type Restored = Pick<Written, "rows" | "beside">;

async function* restoredUnits(units: AsyncIterable<Unit>, restore: (unit: Unit) => Restored): AsyncGenerator<Written> {
  for await (const unit of units) yield { partitionKey: unit.partitionKey, isLast: unit.isLast, ...restore(unit) };
}

/** Converts the rows of a unit to the form that the import writes. Other tables are written unchanged. */
const restoring: Partial<
  Record<ExportedTable, (rows: readonly PlainRow[], plan: ImportPlan, tables: WholeTables) => Restored>
> = {
  alerts: (rows) => ({ rows: alertRows(rows) }),
  landingPages(rows, _, tables) {
    const page = pageIn(rows);
    const beside = page === undefined ? undefined : () => tablePorts(tables).landingPages.enlist(page);
    return { rows: landingPageRows(rows), beside };
  },
  actionRequests: (rows, { begunAt }, tables) => ({
    rows: actionRows(rows),
    beside: () => completeActions(tables, rows, begunAt),
  }),
  sessions: (rows) => ({ rows: sessionRows(rows) }),
  feeds: (rows, { feeds }) => ({ rows: feedRows(rows, feeds) }),
};

/**
 * Writes units in parallel, and saves the last completely written partition as the checkpoint. It waits for all of them, even if one fails.
 */
async function writeAll(
  { tables }: ImportDeps,
  source: ImportSource,
  into: { readonly table: ExportedTable; readonly at: ImportCheckpoint },
  written: readonly Written[],
): Promise<ImportCheckpoint> {
  const done = await Promise.allSettled(
    written.map(async ({ partitionKey, rows, beside }) => {
      await insertRows(tables[into.table], partitionKey, rows);
      await beside?.();
    }),
  );
  for (const one of done) if (one.status === "rejected") throw one.reason;
  const whole = written.findLast(({ isLast }) => isLast);
  if (!whole) return into.at;
  const next = { ...into.at, after: whole.partitionKey };
  await source.save(next);
  return next;
}

async function refuseOccupied(tables: WholeTables): Promise<void> {
  for (const table of exportedTables) {
    for await (const { partitionKey } of tables[table].rowsAfter()) {
      // The trail of operators in the new tables, which includes the import itself, does not conflict with an export.
      if (partitionKey.startsWith(ACTIONS_PARTITION_PREFIX)) continue;
      const where = `The table ${tableNames[table]} is not empty: it holds the partition ${partitionKey}.`;
      throw new NotImported(`${where} Import into empty tables.`);
    }
  }
}

/** Raises an alert for each payment that is left out, and queries each open payment first. Each step may run again. */
async function restorePayments(
  { tables, timings, log }: ImportDeps,
  { plan, open }: { readonly plan: ImportPlan; readonly open: readonly OpenPayment[] },
  call: CallContext,
): Promise<void> {
  // `repair --all` announces them later, because the queues may not exist yet.
  const announcements = { send: async () => {} };
  const deps = { ...tablePorts(tables), announcements, timings, log };
  for (const { key, money } of plan.leftOut.values()) {
    const identity = { subject: { kind: "payment", ...key }, kind: "unreadablePayment" } as const;
    const raising = { by: { cause: plan.begunAt }, at: call.now(), detail: storableDetail(money) };
    await retryOnConflict(() => raiseAlert(deps, identity, raising));
  }
  await eachOf(open, ({ key, sequence }) => queryFirst(deps, call, key, sequence));
}
