import type { Clock } from "../../../shared/ports/clock.ts";
import { instantAt } from "./time.ts";
import type { World } from "./world.ts";

/** One run of a function in its own process, with that process's wrong clock. It may die at any call of a port. */
export interface Invocation {
  readonly name: string;
  readonly clock: Clock;
  isDead(): boolean;
  /** Ends the invocation. No part of it runs any more. */
  die(): void;
  /** Runs this when the invocation dies. */
  whenDead(run: () => void): void;
}

/** `onDeath` reports its death to the caller, like a broken connection or an unrenewed lock. */
export function createInvocation(world: World, name: string, onDeath: () => void): Invocation {
  const { agenda } = world;
  const skew = world.faultPlan.skew();
  let dead = false;
  const atDeath = [onDeath];
  const invocation: Invocation = {
    name,
    clock: {
      now: () => instantAt(agenda.now() + skew),
      sleep: (ms) => new Promise((resolve) => agenda.after(ms, () => dead || resolve())),
    },
    isDead: () => dead,
    die() {
      if (dead) return;
      dead = true;
      world.trace?.(name, "dies");
      world.processes.delete(invocation);
      for (const run of atDeath) run();
    },
    whenDead: (run) => void atDeath.push(run),
  };
  world.processes.add(invocation);
  return invocation;
}
