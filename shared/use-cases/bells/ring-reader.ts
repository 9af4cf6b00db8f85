import { msBetween } from "../../domain/time.ts";
import type { Rung, StoredRung } from "../../stores/rung-bells.ts";
import { Conflict } from "../../ports/failures.ts";
import type { LocalBells } from "./local-bells.ts";
import type { RingWriterDeps } from "./ring-writer.ts";

export interface RingReader {
  /** Starts the reading if it is not running. */
  read(): void;
  /** A process is about to ring. Until it does, the rows are read more often. */
  expect(): void;
  /** So many rings came otherwise than by the rows. */
  came(rings: number): void;
}

export interface RingReaderDeps extends RingWriterDeps {
  /** Milliseconds from the start of one read to the start of the next. */
  readonly everyMs: number;
}

/** Milliseconds from read to read while a ring is expected. It is expected for no longer than `EXPECTED_MS`. */
const SOON_MS = 10;
const EXPECTED_MS = 500;
/** The longest pause after failed reads. Each failed read doubles the pause, up to this. */
const LONGEST_PAUSE_MS = 5_000;
/** If a row was not written for this long, its process has ended. */
const GONE_AFTER_MS = 3_600_000;

/**
 * Reads the rings of other processes while a poll waits in this process, and wakes the polls of the terminals that were rung. Only one read
 * runs at a time.
 */
export function ringReader(deps: RingReaderDeps, local: LocalBells): RingReader {
  const { rungBells, clock, everyMs, troubled } = deps;
  const heed = ringsSince(deps.ringer, local);
  const expected = expectedRings(clock);
  let isReading = false;

  async function read(): Promise<void> {
    isReading = true;
    let pause = everyMs;
    while (!local.isDeaf()) {
      const began = clock.now();
      try {
        const found = await rungBells.all();
        expected.came(heed(found));
        await sweep(found);
        pause = everyMs;
      } catch (error) {
        troubled(error);
        pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
      }
      const took = Math.max(0, msBetween(began, clock.now()));
      const rest = (ms: number) => clock.sleep(Math.max(ms - took, ms / 5));
      await (pause > everyMs ? rest(pause) : expected.soonerThan(pause, rest));
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

  return {
    read() {
      if (!isReading) void read();
    },
    expect: expected.add,
    came: expected.came,
  };
}

/** The rings that are about to come, because this process has sent the work that rings. */
function expectedRings(clock: RingReaderDeps["clock"]) {
  let count = 0;
  let newest = clock.now();
  let hurry = (): void => {};
  const isExpected = () => count > 0 && msBetween(newest, clock.now()) < EXPECTED_MS;
  return {
    add(): void {
      count = isExpected() ? count + 1 : 1;
      newest = clock.now();
      hurry();
    },
    came(rings: number): void {
      count = Math.max(0, count - rings);
    },
    /** Rests from a read to the next: a short time if a ring is expected, and else until one is, at most the given milliseconds. */
    async soonerThan(pause: number, rest: (ms: number) => Promise<void>): Promise<void> {
      if (isExpected()) return rest(Math.min(pause, SOON_MS));
      const { promise: hurried, resolve } = Promise.withResolvers<void>();
      hurry = resolve;
      await Promise.race([rest(pause), hurried]);
    },
  };
}

/**
 * Rings the terminals that other processes rang since the last call. If a row has advanced so far that it no longer names each of them,
 * rings all terminals. Returns how many rings there were.
 */
function ringsSince(own: string, local: LocalBells): (found: readonly Rung[]) => number {
  let seen: ReadonlyMap<string, number> = new Map();
  return (found) => {
    const before = seen;
    let rings = 0;
    seen = new Map(found.map(({ ringer, sequence }) => [ringer, sequence]));
    for (const { ringer, sequence, terminalIds } of found) {
      if (ringer === own) continue; // already rung locally
      const known = before.get(ringer) ?? 0;
      const unnamed = sequence - terminalIds.length;
      rings += sequence - known;
      if (known < unnamed) local.ringAll();
      else for (const terminalId of terminalIds.slice(known - unnamed)) local.ring(terminalId);
    }
    return rings;
  };
}
