/** The keys that the real host knows, each with the known keys below it, or with `any`. */
interface Known {
  readonly [key: string]: Known | "any";
}

const all = (...keys: readonly string[]): Known => Object.fromEntries(keys.map((key) => [key, "any"]));

const known: Known = {
  ...all("version", "functions", "functionTimeout", "watchDirectories", "watchFiles", "telemetryMode", "customHandler"),
  ...all("aggregator", "concurrency", "healthMonitor", "managedDependency", "retry", "singleton"),
  extensionBundle: all("id", "version", "ensureLatest"),
  logging: all("applicationInsights", "console", "fileLoggingMode", "logLevel"),
  extensions: {
    ...all("blobs", "cosmosDB", "durableTask", "eventGrid", "eventHubs", "kafka", "queues", "sendGrid", "signalR"),
    http: all(
      "routePrefix",
      "maxOutstandingRequests",
      "maxConcurrentRequests",
      "dynamicThrottlesEnabled",
      "hsts",
      "customHeaders",
    ),
    serviceBus: all(
      "autoCompleteMessages",
      "clientRetryOptions",
      "enableCrossEntityTransactions",
      "maxAutoLockRenewalDuration",
      "maxBatchWaitTime",
      "maxConcurrentCalls",
      "maxConcurrentCallsPerSession",
      "maxConcurrentSessions",
      "maxMessageBatchSize",
      "minMessageBatchSize",
      "prefetchCount",
      "sessionIdleTimeout",
      "transportType",
      "webProxy",
    ),
  },
};

/** The keys of a host.json that the real host does not know, each with its path. It ignores them, so a mistyped key has no effect. */
export const unknownKeys = (json: Readonly<Record<string, unknown>>, among = known, path = ""): string[] =>
  Object.entries(json).flatMap(([key, value]) => {
    const found = Object.entries(among).find(([name]) => name.toLowerCase() === key.toLowerCase());
    if (!found) return [`${path}${key}`];
    const [, below] = found;
    return below === "any" || typeof value !== "object" || value === null
      ? []
      : unknownKeys(value as Readonly<Record<string, unknown>>, below, `${path}${key}.`);
  });
