import { msBetween } from "../../domain/time.ts";
import type { Rung, StoredRung } from "../../stores/rung-bells.ts";
import { Conflict } from "../../ports/failures.ts";
import type { LocalBells } from "./local-bells.ts";
import type { RingWriterDeps } from "./ring-writer.ts";

export interface RingReaderDeps extends RingWriterDeps {
  /** Milliseconds from the start of one read to the start of the next. */
  readonly everyMs: number;
}

/** The longest pause after failed reads. Each failed read doubles the pause, up to this. */
const LONGEST_PAUSE_MS = 5_000;
/** If a row was not written for this long, its process has ended. */
const GONE_AFTER_MS = 3_600_000;

/**
 * Reads the rings of other processes while a poll waits in this process, and wakes the polls of the terminals that were rung. Only one read
 * runs at a time. The returned function starts the reading if it is not running.
 */
export function ringReader(deps: RingReaderDeps, local: LocalBells): () => void {
  const { rungBells, clock, everyMs, troubled } = deps;
  const heed = ringsSince(deps.ringer, local);
  let isReading = false;

  async function read(): Promise<void> {
    isReading = true;
    let pause = everyMs;
    while (!local.isDeaf()) {
      const began = clock.now();
      try {
        const found = await rungBells.all();
        heed(found);
        await sweep(found);
        pause = everyMs;
      } catch (error) {
        troubled(error);
        pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
      }
      const took = Math.max(0, msBetween(began, clock.now()));
      await clock.sleep(Math.max(pause - took, pause / 5));
    }
    isReading = false;
  }

  async function sweep(found: readonly StoredRung[]): Promise<void> {
    for (const rung of found) {
      if (msBetween(rung.at, clock.now()) < GONE_AFTER_MS) continue;
      await rungBells.remove(rung).catch((error: unknown) => {
        if (!(error instanceof Conflict)) throw error; // its process has rung since, or another reader removed it
      });
    }
  }

  return () => {
    if (!isReading) void read();
  };
}

/**
 * Rings the terminals that other processes rang since the last call. If a row has advanced so far that it no longer names each of them,
 * rings all terminals.
 */
function ringsSince(own: string, local: LocalBells): (found: readonly Rung[]) => void {
  let seen: ReadonlyMap<string, number> = new Map();
  return (found) => {
    const before = seen;
    seen = new Map(found.map(({ ringer, sequence }) => [ringer, sequence]));
    for (const { ringer, sequence, terminalIds } of found) {
      if (ringer === own) continue; // already rung locally
      const known = before.get(ringer) ?? 0;
      const unnamed = sequence - terminalIds.length;
      if (known < unnamed) local.ringAll();
      else for (const terminalId of terminalIds.slice(known - unnamed)) local.ring(terminalId);
    }
  };
}
