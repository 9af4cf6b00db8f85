import { nextToHandOut } from "../../../shared/domain/terminal-inbox.ts";
import { after } from "../../../shared/domain/time.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import type { Deps, Platform } from "../platform/platform.ts";
import { SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** A poll reads every ten seconds, and each read takes a moment. */
const LONG_ENOUGH_SECONDS = 12;
/** A poll with a slower call may have read long ago, or have ended without its final read. */
const SLOW_CALL = SECOND;

/** Watches a waiting poll. It must find messages by its own reads, even if bells were lost. */
export function watchPoll(world: World, { ports }: Platform, terminalId: string) {
  const { agenda } = world;
  const began = agenda.now();
  let slowest = 0;
  const timed = <Port extends object>(port: Port): Port =>
    Object.fromEntries(
      Object.entries(port).map(([name, method]: [string, (...given: unknown[]) => Promise<unknown>]) => [
        name,
        async (...given: unknown[]) => {
          const calledAt = agenda.now();
          try {
            return await method(...given);
          } finally {
            slowest = Math.max(slowest, agenda.now() - calledAt);
          }
        },
      ]),
    ) as Port;
  return {
    /** The poll's ports to the tables, with each call timed. */
    timed: (deps: Deps): Deps => ({
      ...deps,
      inboxes: timed(deps.inboxes),
      terminals: timed(deps.terminals),
      payments: timed(deps.payments),
    }),
    /** Called after an empty poll. A message was passed over if it was available for the last seconds without any other change. */
    async endedWithNothing(poll: {
      readonly deps: Deps;
      readonly wait: number;
      readonly received: string | undefined;
      readonly quietFor: number;
    }): Promise<void> {
      const { deps, wait, received, quietFor } = poll;
      const wasOvertaken = agenda.now() - began < wait * SECOND;
      if ((world.lostTime.restoredAt ?? -1) >= began) return; // its process died when the platform was restored
      if (wasOvertaken || slowest > SLOW_CALL || quietFor < LONG_ENOUGH_SECONDS * SECOND) return;
      if (wait < LONG_ENOUGH_SECONDS) return;
      const now = deps.clock.now();
      const rows = await ports.inboxes.unanswered(terminalId);
      const [next, before] = [now, after(now, -LONG_ENOUGH_SECONDS)].map((at) =>
        nextToHandOut(rows, { now: at, leaseSeconds: standardTimings.leaseSeconds, received }),
      );
      if (next?.state === "waiting" && next === before)
        world.violate("a poll passed over a message", `${terminalId} ${next.slot.sessionId} ${next.messageId}`);
    },
  };
}
