import type { DemoPartner, DemoTerminal } from "../../../infra/operator/common/seed.ts";
import type { StackFile } from "./stack-file.ts";
import { startAutopilot, type Autopilot } from "../../terminal/simulated/autopilot.ts";
import { onBattery, serialOf } from "../../terminal/simulated/device.ts";
import type { MemoryStore } from "../../terminal/simulated/memory.ts";
import { terminalClient } from "../../terminal/simulated/terminal-client.ts";

/** The terminals on autopilot of a stack's partners. */
export interface Autopilots {
  start(partner: DemoPartner): void;
  stop(): Promise<void>;
}

export function newAutopilots(
  { terminalsUrl }: StackFile,
  { paceMs = 100, memoryOf }: { readonly paceMs?: number; readonly memoryOf: (terminal: DemoTerminal) => MemoryStore },
): Autopilots {
  const started: Autopilot[] = [];
  return {
    start({ terminals: { autopilot } }) {
      const { memory, save } = memoryOf(autopilot);
      const client = terminalClient({ terminalsUrl, terminalKey: autopilot.terminalKey });
      const device = onBattery(serialOf(autopilot.pointOfServiceID));
      started.push(startAutopilot(client, { paceMs, memory, save, device }));
    },
    async stop() {
      await Promise.all(started.map((autopilot) => autopilot.stop()));
    },
  };
}
