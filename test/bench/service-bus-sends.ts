import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ServiceBusClient, type ServiceBusSender } from "@azure/service-bus";
import { defineBench } from "./bench.ts";

const warmUp = 500;
const messages = 5_000;
const inFlight = 64;
const message = { body: { sessionId: "0190a5d6-3f1e-7c2a-9d41-6b1f0c8e2a77", commandId: "c-1", v: 1 } };

const brokerMain = join(import.meta.dirname, "../../infra/local/service-bus/main.ts");

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

/** The local Service Bus under the official client. */
export const serviceBusSends = defineBench({
  means: "the messages a second that the local Service Bus accepts from the official client",
  options: {},
  async run() {
    const broker = fork(brokerMain, ["--port", "0"], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    try {
      const [ready] = (await once(broker, "message")) as [{ connectionString: string }];
      const client = new ServiceBusClient(ready.connectionString);
      try {
        const sender = client.createSender("deadlines");
        await sendOneByOne(sender, warmUp);
        const oneByOne = messages / (await secondsFor(() => sendOneByOne(sender, messages)));
        const atOnce = messages / (await secondsFor(() => sendInParallel(sender, messages)));
        return {
          tables: [
            {
              title: "Sends a second",
              columns: ["how", "sends/s"],
              rows: [
                ["one by one", Math.round(oneByOne)],
                [`${inFlight} at once`, Math.round(atOnce)],
              ],
            },
          ],
          figures: { sendsPerSecond: { oneByOne, atOnce }, inFlight },
        };
      } finally {
        await client.close();
      }
    } finally {
      broker.send("stop");
      await once(broker, "exit");
    }
  },
});
