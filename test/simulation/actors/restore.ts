import {
  exportTables,
  type ExportCheckpoint,
  type ExportTarget,
} from "../../../infra/operator/backup/export-tables.ts";
import { importTables, type ImportCheckpoint } from "../../../infra/operator/backup/import-tables.ts";
import { exportedTables, type ExportedTable } from "../../../infra/operator/backup/table-order.ts";
import type { Payment } from "../../../shared/domain/payment/record/payment.ts";
import type { Command } from "../../../shared/stores/commands.ts";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import { paymentHasEnded } from "../../../shared/domain/payment/record/ended.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { eachTable, type Table, type WholeTables } from "../../../shared/stores/stores.ts";
import { repair } from "../../../shared/use-cases/operator/repair/repair.ts";
import { aCall } from "../../support/calls.ts";
import type { Random } from "../../support/seeded-random.ts";
import { checkRestored } from "../platform/restored.ts";
import type { WatchedBooks } from "../platform/books.ts";
import { checkClaims } from "../platform/claims.ts";
import type { Http } from "../platform/http.ts";
import type { WatchedKeys } from "../platform/keys.ts";
import { checkAllMarks } from "../platform/marks.ts";
import type { Platform } from "../platform/platform.ts";
import { wholeFeed } from "../platform/whole-feed.ts";
import { FAULTS_END, instantAt, MINUTE, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { CardLedger } from "./card-ledger.ts";
import { forgetPromises, rememberPromises } from "./lost-promises.ts";
import type { Partner } from "./partner.ts";
import type { Plan } from "./plan.ts";
import { refundBeforeExport } from "./regrets.ts";
import { replicaOf } from "./replica.ts";
import type { TerminalDevice } from "./terminal.ts";

/** A session in the tables of one moment. */
interface Session {
  readonly plan: Plan;
  readonly payment: Payment | undefined;
  readonly history: readonly RecordedEntry[];
  readonly commands: readonly Omit<Command, "etag">[];
}

interface Surroundings {
  readonly look: (plan: Plan) => Promise<Session>;
  readonly platform: Platform;
  readonly http: Http;
  readonly ledger: CardLedger;
  readonly partner: Pick<Partner, "repeatSales" | "refundForNow">;
  readonly plans: readonly Plan[];
  readonly devices: readonly TerminalDevice[];
  readonly books: WatchedBooks;
  readonly watched: WatchedKeys;
  /** The files that were read as closed. A restore loses those that were closed since the export. */
  readonly closed: Map<string, string>;
}

/**
 * The probability that the region is lost. Then the tables of another region, which are from an earlier time, are exported and imported.
 */
const FAILOVER = 0.5;

/**
 * Exports the platform's tables while it works, and restores it from the export some time later. Every process dies. Tables and queues are
 * new and empty. The export is imported, and `repair --all` announces everything that is undone. Terminals, cards and partners continue
 * from their present state. Export and import are interrupted at random, and run again. In a failover the export is made from the surviving
 * tables, after the region is lost.
 */
export async function startRestore(
  world: World,
  random: Random,
  { look, platform, http, ledger, partner, plans, devices, books, watched, closed }: Surroundings,
): Promise<void> {
  const { agenda, faultPlan } = world;
  const { stores } = platform;
  await agenda.sleep(random.between(0, random.pick(1, 3, 12) * MINUTE));
  const withdraw = await refundBeforeExport(world, { look, partner, plans, devices });
  const promises = rememberPromises(plans);
  const files = inMemoryFiles();
  const mostPause = random.pick(0, 5, 100, 1_000);
  const exportOf = async (tables: WholeTables) => {
    const exported = await untilDone(() => exportTables(tables, files.target, { now: () => instantAt(agenda.now()) }));
    world.trace?.("restore", `exported ${JSON.stringify(exported.payments.byStatus)}`);
    return exported;
  };
  const fate = world.fateOf("failover");
  const survivors = fate.chance(FAILOVER) ? await replicaOf(world, fate, stores.whole()) : undefined;
  const exported = survivors ? undefined : await exportOf(slowly(world, random, stores.whole(), mostPause));
  await withdraw();
  await agenda.sleep(random.between(0, random.pick(10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE)));

  faultPlan.meet(survivors ? "failover to tables of some minutes ago" : "platform restored from an export");
  const before = await Promise.all(plans.map((plan) => look(plan)));
  for (const partnerId of await platform.ports.partners.list())
    world.lostTime.feeds.set(partnerId, await wholeFeed(platform.ports, partnerId));
  platform.stop();
  const manifest = exported ?? (await exportOf(survivors ?? stores.whole()));
  const tables = stores.renew();
  let checkpoint: ImportCheckpoint | undefined;
  const imported = await untilDone(() =>
    importTables(
      { tables: interrupted(random, tables), timings: standardTimings, log: platform.importLog },
      {
        manifest,
        lines: files.target.lines,
        checkpoint: async () => checkpoint,
        save: async (saved) => void (checkpoint = saved),
      },
      { now: () => instantAt(agenda.now()), newId: world.newId },
    ),
  );
  await checkClaims(world, platform);
  await checkAllMarks(world, platform);
  world.trace?.("restore", `imported ${imported.rows} rows, queries ${imported.queried} payments`);
  const after = await Promise.all(plans.map((plan) => look(plan)));
  await checkRestored(world, platform, after);
  noteLost(world, ledger, before, after);
  await books.restored();
  await watched.restored();
  closed.clear();
  forgetPromises(world, plans, promises);
  await platform.start(after);
  partner.repeatSales();

  const sweep = () =>
    void http({ name: "repair", waits: true }, (deps) => repair(deps, aCall(deps), { all: true, dryRun: false }));
  sweep();
  agenda.after(FAULTS_END + MINUTE, sweep);
}

/** Repeats an export or an import until it ends without an interruption. */
async function untilDone<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  }
}

