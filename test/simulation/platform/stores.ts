import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { newestVersion } from "../../../shared/ports/stored-forms.ts";
import { eachTable, type Table, type Tables, type WholeTables } from "../../../shared/stores/stores.ts";
import type { Operation, Row, Rows } from "../../../shared/ports/rows.ts";
import { callDependency, type Dependency } from "../world/dependency-call.ts";
import type { Invocation } from "../world/invocation.ts";
import { SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** The tables of one world. */
export interface Stores {
  /** Without faults, for set-up and checks. */
  readonly plain: Tables;
  /** The current tables, each as a whole. */
  whole(): WholeTables;
  /** Replaces all tables by new and empty ones. Calls on their way to the old tables do not reach the new ones. */
  renew(): WholeTables;
  /** Lets every watcher of a terminal check again. */
  wakeTerminals(): void;
  /** The tables as an invocation reaches them: over the network, with outages. Its queries are `swift` unless it has time for slow ones. */
  reachedBy(invocation: Invocation, pace?: Pace): Tables;
  /** Calls back after every write to a partition of the table `Terminals`. */
  watchTerminal(partition: string, wrote: () => void): void;
  /** Calls back after every read of one row, at the same time. */
  watchReads(read: (row: Omit<Written, "operation" | "group"> & { readonly rowKey: string }) => void): void;
  /** Calls back after every write, at the same time. */
  watch(wrote: (written: Written) => Promise<void> | void): void;
}

/** How often a query lasts long enough for concurrent writes, and its longest duration. */
export interface Pace {
  readonly chance: number;
  readonly seconds: number;
}
const swift: Pace = { chance: 0.02, seconds: 5 };
export const slow: Pace = { chance: 0.1, seconds: 20 };

/** One operation of a write. */
export interface Written {
  readonly table: Table;
  readonly partition: string;
  readonly operation: Operation;
  /** All operations of the write. */
  readonly group: readonly Operation[];
}

export function createStores(world: World): Stores {
  let current = eachTable(() => inMemoryRows());
  const plain = eachTable((table): Rows => ({
    get: (...given) => current[table].get(...given),
    withPrefix: (...given) => current[table].withPrefix(...given),
    after: (...given) => current[table].after(...given),
    submit: (...given) => current[table].submit(...given),
    remove: (...given) => current[table].remove(...given),
  }));
  const reading: Parameters<Stores["watchReads"]>[0][] = [];
  const watchers = new Map<string, () => void>();
  const watching: ((written: Written) => Promise<void> | void)[] = [];
  /** The row of a later version, for a host that does not know that version. */
  const asRead = (row: Row): Row =>
    world.faultPlan.fault(0.001, "row of a later version")
      ? { ...row, columns: { ...row.columns, v: newestVersion + 1 } }
      : row;

  /**
   * A query reads row after row, like a query over several pages. If two groups are committed meanwhile, it may find only the later one.
   */
  async function inPassing(
    { chance, seconds }: Pace,
    query: () => Promise<readonly Row[]>,
    atMost?: number,
  ): Promise<Row[]> {
    const before = await query();
    if (!world.faultPlan.fault(chance, "rows are written while a query passes")) return before.map(asRead);
    await world.agenda.sleep(world.quirks.between(1, seconds * SECOND));
    const after = await query();
    const passed = world.quirks.pick("", ...after.map(({ rowKey }) => rowKey));
    const found = [
      ...before.filter(({ rowKey }) => rowKey <= passed),
      ...after.filter(({ rowKey }) => rowKey > passed),
    ];
    return found.slice(0, atMost).map(asRead);
  }

  function reached(invocation: Invocation, table: Table, pace: Pace): Rows {
    const rows = current[table]; // even after the tables are replaced: calls on their way do not reach later tables
    const dependency: Dependency = { name: table, isDown: () => world.faultPlan.isDown("tables", `table ${table}`) };
    const call = <T>(apply: () => Promise<T>) => callDependency(world, invocation, dependency, apply);
    const write = <T>(partition: string, operations: readonly Operation[], apply: () => Promise<T>) =>
      call(async () => {
        const written = await apply();
        world.trace?.(invocation.name, `${table} ${partition}: ${operations.map(describe).join(", ")}`);
        if (rows !== current[table]) return written;
        for (const operation of operations)
          for (const wroteTo of watching) await wroteTo({ table, partition, operation, group: operations });
        if (table === "terminals") watchers.get(partition)?.();
        return written;
      });
    return {
      get: (partition, key) =>
        call(async () => {
          const row = await rows.get(partition, key);
          for (const read of reading) read({ table, partition, rowKey: key });
          return row && asRead(row);
        }),
      withPrefix: (partition, prefix, atMost) =>
        call(() => inPassing(pace, () => rows.withPrefix(partition, prefix, atMost), atMost)),
      after: (partition, position, atMost) =>
        call(() => inPassing(slow, () => rows.after(partition, position, atMost), atMost)),
      submit: (partition, operations) => write(partition, operations, () => rows.submit(partition, operations)),
      remove: (partition, key, etag) =>
        write(partition, [{ kind: "remove", rowKey: key, etag }], () => rows.remove(partition, key, etag)),
    };
  }

  return {
    plain,
    whole: () => current,
    renew: () => (current = eachTable(() => inMemoryRows(1_000_000))),
    wakeTerminals() {
      for (const wrote of watchers.values()) wrote();
    },
    reachedBy: (invocation, pace = swift) => eachTable((table) => reached(invocation, table, pace)),
    watchTerminal: (partition, wrote) => void watchers.set(partition, wrote),
    watchReads: (read) => void reading.push(read),
    watch: (wrote) => void watching.push(wrote),
  };
}

/** A readable form of a write, with the columns that help most. */
function describe(operation: Operation): string {
  const columns = "columns" in operation ? operation.columns : {};
  const seen = ["state", "status", "event"].flatMap((name) => columns[name] ?? []);
  return [operation.kind, operation.rowKey, ...seen].join(" ");
}
