import { storableDetail } from "../../../shared/domain/alert.ts";
import type { Timings } from "../../../shared/domain/timings.ts";
import type { CallContext } from "../../../shared/ports/clock.ts";
import type { Log } from "../../../shared/ports/log.ts";
import { ACTIONS_PARTITION_PREFIX } from "../../../shared/stores/keys.ts";
import { listedPage } from "../../../shared/stores/landing-pages.ts";
import { tablePorts, type WholeTables } from "../../../shared/stores/stores.ts";
import { tableNames } from "../../../shared/stores/table-names.ts";
import { LANDING_PAGES_PARTITION } from "../../../shared/stores/token-keys.ts";
import { eachOf } from "../../../shared/use-cases/each-of.ts";
import { retryOnConflict } from "../../../shared/use-cases/outbox/retry-on-conflict.ts";
import { raiseAlert } from "../../../shared/use-cases/alerts/raise-alert.ts";
import { restoreOrder } from "../../../shared/use-cases/payments/order-holders.ts";
import { queryFirst } from "../../../shared/use-cases/operator/restore/query-first.ts";
import { rowsOf, type Lines, type PlainRow } from "./exported-row.ts";
import { insertRows } from "./insert-rows.ts";
import { inSlices, MOST_ROWS, type Manifest, type Slice } from "./manifest.ts";
import { storedPartition, storedTable } from "./payments-apart.ts";
import { planTerminal, type RestorePlan } from "./restore-plan.ts";
import { completeFeeds, feedRows } from "./restored-feeds.ts";
import { bookingRows, completeBooks } from "./restored-bookings.ts";
import { barredRows, paymentRows } from "./restored-payments.ts";
import { completeSessions, sessionRows } from "./restored-sessions.ts";
import { actionRows, alertRows, dayRows, landingPageRows, terminalRows } from "./restored-rows.ts";
import { exportedTables, type ExportedTable } from "./table-order.ts";
import { NotImported, verifiedPlan } from "./verified-plan.ts";

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

/** How many partitions, or slices of them, are written in parallel between two checkpoints. */
const AT_ONCE = 16;

/** Rows of a partition in the form that the import writes. `isLast` is of the partition in the table. */
interface Written extends Slice<PlainRow> {
  readonly partitionKey: string;
}

/** The import needs each partition of these tables as a whole. It reads and writes the partitions of the other tables in slices. */
const readAsWhole: ReadonlySet<ExportedTable> = new Set([
  "payments",
  "terminals",
  "alerts",
  "actionRequests",
  "landingPages",
  "terminalDays",
]);

/**
 * Writes an export into empty tables while the platform is stopped.
 * It first verifies the files against the manifest, and replays the history of every payment. If anything does not agree, nothing is
 * written.
 * It also puts a status query for every payment with open money into the terminal's inbox, before all other messages. Run `repair --all`
 * afterwards: it announces the effects that are not carried out.
 * An interrupted import continues after its last checkpoint. Throws `NotImported`, `Unavailable`.
 *
 * @param without the damaged payments to leave out, as the manifest names their partitions. Their sessions are barred, their bookings stay,
 *   and an alert is raised for each
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
  let rows = 0;
  for (const table of exportedTables) {
    let waiting: Written[] = [];
    for await (const written of restoredPartitions(source, table, plan)) {
      rows += written.rows.length;
      if (isWritten(at, table, written)) continue;
      waiting.push(written);
      if (waiting.length === AT_ONCE) [at, waiting] = [await writeAll(deps, source, { table, at }, waiting), []];
    }
    if (waiting.length > 0) at = await writeAll(deps, source, { table, at }, waiting);
    if (!at.finished.includes(table)) await source.save((at = { finished: [...at.finished, table] }));
  }
  await completeTerminals(deps, plan);
  await completeSessions(deps.tables, plan.sessions);
  await completePages(deps, plan);
  await completeBooks(tablePorts(deps.tables), plan.books, call);
  await completeFeeds(deps.tables, plan.feeds, tablePorts(deps.tables).partners, call.now());
  await restorePayments(deps, plan, call);
  const leftOut = [...plan.leftOut].map(([payment, { money }]) => ({ payment, money }));
  return { rows, queried: plan.open.length, leftOut };
}

const isWritten = ({ finished, after }: ImportCheckpoint, table: ExportedTable, { partitionKey }: Written): boolean =>
  finished.includes(table) || (after !== undefined && partitionKey <= after);

/** The rows of a table in the form that the import writes. Reading them completes the plan, even if they are already written. */
async function* restoredPartitions(
  { lines }: ImportSource,
  table: ExportedTable,
  plan: RestorePlan,
): AsyncGenerator<Written> {
  let before: Written | undefined;
  for await (const slice of inSlices(rowsOf(lines, table), readAsWhole.has(table) ? Infinity : MOST_ROWS)) {
    const rows = restoring[table]?.(slice, plan) ?? slice.rows;
    const partitionKey = storedPartition(table, slice.rows[0]?.partitionKey ?? "");
    if (before) yield { ...before, isLast: before.partitionKey !== partitionKey };
    before = { partitionKey, isLast: true, rows };
  }
  if (before) yield before;
}

