import { writeFile } from "node:fs/promises";
import { runScript } from "../../infra/tools/script.ts";
import { benches } from "./benches.ts";
import type { Table } from "./bench.ts";
import { benchScript, type Requested } from "./command-line.ts";
import { conditions } from "./conditions.ts";

// `npm run bench` measures, and prints tables.

async function measure({ name, json, run }: Requested): Promise<void> {
  const before = await conditions();
  const { tables, remarks = [], figures } = await run((line) => console.error(line));
  for (const table of tables) console.log(`${textOf(table)}\n`);
  for (const remark of remarks) console.log(remark);
  const { cores, load } = before.machine;
  console.log(
    `${before.commit}, node ${before.versions.node}, ${cores} cores; load before the run ${load[0]?.toFixed(1)}`,
  );
  const written = { bench: name, ...before, figures };
  if (json !== undefined) await writeFile(json, `${JSON.stringify(written, null, 2)}\n`);
}

function textOf({ title, columns, rows }: Table): string {
  const cells = [columns, ...rows].map((row) => row.map(String));
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const isNumber = columns.map((_, column) => rows.every((row) => typeof row[column] === "number"));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => (isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  return [title, ...lines].join("\n");
}

export const script = benchScript(benches, measure);

if (import.meta.main) await runScript(script);
