import { randomUUID } from "node:crypto";
import { servePlatform } from "../../../kit/server.ts";
import { newPlatform } from "../../../kit/platform.ts";
import { play, type Result } from "../../../kit/play.ts";
import type { TerminalUnderTest } from "../../../kit/power.ts";
import { scenarios } from "../../../kit/scenarios/all-scenarios.ts";
import { scriptedCustomer } from "../../../simulated/autopilot.ts";
import { newBell } from "../../../kit/bell.ts";
import { onBattery } from "../../../simulated/device.ts";
import { startTerminal, type Customer } from "../../../simulated/terminal.ts";
import { emptyMemory, type TerminalMemory } from "../../../simulated/memory.ts";
import type { Movement } from "../../../simulated/session.ts";
import { terminalClient, type TerminalClient } from "../../../simulated/terminal-client.ts";

/** A terminal's flaw: in its calls of the platform, or in its memory at power-on. */
export interface Flaw {
  readonly wrap?: (client: TerminalClient, memory: () => TerminalMemory) => TerminalClient;
  readonly onPower?: (memory: TerminalMemory) => void;
  /** Default: numbers that differ, the same in each run. */
  readonly random?: () => number;
}

/** A pause of at least this many steps is a slow card. */
const SLOW_STEPS = 50;

/** A scripted customer. A slow card comes when the kit says so, or with a cancel, so that no test depends on the machine's speed. */
const waitingCustomer = (presented: () => Promise<void>): Customer => ({
  ...scriptedCustomer,
  pay(session, terminal) {
    const { signal } = session.cancelling;
    const cancelled = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    const card = async () => {
      await Promise.race([presented(), cancelled]);
      return terminal.pause(1);
    };
    const pause = (steps: number) => (steps < SLOW_STEPS ? terminal.pause(steps) : card());
    return scriptedCustomer.pay(session, { ...terminal, pause });
  },
});

/** The reference terminal with a flaw, in this process. */
function flawed(flaw: Flaw, at: { readonly terminalsUrl: string; readonly terminalKey: string }): TerminalUnderTest {
  const plain = terminalClient(at);
  const forgotten: Movement[] = [];
  const card = newBell();
  const device = onBattery("SIM-1");
  const customer = waitingCustomer(() => card.next(60_000));
  let memory = emptyMemory();
  let power: { stop(): Promise<void> } | undefined;
  return {
    async powerOn() {
      flaw.onPower?.(memory);
      const client = flaw.wrap?.(plain, () => memory) ?? plain;
      power = startTerminal(client, { paceMs: 5, device, memory, customer, random: flaw.random ?? differing() });
    },
    async cutPower() {
      await power?.stop();
      power = undefined;
    },
    async forget() {
      forgotten.push(...memory.movements);
      memory = emptyMemory();
    },
    customer: card.ring,
    movements: async () => [...forgotten, ...memory.movements],
    crash: () => undefined,
  };
}

/** Numbers from 0 to below 1, spread evenly. */
function differing(): () => number {
  let last = 0;
  return () => (last = (last + 0.618) % 1);
}

/** Plays the scenarios, or only the named one, with the reference terminal and the given flaw. */
export async function playFlawed(flaw: Flaw = {}, only?: string) {
  const pointOfServiceID = randomUUID();
  const terminalKey = `tk_${pointOfServiceID.replaceAll("-", "")}_secret`;
  const platform = newPlatform({ terminalKey, pointOfServiceID, newId: randomUUID, clock: Date.now });
  const server = await servePlatform(platform, 0);
  try {
    const terminal = flawed(flaw, { terminalsUrl: `${server.url}terminals`, terminalKey });
    const played = scenarios.filter(({ name }) => only === undefined || name === only);
    const results = await play(played, { platform, terminal, patienceMs: 5_000, quietMs: 50 });
    return { platform, results };
  } finally {
    await server.stop();
  }
}

/** The failed scenarios, each with the broken rule. */
export const broken = (results: readonly Result[]): Readonly<Record<string, string>> =>
  Object.fromEntries(results.flatMap(({ name, rule }) => (rule === undefined ? [] : [[name, rule]])));