/**
 * Writes partitions, or slices of them, in parallel, and saves the last completely written partition as the checkpoint. It waits for all of
 * them, even if one fails.
 */
async function writeAll(
  { tables }: ImportDeps,
  source: ImportSource,
  into: { readonly table: ExportedTable; readonly at: ImportCheckpoint },
  written: readonly Written[],
): Promise<ImportCheckpoint> {
  const done = await Promise.allSettled(
    written.map(({ partitionKey, rows }) => insertRows(tables[storedTable(into.table)], partitionKey, rows)),
  );
  for (const one of done) if (one.status === "rejected") throw one.reason;
  const whole = written.findLast(({ isLast }) => isLast);
  const next = whole ? { ...into.at, after: whole.partitionKey } : into.at;
  await source.save(next);
  return next;
}

async function refuseOccupied(tables: WholeTables): Promise<void> {
  for (const table of exportedTables) {
    for await (const { partitionKey } of tables[storedTable(table)].rowsAfter())
      // The trail of operators in the new tables, which includes the import itself, does not conflict with an export.
      if (!partitionKey.startsWith(ACTIONS_PARTITION_PREFIX))
        throw new NotImported(
          `The table ${tableNames[storedTable(table)]} is not empty: it holds the partition ${partitionKey}. Import into empty tables.`,
        );
  }
}

type Rows = readonly PlainRow[];
type Restoring = (slice: Slice<PlainRow>, plan: RestorePlan) => Rows;

/** Converts the rows of a partition or slice to the form that the import writes. Other tables are written unchanged. */
const restoring: Partial<Record<ExportedTable, Restoring>> = {
  terminals({ rows }, plan) {
    const [{ partitionKey } = { partitionKey: "" }] = rows;
    const written = terminalRows(rows, planTerminal(plan, partitionKey), partitionKey);
    plan.terminals.delete(partitionKey); // the terminals that remain at the end have no exported rows
    return written;
  },
  alerts: ({ rows }) => alertRows(rows),
  payments({ rows }, plan) {
    const [{ partitionKey } = { partitionKey: "" }] = rows;
    const left = plan.leftOut.get(partitionKey);
    return left ? barredRows(left.key, plan.lastDay.begunAt) : paymentRows(rows, plan);
  },
  bookings: ({ rows }, { books }) => bookingRows(rows, books),
  landingPages: ({ rows }, plan) => landingPageRows(rows, plan),
  actionRequests: ({ rows }) => actionRows(rows),
  terminalDays: ({ rows }) => dayRows(rows),
  sessions: (slice, { sessions }) => sessionRows(slice, sessions),
  feeds: (slice, { feeds }) => feedRows(slice, feeds),
};

/** Writes claims and messages of terminals that were registered after the terminals were exported. */
async function completeTerminals({ tables }: ImportDeps, { terminals }: RestorePlan): Promise<void> {
  for (const [terminalId, plan] of terminals)
    await insertRows(tables.terminals, terminalId, terminalRows([], plan, terminalId));
}

/** Lists the landing pages. */
async function completePages({ tables }: ImportDeps, { pages }: RestorePlan): Promise<void> {
  const rows = pages.map((landingPageId) => ({ ...listedPage(landingPageId), partitionKey: LANDING_PAGES_PARTITION }));
  await insertRows(tables.landingPages, LANDING_PAGES_PARTITION, rows);
}

/**
 * Prepares the restored payments for the first request. It counts alerts, raises one for each
 * payment that is left out, and queries each open payment first. It sets the orders of these payments, and of the last changed payments, to
 * the payments' state. Each step may run again.
 */
async function restorePayments(
  { tables, timings, log }: ImportDeps,
  { open, raised, recent, leftOut, lastDay }: RestorePlan,
  call: CallContext,
): Promise<void> {
  // `repair --all` announces them later, because the queues may not exist yet.
  const announcements = { send: async () => {} };
  const deps = { ...tablePorts(tables), announcements, timings, log };
  for (const { key, command } of raised) {
    for (const effect of command.effects) {
      if (effect.kind !== "alert") continue;
      const identity = { subject: { kind: "payment", ...key }, kind: effect.alert, about: effect.about } as const;
      const raising = { by: { sequence: command.sequence }, at: effect.at, detail: effect.detail };
      await retryOnConflict(() => raiseAlert(deps, identity, raising));
    }
  }
  for (const { key, money } of leftOut.values()) {
    const identity = { subject: { kind: "payment", ...key }, kind: "unreadablePayment" } as const;
    const raising = { by: { cause: lastDay.begunAt }, at: call.now(), detail: storableDetail(money) };
    await retryOnConflict(() => raiseAlert(deps, identity, raising));
  }
  for (const { key, sequence } of open) {
    await queryFirst(deps, call, key, sequence);
    await retryOnConflict(() => restoreOrder(deps, key));
  }
  await eachOf(recent, (key) => retryOnConflict(() => restoreOrder(deps, key)));
}
