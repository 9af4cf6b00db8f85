import { createReadStream } from "node:fs";
import { appendFile, mkdir, readFile, rename, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { tableNames } from "../../../shared/stores/table-names.ts";
import { linesOf } from "../../tools/lines.ts";
import type { Lines } from "./exported-row.ts";
import type { ExportTarget } from "./export-tables.ts";
import type { ImportSource } from "./import-tables.ts";
import { manifestRecord } from "./manifest.ts";
import { NotImported } from "./verified-plan.ts";
import { exportedTables, tableRecord, type ExportedTable } from "./table-order.ts";

// An export is a folder with one file of lines for each table. It has `manifest.json` once it is finished, and a checkpoint while the
// export or its import runs.

const progressShape = { finished: z.array(tableRecord), after: z.string().optional() };
const exportProgress = z.object({
  ...progressShape,
  begunAt: z.iso.datetime(),
  /** The size of each file at the checkpoint, in bytes. */
  bytes: z.partialRecord(tableRecord, z.int()),
});
const importProgress = z.object({ ...progressShape, into: z.string() });

const fileOf = (folder: string, table: ExportedTable): string => join(folder, `${tableNames[table]}.jsonl`);

/** An export into this folder. Throws if the folder holds a finished export. */
export async function exportFolder(folder: string): Promise<ExportTarget> {
  const [checkpoint, manifest] = [join(folder, "export.json"), join(folder, "manifest.json")];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (await isThere(manifest)) throw new Error(`${folder} holds a finished export: name another folder.`);
  const sizes = async () =>
    Object.fromEntries(
      await Promise.all(exportedTables.map(async (table) => [table, await sizeOf(fileOf(folder, table))])),
    );
  return {
    async resume() {
      const saved = await readJson(checkpoint, exportProgress);
      for (const table of exportedTables) {
        const file = fileOf(folder, table);
        if (await isThere(file)) await truncate(file, saved?.bytes[table] ?? 0);
        else await writeFile(file, "", { mode: 0o600 });
      }
      return saved;
    },
    append: (table, lines) => appendFile(fileOf(folder, table), lines.map((line) => `${line}\n`).join("")),
    save: async (progress) => writeJson(checkpoint, { ...progress, bytes: await sizes() }),
    lines: linesIn(folder),
    finish: (taken) => writeJson(manifest, taken),
  };
}

/** The finished export in this folder, for an import into the named tables. Throws `NotImported` if it is not finished. */
export async function importFolder(folder: string, into: string): Promise<ImportSource> {
  const checkpoint = join(folder, "import.json");
  const manifest = await readJson(join(folder, "manifest.json"), manifestRecord);
  if (!manifest) throw new NotImported(`${folder} holds no finished export: it has no manifest.json.`);
  return {
    manifest,
    lines: linesIn(folder),
    async checkpoint() {
      const saved = await readJson(checkpoint, importProgress);
      return saved?.into === into ? saved : undefined;
    },
    save: (progress) => writeJson(checkpoint, { ...progress, into }),
  };
}

/** A table without a file has no lines. The manifest says whether it should have some. */
const linesIn = (folder: string): Lines =>
  async function* (table) {
    const file = fileOf(folder, table);
    if (!(await isThere(file))) return;
    const stream = createReadStream(file);
    try {
      yield* linesOf(stream);
    } finally {
      stream.destroy();
    }
  };

const isThere = async (file: string): Promise<boolean> => (await sizeOf(file)) !== undefined;

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (error instanceof z.ZodError || error instanceof SyntaxError)
      throw new Error(`${file} was changed after it was written.`, { cause: error });
    throw error;
  }
}

/** Replaces the file atomically: a reader finds the old or the new version. */
async function writeJson(file: string, json: unknown): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(json, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

const isMissing = (error: unknown): boolean => (error as { readonly code?: unknown }).code === "ENOENT";
