// How many messages a second the local Service Bus takes from the official client: `node test/bench/service-bus-sends.ts`.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ServiceBusClient, type ServiceBusSender } from "@azure/service-bus";

const warmUp = 500;
const messages = 5_000;
const inFlight = 64;
const message = { body: { sessionId: "0190a5d6-3f1e-7c2a-9d41-6b1f0c8e2a77", commandId: "c-1", v: 1 } };

const brokerMain = join(import.meta.dirname, "../../infra/local/service-bus/main.ts");
const broker = fork(brokerMain, ["--port", "0"], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
const [ready] = (await once(broker, "message")) as [{ connectionString: string }];
const client = new ServiceBusClient(ready.connectionString);
try {
  const sender = client.createSender("deadlines");
  await sendOneByOne(sender, warmUp);
  report("one by one", await secondsFor(() => sendOneByOne(sender, messages)));
  report(`${inFlight} at once`, await secondsFor(() => sendInParallel(sender, messages)));
} finally {
  await client.close();
  broker.send("stop");
  await once(broker, "exit");
}

async function sendOneByOne(sender: ServiceBusSender, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent++) await sender.sendMessages(message);
}

async function sendInParallel(sender: ServiceBusSender, count: number): Promise<void> {
  await Promise.all(Array.from({ length: inFlight }, () => sendOneByOne(sender, Math.ceil(count / inFlight))));
}

async function secondsFor(act: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await act();
  return (performance.now() - start) / 1000;
}

function report(how: string, seconds: number): void {
  console.log(`${how}: ${Math.round(messages / seconds)} sends/s`);
}
