import type { Bells } from "../../ports/bells.ts";
import { localBells } from "./local-bells.ts";
import { ringReader, type RingReaderDeps } from "./ring-reader.ts";
import { ringWriter } from "./ring-writer.ts";

/**
 * Bells that every process hears. One that is rung here is heard here at once. The others hear it by rows, which a process reads while a
 * poll waits in it, one read for all its polls: an idle terminal costs no reads of its own.
 */
export function sharedBells(deps: RingReaderDeps): Bells {
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
