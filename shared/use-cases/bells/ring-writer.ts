import type { RungBells } from "../../ports/bells.ts";
import type { Clock } from "../../ports/clock.ts";

export interface RingWriterDeps {
  readonly rungBells: RungBells;
  readonly clock: Clock;
  /** Names this process; no other process, past or present, has the name. */
  readonly ringer: string;
  /** Receives the error of each call of the rows that failed. */
  readonly troubled: (error: unknown) => void;
}

/** So many of the last rings stand in a ringer's row: more than come between two reads. */
const MAX_RINGS = 32;

/**
 * Writes down who was rung, for other processes. One write at a time: what is rung meanwhile goes with the next one, so that many rings are
 * few writes. A write that failed is not repeated; what it was to tell stands in the next one too.
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
