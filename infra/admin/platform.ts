import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ServiceBusClient } from "@azure/service-bus";
import { standardTimings } from "../../shared/domain/timings.ts";
import type { CallContext } from "../../shared/ports/clock.ts";
import { queuePorts } from "../../shared/queues/queue-ports.ts";
import { azureTables } from "../../shared/tables/azure-tables.ts";
import { tablePorts, type TablePorts } from "../../shared/tables/table-ports.ts";
import type { Connections } from "./connections.ts";

export const clock = { now: () => new Date().toISOString(), sleep: (ms: number) => sleep(ms) };
export const newId = () => randomUUID();
/** A call by the operator: nothing came before it that could be traced. */
export const operatorCall = (): CallContext => ({ now: clock.now, newId });

/** The platform's ports on the tables of where the operator works. */
export const connectTables = ({ tables }: Connections): TablePorts => tablePorts(azureTables(tables));

export type Platform = TablePorts & ReturnType<typeof withQueues>;

const withQueues = (bus: ServiceBusClient) => ({
  ...queuePorts(bus),
  timings: standardTimings,
});

/** The client takes two minutes over it where the bus has not answered, also once that is back (7.9.5). */
const LEAVE_MS = 3_000;

/**
 * Lets a command do what the platform itself does, on tables and queues, and takes leave of them afterwards. A bus that does not answer is
 * left without its answer, so that the operator hears of it at once.
 */
export async function withPlatform<T>(connections: Connections, act: (platform: Platform) => Promise<T>): Promise<T> {
  const bus = new ServiceBusClient(connections.serviceBus, { retryOptions: { retryDelayInMs: 500 } });
  try {
    return await act({ ...connectTables(connections), ...withQueues(bus) });
  } finally {
    const left = new AbortController();
    await Promise.race([bus.close(), sleep(LEAVE_MS, undefined, { signal: left.signal })]);
    left.abort();
  }
}
