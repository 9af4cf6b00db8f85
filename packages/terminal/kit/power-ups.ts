import { setTimeout as sleep } from "node:timers/promises";
import type { Bell } from "./bell.ts";
import type { Operation } from "./exchange.ts";

/** A call that came before the platform took the report of this power-up's start. */
interface EarlyCall {
  /** When it arrived, in milliseconds of a monotonic clock. */
  readonly at: number;
  readonly powerUp: number;
  readonly call: string;
}

/** After a power cut, the longest time until the closing of a connection arrives. */
const CLOSING_MS = 100;

/** The power-ups of the terminal, and the calls that came before the platform took the report of their start. */
export function newPowerUps(changed: Bell) {
  let powerUps = 0;
  let startedIn = -1;
  const unannounced: EarlyCall[] = [];

  /** A power cut closes the connection of a call in progress. Such a call does not belong to the next start. */
  async function noteEarly(operation: Operation, type: unknown, gone: AbortSignal): Promise<void> {
    if (startedIn === powerUps || type === "started") return;
    const call = operation === "report" ? `the report ${String(type)}` : operation;
    const early = { at: performance.now(), powerUp: powerUps, call };
    await sleep(CLOSING_MS, undefined, { signal: gone }).catch(() => undefined);
    if (gone.aborted) return;
    unannounced.push(early);
    changed.ring();
  }

  return {
    noteEarly,
    /** The platform took the report of the start. */
    started(): void {
      startedIn = powerUps;
    },
    /** The calls that came before the platform took the report of their power-up's start. */
    unannounced: unannounced as readonly EarlyCall[],
    /** Counts a power-up: later requests belong to it. */
    powerUp(): void {
      powerUps += 1;
    },
    powerUps: () => powerUps,
  };
}
