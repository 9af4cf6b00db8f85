import type { Bells } from "../../ports/bells.ts";
import { localBells } from "./local-bells.ts";
import { ringReader, type RingReaderDeps } from "./ring-reader.ts";
import { ringWriter } from "./ring-writer.ts";

/**
 * Bells that reach every process. A ring wakes the polls in its own process at once. Other processes read the rings from rows, but only
 * while a poll waits in them. One read serves all polls of a process, so an idle terminal costs no reads of its own.
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
