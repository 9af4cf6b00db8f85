import { readFile, writeFile } from "node:fs/promises";

const name = "test/unit/operator/situations.txt";
const file = new URL(`../../../${name}`, import.meta.url);

/** Writes the situations that a run reached, one a line, sorted. */
export async function writeSituations(reached: ReadonlySet<string>): Promise<void> {
  await writeFile(file, `${[...reached].toSorted().join("\n")}\n`);
  console.log(`${reached.size} situations are in ${name}`);
}

/** The lines to print for the situations that the file lacks; none if it has all. */
export async function missingSituations(reached: ReadonlySet<string>): Promise<readonly string[]> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const known = new Set(text.split("\n"));
  const missing = [...reached].filter((one) => !known.has(one)).toSorted();
  if (missing.length === 0) return [];
  return [`${name} lacks ${missing.length} situations (add them, or --situations writes it anew):`, ...missing];
}
