import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceBusClient } from "@azure/service-bus";
import { newKeys } from "./new-keys.ts";
import { signingSecrets } from "../../../shared/edge/auth/signing-secrets.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import type { CallContext } from "../../../shared/ports/clock.ts";
import type { Log } from "../../../shared/ports/log.ts";
import type { NewKeys } from "../../../shared/use-cases/operator/onboarding/new-keys.ts";
import type { SigningSecrets } from "../../../shared/ports/signing-secrets.ts";
import { busClient } from "../../../shared/adapters/queues/bus-client.ts";
import { queuePorts } from "../../../shared/adapters/queues/queue-ports.ts";
import { replacedBus, type Bus } from "../../../shared/adapters/queues/replaced-bus.ts";
import { azureTables } from "../../../shared/adapters/tables/azure-tables.ts";
import { tablePorts, type TablePorts } from "../../../shared/stores/stores.ts";
import type { Cloud, Connections } from "./cloud.ts";

export const clock = { now: () => new Date().toISOString(), sleep: (ms: number) => sleep(ms) };
export const newId = () => randomUUID();
/** A call by the operator. It does not continue an earlier trace. */
export const operatorCall = (): CallContext => ({ now: clock.now, newId });

/** The platform's ports, connected to these tables. */
export const connectTables = ({ tables }: Connections): TablePorts => tablePorts(azureTables(tables));

/**
 * Makes keys that this cloud's app accepts. Throws an error for the operator if its peppers are not known, because the app would reject a
 * key with another pepper.
 */
export function keyMaker({ peppers = {}, around }: Cloud): NewKeys {
  if (Object.keys(peppers).length > 0) return newKeys(peppers);
  throw new Error(unknownSetting("KEY_PEPPERS", around));
}

/** Encrypts and decrypts the webhooks' secrets like this cloud's app. Throws an error for the operator if the keys are not known. */
export function signingOf({ webhookSecretKeys = {}, around }: Cloud): SigningSecrets {
  if (Object.keys(webhookSecretKeys).length > 0) return signingSecrets(webhookSecretKeys);
  throw new Error(unknownSetting("WEBHOOK_SECRET_KEYS", around));
}

/** The instruction to provide a secret setting of the app to a command. */
export const unknownSetting = (setting: string, { keyVault = "<the app's Key Vault>" }: Cloud["around"]): string =>
  `Set ${setting} to the value that the app has: export ${setting}="$(az keyvault secret show --vault-name ${keyVault} --name ${setting.replaceAll("_", "-")} --query value --output tsv)"`;

export type Platform = ReturnType<typeof connectTables> & ReturnType<typeof withQueues>;

/** A command writes no log lines. Its output says what it did, and the trail and history say who did it. */
export const noLog: Log = { write: () => {}, within: (_names, _output, work) => work(), note: () => {} };

const withQueues = (bus: Bus) => ({
  ...queuePorts(bus),
  timings: standardTimings,
  log: noLog,
});

/** If the bus did not respond, the client's close takes two minutes, even after the bus has returned (7.9.5). */
const LEAVE_MS = 3_000;

/** Closes the client without waiting for a bus that does not respond, so that the operator sees the error at once. */
export async function leave(bus: ServiceBusClient): Promise<void> {
  const left = new AbortController();
  await Promise.race([bus.close(), sleep(LEAVE_MS, undefined, { signal: left.signal })]);
  left.abort();
}

/** Runs a command with the platform's tables and queues, and then closes the connections. */
export async function withPlatform<T>(connections: Connections, act: (platform: Platform) => Promise<T>): Promise<T> {
  const connect = () => busClient(connections.serviceBus, { retryOptions: { retryDelayInMs: 500 } });
  const bus = replacedBus(connect, () => performance.now());
  try {
    return await act({ ...connectTables(connections), ...withQueues(bus) });
  } finally {
    await leave(bus.client());
  }
}
