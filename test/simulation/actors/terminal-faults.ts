import { MINUTE, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Arrival } from "./terminal-memory.ts";

/** Draws when a terminal is silent, restarts, or is gone forever. */
export function drawTerminalFaults(world: World, terminalId: string, restart: () => void) {
  const { agenda, random, faultPlan, isLucky } = world;
  let silentUntil = 0;
  const beSilent = (ms: number) => {
    silentUntil = Math.max(silentUntil, agenda.now() + ms);
    faultPlan.meet(ms === Infinity ? "terminal is silent for ever" : "terminal is silent");
    world.trace?.(terminalId, `is silent for ${Math.round(ms / SECOND)} s`);
  };
  const within = () => random.between(0, random.pick(0, 1, 8) * MINUTE);
  for (let silences = isLucky ? 0 : random.pick(0, 0, 0, 1, 2); silences > 0; silences--) {
    agenda.after(within(), () => beSilent(random.between(5, random.chance(0.3) ? 360 : 70) * SECOND));
  }
  if (!isLucky && random.chance(0.08)) agenda.after(within(), () => beSilent(random.between(10, 25) * MINUTE));
  const cutPower = () => {
    faultPlan.meet("terminal restarts");
    restart();
    beSilent(random.between(5, 60) * SECOND);
  };
  for (let restarts = random.pick(0, 0, 0, 1, 2); restarts > 0; restarts--) agenda.after(within(), cutPower);
  // Its reports arrive, but it does not poll.
  const deafFrom = !isLucky && random.chance(0.1) ? within() : Infinity;
  const deafUntil = deafFrom + random.between(1, 60) * MINUTE;
  const diesForEver = !isLucky && random.chance(0.04);
  if (diesForEver) agenda.after(within(), () => beSilent(Infinity));
  return {
    diesForEver,
    /** Switches the terminal off. It comes back as it was. */
    beAway(ms: number) {
      faultPlan.meet("terminal is off for hours");
      beSilent(ms);
    },
    /** Cuts the power now, even during an action. */
    cutPower,
    isGone: () => silentUntil === Infinity,
    async audible() {
      while (agenda.now() < silentUntil) {
        if (silentUntil === Infinity) return new Promise<never>(() => {});
        await agenda.sleep(silentUntil - agenda.now());
      }
    },
    async listening() {
      if (agenda.now() >= deafFrom && agenda.now() < deafUntil) await agenda.sleep(deafUntil - agenda.now());
    },
    /** The terminal fetched a message and lost it, like a crash right after the fetch. */
    forget(arrival: Arrival) {
      world.trace?.(terminalId, `loses ${arrival.messageId}`);
      beSilent(random.between(1, random.pick(8, 100, 900)) * SECOND);
    },
  };
}
export type TerminalFaults = ReturnType<typeof drawTerminalFaults>;
