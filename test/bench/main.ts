import { writeFile } from "node:fs/promises";
import { benches } from "./benches.ts";
import type { Table } from "./bench.ts";
import { readCommand, usage, type Command } from "./command-line.ts";
import { conditions } from "./conditions.ts";

// `npm run bench -- <name> [options] [--json file]`; without a name it lists the benchmarks.

async function run(command: Command): Promise<number> {
  switch (command.kind) {
    case "list":
      console.log(usage(benches));
      return 0;
    case "wrong":
      console.error(`${command.why}\n\n${usage(benches)}`);
      return 2;
    case "run": {
      const before = await conditions();
      const { tables, remarks = [], figures } = await command.run((line) => console.error(line));
      for (const table of tables) console.log(`${textOf(table)}\n`);
      for (const remark of remarks) console.log(remark);
      const { cores, load } = before.machine;
      console.log(
        `${before.commit}, node ${before.versions.node}, ${cores} cores; load before the run ${load[0]?.toFixed(1)}`,
      );
      const written = { bench: command.name, ...before, figures };
      if (command.json !== undefined) await writeFile(command.json, `${JSON.stringify(written, null, 2)}\n`);
      return 0;
    }
  }
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

process.exitCode = await run(readCommand(process.argv.slice(2), benches));
