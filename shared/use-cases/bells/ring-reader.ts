import { msBetween } from "../../domain/time.ts";
import type { Rung, StoredRung } from "../../ports/bells.ts";
import { Conflict } from "../../ports/failures.ts";
import type { LocalBells } from "./local-bells.ts";
import type { RingWriterDeps } from "./ring-writer.ts";

export interface RingReaderDeps extends RingWriterDeps {
  /** Milliseconds from the beginning of one read to that of the next. */
  readonly everyMs: number;
}

/** After a read that failed the next one comes later, twice as late each time up to this. */
const LONGEST_PAUSE_MS = 5_000;
/** A row that was not written for so long is of a process that has gone; one that lives writes it anew. */
const GONE_AFTER_MS = 3_600_000;

/**
 * Reads what other processes rang while somebody waits here, and wakes who is concerned; never two reads at a time. Returns what starts it
 * where it does not read already.
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
        if (!(error instanceof Conflict)) throw error; // it rang, or another reader was first
      });
    }
  }

  return () => {
    if (!isReading) void read();
  };
}

/** Rings what was rung elsewhere since the last call: all bells where a row has moved on so far that it no longer names everyone. */
function ringsSince(own: string, local: LocalBells): (found: readonly Rung[]) => void {
  let heard: ReadonlyMap<string, number> = new Map();
  return (found) => {
    const before = heard;
    heard = new Map(found.map(({ ringer, sequence }) => [ringer, sequence]));
    for (const { ringer, sequence, terminalIds } of found) {
      if (ringer === own) continue; // heard already as it rang
      const known = before.get(ringer) ?? 0;
      const unnamed = sequence - terminalIds.length;
      if (known < unnamed) local.ringAll();
      else for (const terminalId of terminalIds.slice(known - unnamed)) local.ring(terminalId);
    }
  };
}