/** The tables as a running export reads them. Time passes between any two rows, and calls fail. */
const slowly = ({ agenda }: World, random: Random, tables: WholeTables, mostPause: number): WholeTables => {
  const pause = async () => {
    if (random.chance(0.01)) throw new Unavailable("the tables do not respond");
    if (mostPause > 0) await agenda.sleep(random.between(0, mostPause));
  };
  return eachTable((table: Table) => ({
    ...tables[table],
    async *rowsAfter(partitionKey) {
      for await (const row of tables[table].rowsAfter(partitionKey)) {
        yield row;
        await pause();
      }
    },
    async withPrefix(...given) {
      await pause();
      return tables[table].withPrefix(...given);
    },
  }));
};

/** The tables as a running import writes them. A call may fail before or after it was carried out. */
const interrupted = (random: Random, tables: WholeTables): WholeTables =>
  eachTable((table: Table) => ({
    ...tables[table],
    async submit(...given) {
      if (random.chance(0.005)) throw new Unavailable("the tables do not respond");
      const written = await tables[table].submit(...given);
      if (random.chance(0.005)) throw new Unavailable("the tables do not respond");
      return written;
    },
  }));

function inMemoryFiles() {
  const lines = new Map<ExportedTable, string[]>(exportedTables.map((table) => [table, []]));
  let saved:
    | { readonly checkpoint: ExportCheckpoint; readonly lengths: ReadonlyMap<ExportedTable, number> }
    | undefined;
  const fileOf = (table: ExportedTable) => lines.get(table) ?? [];
  const target: ExportTarget = {
    async resume() {
      for (const table of exportedTables) fileOf(table).length = saved?.lengths.get(table) ?? 0;
      return saved?.checkpoint;
    },
    append: async (table, more) => void fileOf(table).push(...more),
    async save(checkpoint) {
      saved = { checkpoint, lengths: new Map(exportedTables.map((table) => [table, fileOf(table).length])) };
    },
    async *lines(table) {
      yield* fileOf(table);
    },
    finish: async () => {},
  };
  return { target };
}

/** Records the losses of the restore: everything in the books before it that the restored books lack. */
function noteLost(
  { lostTime, agenda }: World,
  ledger: CardLedger,
  before: readonly Session[],
  after: readonly Session[],
): void {
  lostTime.restoredAt = agenda.now();
  for (const [i, session] of before.entries()) {
    const { sessionId } = session.plan;
    const restored = after[i];
    const kept = new Set(restored?.commands.map(({ commandId }) => commandId));
    for (const { commandId } of session.commands) if (!kept.has(commandId)) lostTime.commands.add(commandId);
    const known = new Set(restored?.history.map(({ sequence }) => sequence));
    const lost = session.history.filter(({ sequence }) => !known.has(sequence));
    if (lost.length > 0 || (!restored?.payment && session.plan.known.ruledOut)) lostTime.behind.add(sessionId);
    if (restored?.payment) lostTime.sequences.set(sessionId, new Set(lost.map(({ sequence }) => sequence)));
    if (lost.some(({ by }) => by === "operator")) lostTime.decided.add(sessionId);
    if (session.payment && !restored?.payment) lostTime.sessions.add(sessionId);
    if (restored?.payment && paymentHasEnded(restored.payment)) lostTime.ended.add(sessionId);
    for (const { refundId, status } of restored?.payment?.refunds ?? [])
      if (status === "failed") lostTime.failedRefunds.add(`${sessionId} ${refundId}`);
    for (const { chargeId, refunds } of ledger.chargesOf(sessionId))
      for (const move of [chargeId, ...refunds.keys()]) lostTime.moves.add(`${sessionId} ${move}`);
  }
}
