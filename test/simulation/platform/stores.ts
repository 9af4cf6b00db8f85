import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { newestVersion } from "../../../shared/domain/stored-forms.ts";
import { eachTable, type Table, type Tables, type WholeTables } from "../../../shared/tables/table-ports.ts";
import type { Operation, Row, Rows } from "../../../shared/tables/rows.ts";
import { callDependency, type Dependency } from "../world/dependency-call.ts";
import type { Invocation } from "../world/invocation.ts";
import type { World } from "../world/world.ts";

/** The tables of one world. */
export interface Stores {
  /** Without faults, for set-up and checks. */
  readonly plain: Tables;
  /** The tables of now, each as a whole. */
  whole(): WholeTables;
  /** Puts new and empty tables in the place of all tables. Whatever is on its way to the old ones does not reach the new ones. */
  renew(): WholeTables;
  /** Has every watcher of a terminal look. */
  wakeTerminals(): void;
  /** From an invocation: over the network, with outages. */
  reachedBy(invocation: Invocation): Tables;
  /** Calls back after every write to a partition of the table `Terminals`. */
  watchTerminal(partition: string, wrote: () => void): void;
  /** Calls back after every write, at the same time. */
  watch(wrote: (written: Written) => Promise<void>): void;
}

/** One operation of a write. */
export interface Written {
  readonly table: Table;
  readonly partition: string;
  readonly operation: Operation;
}

export function createStores(world: World): Stores {
  let current = eachTable(() => inMemoryRows());
  const plain = eachTable((table): Rows => ({
    get: (...given) => current[table].get(...given),
    withPrefix: (...given) => current[table].withPrefix(...given),
    submit: (...given) => current[table].submit(...given),
    remove: (...given) => current[table].remove(...given),
  }));
  const watchers = new Map<string, () => void>();
  let watching: ((written: Written) => Promise<void>) | undefined;
  /** The row of a later version, for a host that does not know that version. */
  const asRead = (row: Row): Row =>
    world.faultPlan.fault(0.001, "row of a later version")
      ? { ...row, columns: { ...row.columns, v: newestVersion + 1 } }
      : row;

  function reached(invocation: Invocation, table: Table): Rows {
    const rows = current[table]; // also once these are replaced: nothing on its way reaches later tables
    const dependency: Dependency = { name: table, isDown: () => world.faultPlan.isDown("tables", `table ${table}`) };
    const call = <T>(apply: () => Promise<T>) => callDependency(world, invocation, dependency, apply);
    const write = <T>(partition: string, operations: readonly Operation[], apply: () => Promise<T>) =>
      call(async () => {
        const written = await apply();
        world.trace?.(invocation.name, `${table} ${partition}: ${operations.map(describe).join(", ")}`);
        if (rows !== current[table]) return written;
        for (const operation of operations) await watching?.({ table, partition, operation });
        if (table === "terminals") watchers.get(partition)?.();
        return written;
      });
    return {
      get: (partition, key) =>
        call(async () => {
          const row = await rows.get(partition, key);
          return row && asRead(row);
        }),
      withPrefix: (partition, prefix, atMost) =>
        call(async () => (await rows.withPrefix(partition, prefix, atMost)).map(asRead)),
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
    reachedBy: (invocation) => eachTable((table) => reached(invocation, table)),
    watchTerminal: (partition, wrote) => void watchers.set(partition, wrote),
    watch: (wrote) => void (watching = wrote),
  };
}

/** A readable form of a write, with the columns that help most. */
function describe(operation: Operation): string {
  const columns = "columns" in operation ? operation.columns : {};
  const seen = ["state", "status", "event"].flatMap((name) => columns[name] ?? []);
  return [operation.kind, operation.rowKey, ...seen].join(" ");
}
