import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createInterface } from "node:readline";
import { ServiceBusClient } from "@azure/service-bus";
import { describe, expect, it } from "vitest";
import { handFaults } from "../../../faults/part.ts";
import { killedWithTest } from "./killed-with-test.ts";

const main = join(import.meta.dirname, "../../service-bus.ts");
const queues = ["--queues", join(import.meta.dirname, "fixtures/queues.json")];

interface Ready {
  readonly ready: true;
  readonly port: number;
  readonly connectionString: string;
}

describe("the broker as a process of its own", () => {
  it("says in one line and in one message that it is ready, and serves the declared queues", async () => {
    await using running = start("--port", "0");
    const [line, message] = await Promise.all([firstLine(running.child), firstMessage(running.child)]);
    expect(JSON.parse(line)).toEqual(message);
    expect(message).toMatchObject({
      ready: true,
      connectionString: expect.stringContaining(`localhost:${message.port};`) as string,
    });
    const client = new ServiceBusClient(message.connectionString);
    try {
      await client.createSender("orders").sendMessages({ body: 1 });
      expect(await client.createReceiver("orders").peekMessages(1)).toMatchObject([{ body: 1 }]);
    } finally {
      await client.close();
    }
  });

  it("shows the faults that its parent hands it, until they are over", async () => {
    await using running = start("--port", "0");
    const { connectionString } = await firstMessage(running.child);
    await using stack = new AsyncDisposableStack();
    const retryOptions = { maxRetries: 0, timeoutInMs: 5_000 };
    const client = stack.adopt(new ServiceBusClient(connectionString, { retryOptions }), (opened) => opened.close());
    const send = () => client.createSender("orders").sendMessages({ body: 1 });
    const fault = { target: { queue: "orders" }, kind: "full", until: Date.now() + 3_600_000 } as const;
    await handFaults(running.child, [fault]);
    await expect(send()).rejects.toMatchObject({ code: "QuotaExceeded" });
    await client.createSender("mails").sendMessages({ body: 1 });
    await handFaults(running.child, []);
    await send();
  });

  it.each([
    ["SIGTERM", (child: ChildProcess) => child.kill("SIGTERM")],
    ["SIGINT", (child: ChildProcess) => child.kill("SIGINT")],
    ["a message", (child: ChildProcess) => child.send("stop")],
    ["the end of its parent", (child: ChildProcess) => child.disconnect()],
  ])("stops on %s", async (_, stop) => {
    await using running = start("--port", "0");
    await firstMessage(running.child);
    const exited = once(running.child, "exit");
    stop(running.child);
    expect(await exited).toEqual([0, null]);
  });

  it("gives up on a port that is taken, in a sentence that names it", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    try {
      await once(holder, "listening");
      const { port } = holder.address() as AddressInfo;
      await using running = start("--port", String(port));
      const exited = once(running.child, "exit");
      expect(await complaints(running.child)).toContain(`Port ${port} on 127.0.0.1 is taken`);
      expect(await exited).toEqual([1, null]);
    } finally {
      holder.close();
    }
  });

  it.each([
    ["an unknown option", ["--prot", "0"], "service-bus: Unknown option '--prot'", 2],
    ["a port that is none", ["--port", "many"], "service-bus: --port takes a number from 0 to 65535.", 2],
    ["a file that is not there", ["--port", "0", "--queues", "nowhere.json"], "nowhere.json", 1],
  ])("gives up on %s", async (_, options, complaint, code) => {
    await using running = start(...options);
    const exited = once(running.child, "exit");
    expect(await complaints(running.child)).toContain(complaint);
    expect(await exited).toEqual([code, null]);
  });
});

const start = (...options: string[]) =>
  killedWithTest(fork(main, [...queues, ...options], { stdio: ["ignore", "pipe", "pipe", "ipc"] }));

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error("no standard output");
  for await (const line of createInterface({ input: stdout })) return line;
  return "";
}

async function firstMessage(child: ChildProcess): Promise<Ready> {
  const [message] = (await once(child, "message")) as [Ready];
  return message;
}

const complaints = async ({ stderr }: ChildProcess): Promise<string> => (stderr ? text(stderr) : "");
