import type { Bells, RungBells } from "../../ports/bells.ts";
import type { Clock } from "../../ports/clock.ts";
import { localBells } from "./local-bells.ts";
import { ringReader } from "./ring-reader.ts";
import { ringWriter } from "./ring-writer.ts";

export interface SharedBellsDeps {
  readonly rungBells: RungBells;
  readonly clock: Clock;
  /** This process among all that ever were. */
  readonly ringer: string;
  /** Milliseconds from the beginning of one read to that of the next. */
  readonly everyMs: number;
  /** Hears of each call of the rows that failed. */
  readonly troubled: (error: unknown) => void;
}

/**
 * Bells that every process hears. One that is rung here is heard here at once. The others hear it by rows, which a process reads while a
 * poll waits in it, one read for all its polls: an idle terminal costs no reads of its own.
 */
export function sharedBells(deps: SharedBellsDeps): Bells {
  const local = localBells();
  const write = ringWriter(deps);
  const read = ringReader(deps, local);
  return {
    ring(terminalId) {
      local.ring(terminalId);
      write(terminalId);
    },
    listen(terminalId, wake) {
      const end = local.listen(terminalId, wake);
      read();
      return end;
    },
  };
}
