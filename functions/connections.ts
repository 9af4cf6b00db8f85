import { withCredential } from "../shared/edge/settings/connection-settings.ts";
import { SERVICE_BUS_SETTING, type Config } from "../shared/edge/settings/config.ts";
import { endingWithoutTokens } from "../shared/adapters/identity/ending-without-tokens.ts";
import { managedIdentity } from "../shared/adapters/identity/managed-identity.ts";
import { busClient } from "../shared/adapters/queues/bus-client.ts";
import { queueSender, type OpenableSenders } from "../shared/adapters/queues/queue-sender.ts";
import { replacedBus, type Bus } from "../shared/adapters/queues/replaced-bus.ts";
import { azureTables } from "../shared/adapters/tables/azure-tables.ts";
import type { Log } from "../shared/ports/log.ts";
import { WrongSettings } from "../shared/ports/wrong-settings.ts";
import type { Tables } from "../shared/stores/stores.ts";

/** The clients of Azure's services, which all endpoints and workers share. */
export interface Connections {
  readonly rows: Tables;
  readonly bus: Bus;
  readonly senders: OpenableSenders;
}

/**
 * Builds the clients of Table Storage and Service Bus from their settings. They connect later, with their first call. Throws
 * `WrongSettings` if a client cannot read its setting.
 */
export function connect({ connections, writeVersion }: Config, log: Log): Connections {
  const identity = identityOfApp(log);
  const rows = builtFrom("TABLES_CONNECTION", () =>
    azureTables(
      withCredential(connections.tables, identity),
      { retryOptions: { maxRetries: 2, retryDelayInMs: 100, maxRetryDelayInMs: 400 } },
      writeVersion,
    ),
  );
  const connectBus = () =>
    busClient(withCredential(connections.serviceBus, identity), {
      // The client's own delay is 30 s. After an outage of one second, the next request would wait another 29 s.
      retryOptions: { maxRetries: 3, retryDelayInMs: 200, timeoutInMs: 2_000 },
    });
  const bus = builtFrom(SERVICE_BUS_SETTING, () => replacedBus(connectBus, () => performance.now()));
  return { rows, bus, senders: queueSender(bus, writeVersion) };
}

/** The credentials of the app's identity. They share one watch, which ends the process if the identity does not recover. */
function identityOfApp(log: Log) {
  const watched = endingWithoutTokens({
    ageMs: () => process.uptime() * 1_000,
    now: Date.now,
    end() {
      log.write("identityFailed", {});
      process.exit(1); // the host starts no other process after 0
    },
  });
  return (clientId: string | undefined) => watched(managedIdentity(clientId));
}

/** Builds a client from its setting. The client's own error is left out, because it may hold a part of the secret. */
function builtFrom<Client>(setting: string, build: () => Client): Client {
  try {
    return build();
  } catch {
    throw new WrongSettings([{ setting, reason: "cannot be read" }]);
  }
}
