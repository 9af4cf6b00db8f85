import type { RungBells } from "../../stores/rung-bells.ts";
import type { Clock } from "../../ports/clock.ts";

export interface RingWriterDeps {
  readonly rungBells: RungBells;
  readonly clock: Clock;
  /** Names this process; no other process, past or present, has the name. */
  readonly ringer: string;
  /** Receives the error of each call of the rows that failed. */
  readonly troubled: (error: unknown) => void;
}

/** The most rings in a ringer's row: more than come between two reads. */
const MAX_RINGS = 32;

/**
 * Writes the rings of this process for the others. There is one write at a time, and the next one holds everything that was rung meanwhile,
 * so that many rings are few writes. A failed write is not repeated: the next one holds its rings too.
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
