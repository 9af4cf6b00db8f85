import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { exportTables } from "../../../infra/operator/backup/export-tables.ts";
import { exportFolder, importFolder } from "../../../infra/operator/backup/folder.ts";
import { importTables } from "../../../infra/operator/backup/import-tables.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import type { PaymentRequest } from "../../../shared/domain/payment/requests/create-payment.ts";
import { PAYMENTS_PREFIX } from "../../../shared/stores/keys.ts";
import { eachTable, type Table, type WholeTables } from "../../../shared/stores/stores.ts";
import { repair } from "../../../shared/use-cases/operator/repair/repair.ts";
import { approval, aPaymentOn } from "../../support/a-payment.ts";
import { aCall } from "../../support/calls.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { aPlatform } from "../../support/platform.ts";

/** Every character that some reader takes for a line end, NUL and lone surrogates. */
export const nasty = "\n\r\v\f\u001c\u001d\u001e\u0085\u2028\u2029\u0000\udc00\ud800";

export async function allOf<R>(rows: AsyncIterable<R>): Promise<readonly R[]> {
  const all: R[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** Changes a table's file in an export, and its digest in the manifest. */
export async function rewrite(folder: string, table: string, change: (text: string) => string): Promise<void> {
  const [file, manifest] = [join(folder, `${table}.jsonl`), join(folder, "manifest.json")];
  const before = await readFile(file, "utf8");
  const after = change(before);
  if (after === before) throw new Error(`nothing was changed in ${table}`);
  const digest = (text: string) => createHash("sha256").update(text).digest("hex");
  await writeFile(file, after);
  await writeFile(manifest, (await readFile(manifest, "utf8")).replace(digest(before), digest(after)));
}

export const newTables = (): WholeTables => eachTable(() => inMemoryRows());

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "export-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A copy of a table as it is now. It does not change any more. */
export async function copyOf(table: WholeTables[Table]): Promise<WholeTables[Table]> {
  const copy = inMemoryRows();
  for (const { partitionKey, rowKey, columns } of await allOf(table.rowsAfter()))
    await copy.submit(partitionKey, [{ kind: "insert", rowKey, columns }]);
  return copy;
}

/** A table as it was, with the rows of these prefixes as they are now. An export reads them later, and the tables of a failover differ. */
export function withLater(
  then: WholeTables[Table],
  now: WholeTables[Table],
  prefixes: readonly string[],
): WholeTables[Table] {
  const isLater = (rowKey: string): boolean => prefixes.some((prefix) => rowKey.startsWith(prefix));
  return {
    ...now,
    withPrefix: (partition, prefix, atMost) => (isLater(prefix) ? now : then).withPrefix(partition, prefix, atMost),
    async *rowsAfter(after) {
      for await (const row of then.rowsAfter(after)) if (!isLater(row.rowKey)) yield row;
      for await (const row of now.rowsAfter(after)) if (isLater(row.rowKey)) yield row;
    },
  };
}

/** The terminals as they were, with the payments as they are now: an export reads the payments of a terminal after its other rows. */
export const withLaterPayments = (then: WholeTables[Table], now: WholeTables[Table]): WholeTables[Table] =>
  withLater(then, now, [PAYMENTS_PREFIX]);

/** A platform whose tables can be exported into a folder, and restored from it. */
export async function aRestorable() {
  const folder = await newFolder();
  let tables = newTables();
  const platform = await aPlatform({
    open: (table) => ({
      get: (...given) => tables[table].get(...given),
      withPrefix: (...given) => tables[table].withPrefix(...given),
      after: (...given) => tables[table].after(...given),
      submit: (...given) => tables[table].submit(...given),
      remove: (...given) => tables[table].remove(...given),
    }),
  });
  const call = aCall(platform.deps);
  const importInto = async (into: WholeTables, from = folder, without: readonly string[] = []) => {
    const deps = { tables: into, timings: standardTimings, log: platform.deps.log };
    return importTables(deps, await importFolder(from, "these tables"), call, new Set(without));
  };
  return {
    platform,
    folder,
    whole: () => tables,
    exportAll: async (from = tables, to = folder) => exportTables(from, await exportFolder(to), call),
    importInto,
    /** The payments whose terminal has not answered the query of a restore. */
    restoring: async () => (await repair(platform.deps, call, { all: false, dryRun: true })).restoring,
    /** The tables and queues are lost. The export is imported, and undone work is announced. */
    async restore(from = folder, without: readonly string[] = []) {
      platform.queued.length = 0;
      const fresh = newTables();
      const imported = await importInto(fresh, from, without);
      tables = fresh;
      await repair(platform.deps, call, { all: true, dryRun: false });
      await platform.pass();
      return imported;
    },
  };
}

export async function authorized(
  restorable: Awaited<ReturnType<typeof aRestorable>>,
  more: Partial<PaymentRequest> = {},
) {
  const payment = await aPaymentOn(restorable.platform, more);
  await payment.sendReport("accepted", { messageId: (await payment.fetch())?.messageId });
  await payment.sendReport("authorized", approval);
  return payment;
}
