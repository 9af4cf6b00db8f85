import { nextToHandOut } from "../../../shared/domain/terminal-inbox.ts";
import { after } from "../../../shared/domain/time.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import type { Deps, Platform } from "../platform/platform.ts";
import { SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** A poll looks every ten seconds, and each look takes a moment. */
const LONG_ENOUGH_SECONDS = 12;
/** A poll of which one call took longer may have seen what was there long ago, or have ended without a look at once. */
const SLOW_CALL = SECOND;

/** Watches a poll that waits: whatever bells were lost, it looks by itself. */
export function watchPoll(world: World, { ports }: Platform, terminalId: string) {
  const { agenda } = world;
  const began = agenda.now();
  let slowest = 0;
  const timed = <Port extends object>(port: Port): Port =>
    Object.fromEntries(
      Object.entries(port).map(([name, method]: [string, (...given: unknown[]) => Promise<unknown>]) => [
        name,
        async (...given: unknown[]) => {
          const asked = agenda.now();
          try {
            return await method(...given);
          } finally {
            slowest = Math.max(slowest, agenda.now() - asked);
          }
        },
      ]),
    ) as Port;
  return {
    /** What the poll reaches the tables by, each call being timed. */
    timed: (deps: Deps): Deps => ({
      ...deps,
      inboxes: timed(deps.inboxes),
      terminals: timed(deps.terminals),
      payments: timed(deps.payments),
    }),
    /** It ended with nothing: a message that lay there all the last seconds, while nothing else changed, was passed over. */
    async endedWithNothing(poll: {
      readonly deps: Deps;
      readonly wait: number;
      readonly received: string | undefined;
      readonly quietFor: number;
    }): Promise<void> {
      const { deps, wait, received, quietFor } = poll;
      const wasOvertaken = agenda.now() - began < wait * SECOND;
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
