import { readFile, writeFile } from "node:fs/promises";
import * as z from "zod";
import { REACH, type Catch } from "./catch-mutant.ts";

const recordedSchema = z.strictObject({ seed: z.int().positive(), rule: z.string() });
const recordSchema = z.record(z.string(), recordedSchema);

/** A seed that caught a mutant, and the rule that was violated there. */
type Recorded = Readonly<z.infer<typeof recordedSchema>>;
/** By the mutants' names. */
export type MutantRecord = Readonly<Record<string, Recorded>>;

const file = new URL("../caught-at.json", import.meta.url);
const RENEW = "renew the record: npm run simulate -- --mutants --record";

/** The stored record; empty without a file. */
export async function readRecord(): Promise<MutantRecord> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw error;
  });
  return parseRecord(text);
}

/**
 * The mutants without a seed, because the simulated worlds have changed since it was found. The list may only become shorter: a full run finds
 * their seeds.
 */
export async function unrecordedMutants(): Promise<readonly string[]> {
  const text = await readFile(new URL("../unrecorded.txt", import.meta.url), "utf8");
  return text.split("\n").filter((line) => line !== "");
}

export function parseRecord(text: string): MutantRecord {
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`test/simulation/caught-at.json is no record of catching seeds; ${RENEW}`, { cause: error });
  }
}

export async function writeRecord(record: MutantRecord): Promise<void> {
  await writeFile(file, `${JSON.stringify(record, null, 2)}\n`);
}

/** The record of the catches, in the mutants' order. Undefined if a mutant was not caught, because the record would have a gap. */
export function recordOf(names: readonly string[], catches: ReadonlyMap<string, Catch>): MutantRecord | undefined {
  const entries = names.flatMap((name) => {
    const result = catches.get(name);
    return result?.caught ? [[name, { seed: result.seed, rule: result.rule }] as const] : [];
  });
  return entries.length === names.length ? Object.fromEntries(entries) : undefined;
}

/**
 * Two sentences: the mutants without a record, and the records without a mutant.
 *
 * @param unrecorded the mutants that may have no record, and must not have one
 */
export function gaps(names: readonly string[], record: MutantRecord, unrecorded: readonly string[] = []): string[] {
  const quoted = (list: readonly string[]) => list.map((name) => `"${name}"`).join(", ");
  const expected = names.filter((name) => !unrecorded.includes(name));
  const missing = expected.filter((name) => !Object.hasOwn(record, name));
  const left = [...Object.keys(record), ...unrecorded.filter((name) => !names.includes(name))].filter(
    (name) => !expected.includes(name),
  );
  return [
    ...(missing.length > 0 ? [`No seed is recorded for ${quoted(missing)}; ${RENEW}`] : []),
    ...(left.length > 0 ? [`A seed is recorded for ${quoted(left)}, which is no mutant; ${RENEW}`] : []),
  ];
}

/** The result of a mutant's run around its recorded seed: the line to print, and a sentence if it was not caught. */
export function judge(
  name: string,
  recorded: Recorded,
  result: Catch,
): { readonly line: string; readonly stale?: string } {
  if (!result.caught) {
    const stale =
      `The mutant "${name}" was not caught within ${REACH} seeds around the recorded seed ${recorded.seed}; ` +
      `where the simulated worlds have changed, ${RENEW}`;
    return { line: `NOT CAUGHT in ${result.seeds} seeds around ${recorded.seed}`, stale };
  }
  const isAsRecorded = result.seed === recorded.seed && result.rule === recorded.rule;
  const drift = isAsRecorded ? "" : ` (recorded: seed ${recorded.seed}: ${recorded.rule})`;
  return { line: `seed ${result.seed}: ${result.rule}: ${result.detail}${drift}` };
}
