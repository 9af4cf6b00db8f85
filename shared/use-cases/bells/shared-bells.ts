import type { Announcements } from "../../ports/announcements.ts";
import type { Bells } from "../../ports/bells.ts";
import { localBells } from "./local-bells.ts";
import { ringReader, type RingReaderDeps } from "./ring-reader.ts";
import { ringWriter } from "./ring-writer.ts";

export interface SharedBells extends Bells {
  /** Sends as the given port does. A worker rings soon after it gets a message for a terminal, so the rings are then read more often. */
  expecting(announcements: Announcements): Announcements;
}

/**
 * Bells that reach every process. A ring wakes the polls in its own process at once. Other processes read the rings from rows, but only
 * while a poll waits in them. One read serves all polls of a process, so an idle terminal costs no reads of its own.
 */
export function sharedBells(deps: RingReaderDeps): SharedBells {
  const local = localBells();
  const write = ringWriter(deps);
  const rings = ringReader(deps, local);
  return {
    ring(terminalId) {
      local.ring(terminalId);
      rings.came(1);
      write(terminalId);
    },
    listen(terminalId, wake) {
      const end = local.listen(terminalId, wake);
      rings.read();
      return end;
    },
    expecting: ({ send }) => ({
      send(queue, announcement, at) {
        if (queue === "terminal-messages" && at === undefined) rings.expect();
        return send(queue, announcement, at);
      },
    }),
  };
}
