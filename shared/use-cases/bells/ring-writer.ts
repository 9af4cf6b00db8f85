import type { RungBells } from "../../stores/rung-bells.ts";
import type { Clock } from "../../ports/clock.ts";

export interface RingWriterDeps {
  readonly rungBells: RungBells;
  readonly clock: Clock;
  /** Names this process. No other process, past or present, has this name. */
  readonly ringer: string;
  /** Receives the error of each failed call to the rows. */
  readonly troubled: (error: unknown) => void;
}

/** The most rings in a process's row. Fewer rings than this come between two reads. */
const MAX_RINGS = 32;

/**
 * Writes the rings of this process for the others. Only one write runs at a time. The next write holds everything that was rung meanwhile,
 * so many rings need few writes. A failed write is not repeated, because the next one holds its rings too.
 */
export function ringWriter({ rungBells, clock, ringer, troubled }: RingWriterDeps): (terminalId: string) => void {
  let sequence = 0;
  let terminalIds: readonly string[] = [];
  let isWriting = false;

  async function write(): Promise<void> {
    isWriting = true;
    for (let written = 0; written < sequence;) {
      const rung = { ringer, sequence, terminalIds, at: clock.now() };
      await rungBells.save(rung).catch(troubled);
      written = rung.sequence;
    }
    isWriting = false;
  }

  return (terminalId) => {
    sequence++;
    terminalIds = [...terminalIds, terminalId].slice(-MAX_RINGS);
    if (!isWriting) void write();
  };
}
