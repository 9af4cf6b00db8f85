#!/usr/bin/env node
// The local Service Bus as its own process: `node packages/local-azure/service-bus/service-bus.ts --port 5672`.
import { numberIn, readOptions } from "../common/options.ts";
import { publisher } from "../common/publish.ts";
import { faultsFromParent } from "../faults/part.ts";
import { startBroker, type QueueCounts } from "./broker.ts";
import { readQueues } from "./config.ts";
import { publishCounts } from "./published-counts.ts";

const options = {
  port: { type: "string", default: "5672" },
  host: { type: "string", default: "127.0.0.1" },
  queues: { type: "string", default: "queues.json" },
  overrides: { type: "string" },
} as const;

const { port, host, queues, overrides } = readOptions("service-bus", { options }, ({ values }) => ({
  ...values,
  port: numberIn("--port", values.port),
}));

async function main(): Promise<void> {
  let changed = (): void => {};
  const faults = faultsFromParent(process, () => changed());
  const broker = await startBroker({
    faults,
    port,
    host,
    queues: await readQueues(queues, overrides),
    onFault: (fault) => console.error(`service-bus: ${String(fault)}`),
  });
  changed = () => broker.faultsChanged();
  publishCounts(broker.counts, (begin) => publisher<QueueCounts[]>("queues", begin));

  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void broker.close().then(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  process.on("message", (message) => message === "stop" && stop()); // a signal does not drain a process on Windows
  process.once("disconnect", stop);

  const ready = { ready: true, port: broker.port, connectionString: broker.connectionString };
  console.log(JSON.stringify(ready));
  process.send?.(ready);
}

await main().catch((error: unknown) => {
  console.error(`service-bus: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
