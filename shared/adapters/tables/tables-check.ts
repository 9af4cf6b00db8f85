import { Unavailable } from "../../ports/failures.ts";
import type { HealthCheck } from "../../ports/health-check.ts";
import { nameOfError } from "../../ports/logged-error.ts";
import { tableNames } from "../../stores/table-names.ts";
import type { Table, Tables } from "../../stores/stores.ts";

/** Reads a row that does not exist from each table. Throws `Unavailable` with the names of the tables that fail, including missing ones. */
export const tablesCheck = (tables: Tables): HealthCheck => ({
  name: "tables",
  async check() {
    const all = Object.keys(tables) as Table[];
    const read = await Promise.allSettled(all.map((table) => tables[table].get("health", "health")));
    const wrong = read.flatMap((one, i) => (one.status === "rejected" ? [`${nameOf(all[i])} ${why(one.reason)}`] : []));
    if (wrong.length > 0) throw new Unavailable(wrong.join(", "));
  },
});

const nameOf = (table: Table | undefined): string => (table ? tableNames[table] : "");

const why = (error: unknown): string => (error instanceof Unavailable ? error.message : nameOfError(error));
