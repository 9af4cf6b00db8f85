import { describe, expect, it } from "vitest";
import { startBroker, type Broker } from "../../../service-bus/broker.ts";
import { connect, LOCK_MS, queues, seenBy, startAll, startHostOn, stateOf } from "./running-queues.ts";

describe("a host that is stopped", () => {
  it("lets the message in work be settled and takes no other", async () => {
    await using own = await startAll();
    await own.send("until-told", { body: "in work" });
    await expect.poll(() => own.host.log).toContain("information until-told waits");
    own.host.send("stop");
    const isServing = () => fetch(own.host.url).then(Boolean, () => false);
    await expect.poll(isServing).toBe(false);
    await own.send("until-told", { body: "too late", scheduledEnqueueTimeUtc: new Date(Date.now() + LOCK_MS) });
    const waiting = async () =>
      (await own.messagesIn("until-told")).flatMap(({ body, scheduledEnqueueTimeUtc: due, enqueuedTimeUtc: came }) =>
        due && came && came < due ? [] : [body as unknown],
      );
    await expect.poll(waiting, { timeout: 5_000 }).toEqual(["in work", "too late"]);
    own.host.send("finish");
    expect(await own.host.ended).toBe(0);
    expect(await waiting()).toEqual(["too late"]);
  });

  it("as Azure's host stops abandons the message whose function returns after the stop began", async () => {
    await using own = await startAll({ azureStop: 30 });
    await own.send("until-told", { body: "in work" });
    await expect.poll(() => own.host.log).toContain("information until-told waits");
    own.host.send("stop");
    await expect.poll(() => fetch(own.host.url).then(Boolean, () => false)).toBe(false);
    own.host.send("finish");
    expect(await own.host.ended).toBe(0);
    const abandoned = await own.receive("until-told");
    expect({ abandoned, log: own.host.log }).toMatchObject({ abandoned: { body: "in work" } });
  });

  it("ends in time when the broker is gone", async () => {
    const broker = await startBroker({ port: 0, queues });
    await using host = await startHostOn(broker.connectionString);
    await broker.close();
    await expect.poll(() => host.log.some((line) => line.startsWith("warning notes queue"))).toBe(true);
    host.send("stop");
    expect(await host.ended).toBe(0);
  });
});

describe("a broker that comes and goes", () => {
  const sendOn = async (broker: Broker, queue: string, bodies: readonly string[]): Promise<void> => {
    const client = connect(broker);
    await client.createSender(queue).sendMessages(bodies.map((body) => ({ body })));
    await client.close();
  };

  it("is found by the host when it starts late, and again after each restart on its port", async () => {
    const first = await startBroker({ port: 0, queues });
    const { port, connectionString } = first;
    await first.close();
    await using host = await startHostOn(connectionString);
    const complaints = () => host.log.filter((line) => line.startsWith("warning notes queue")).length;
    for (const [index, body] of ["one", "two", "three"].entries()) {
      const before = complaints();
      await expect.poll(complaints).toBeGreaterThan(before); // the host has noticed the loss and retries by itself
      const broker = await startBroker({ port, queues });
      try {
        await sendOn(broker, "notes", [body]);
        expect((await seenBy(host, "notes", index + 1)).map(({ message }) => message)).toContain(body);
      } finally {
        await broker.close(); // while the message is being settled: the client alone would not recover from this
      }
    }
  });

  it("does not make a function run more often at once, though calls from before go on", async () => {
    const first = await startBroker({ port: 0, queues });
    await using host = await startHostOn(first.connectionString);
    await sendOn(first, "waits", ["1", "2", "3"]);
    await seenBy(host, "waits", 3);
    await first.close();
    const second = await startBroker({ port: first.port, queues });
    try {
      await sendOn(second, "waits", ["4", "5", "6"]);
      await sendOn(second, "notes", ["after them"]);
      await seenBy(host, "notes", 1);
      expect(await seenBy(host, "waits", 3)).toHaveLength(3);
      await fetch(`${host.url}/release`);
      await seenBy(host, "waits", 6);
      expect((await stateOf(host)).mostAtOnce).toBe(3);
    } finally {
      await second.close();
    }
  });
});
