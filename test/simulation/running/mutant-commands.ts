import { mutants } from "../mutants.ts";
import { seedsAround, seedsUpTo, type Catch } from "./catch-mutant.ts";
import { gaps, judge, readRecord, recordOf, unrecordedMutants, writeRecord } from "./mutant-record.ts";
import { runMutants } from "./run-mutants.ts";
import type { Chunk } from "./seed-worker.ts";

interface Range {
  readonly seeds: number;
  readonly jobs: number;
  readonly record: boolean;
}

const names = mutants.map((mutant) => mutant.name);
const print = (name: string, how: string): void => console.log(`${name.padEnd(52)} ${how}`);

/**
 * Runs every mutant from seed 1 on. If the results are recorded, it first tries the seeds around the recorded one, because most of them
 * still catch the mutant. True if all were caught. Only then are the catches recorded.
 */
export async function allMutants({ seeds, jobs, record }: Range): Promise<boolean> {
  const catches = new Map<string, Catch>();
  const known = record ? await readRecord() : {};
  const hunts = mutants.map((mutant) => ({ mutant, chunks: chunksOf(known[mutant.name]?.seed, seeds) }));
  await runMutants(hunts, jobs, ({ mutant: { name } }, result) => {
    catches.set(name, result);
    print(name, result.caught ? `seed ${result.seed}: ${result.rule}: ${result.detail}` : `SURVIVED ${seeds} seeds`);
  });
  const caught = [...catches.values()].filter((result) => result.caught).length;
  console.log(`${caught} of ${mutants.length} mutants caught`);

  if (!record) return caught === mutants.length;
  const kept = recordOf(names, catches);
  if (kept) await writeRecord(kept);
  console.log(kept ? "their seeds are recorded" : "nothing is recorded, because a mutant survived");
  return kept !== undefined;
}

function* chunksOf(recorded: number | undefined, seeds: number): Generator<Chunk> {
  if (recorded !== undefined) yield* seedsAround(recorded);
  yield* seedsUpTo(seeds);
}

/**
 * Runs every mutant in the seeds around its recorded one. True if all were caught, and the record has exactly these mutants, except for those
 * that are listed as unrecorded.
 */
export async function recordedMutants({ jobs }: { readonly jobs: number }): Promise<boolean> {
  const record = await readRecord();
  const unrecorded = await unrecordedMutants();
  const troubles = gaps(names, record, unrecorded);
  const hunts = mutants.flatMap((mutant) => {
    const recorded = record[mutant.name];
    return recorded ? [{ mutant, recorded, chunks: seedsAround(recorded.seed) }] : [];
  });
  let caught = 0;
  await runMutants(hunts, jobs, ({ mutant: { name }, recorded }, result) => {
    const { line, stale } = judge(name, recorded, result);
    print(name, line);
    if (result.caught) caught++;
    if (stale !== undefined) troubles.push(stale);
  });
  console.log(`${caught} of ${mutants.length - unrecorded.length} mutants caught around their recorded seeds`);
  if (unrecorded.length > 0) console.log(`${unrecorded.length} mutants have no seed: test/simulation/unrecorded.txt`);
  for (const trouble of troubles) console.error(trouble);
  return troubles.length === 0;
}
