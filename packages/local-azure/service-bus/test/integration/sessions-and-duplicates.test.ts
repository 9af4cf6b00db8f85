import { ServiceBusClient } from "@azure/service-bus";
import { describe, expect, it, vi } from "vitest";
import { systemClock } from "../../due-times.ts";
import { rawClient } from "./raw-client.ts";
import { bodies, next, queueName, remaining, runningBroker } from "./running-broker.ts";

const minute = 60_000;
const withSessions = { requiresSession: true };

describe("duplicate detection", () => {
  it("drops a message-id that came before, where the queue declares it", async () => {
    await using bus = await runningBroker({ duplicateWindowMs: minute });
    for (const body of ["first", "second"]) await bus.sender.sendMessages({ body, messageId: "same" });
    expect(await remaining(bus)).toEqual(["first"]);
    bus.clock.advance(minute);
    await bus.sender.sendMessages({ body: "third", messageId: "same" });
    expect(await remaining(bus)).toEqual(["first", "third"]);
  });

  it("is off where the queue does not", async () => {
    await using bus = await runningBroker();
    for (const body of ["first", "second"]) await bus.sender.sendMessages({ body, messageId: "same" });
    expect(await remaining(bus)).toEqual(["first", "second"]);
  });
});

describe("a queue without sessions", () => {
  it("accepts none", async () => {
    await using bus = await runningBroker();
    await expect(bus.client.acceptSession("orders", "A")).rejects.toMatchObject({ name: "ServiceBusError" });
  });

  it("takes messages that carry one all the same", async () => {
    await using bus = await runningBroker();
    await bus.sender.sendMessages({ body: 1, sessionId: "A" });
    expect(await next(bus.receiver)).toMatchObject({ body: 1, sessionId: "A" });
  });
});

describe("a queue with sessions", () => {
  it("refuses messages and receivers without one", async () => {
    await using bus = await runningBroker(withSessions);
    await expect(bus.sender.sendMessages({ body: 1 })).rejects.toThrow(/SessionId was not set/);
    await expect(bus.receiver.receiveMessages(1)).rejects.toThrow(/requires sessions/);
  });

  it("gives a session's messages, in order, to the one who holds it", async () => {
    await using bus = await runningBroker(withSessions);
    await bus.sender.sendMessages([1, 2, 3].map((n) => ({ body: `A${n}`, sessionId: "A" })));
    await bus.sender.sendMessages({ body: "B1", sessionId: "B" });
    const a = await bus.client.acceptSession("orders", "A");
    expect(a.sessionLockedUntilUtc).toEqual(new Date(bus.clock.now() + minute));
    expect(bodies(await a.receiveMessages(3))).toEqual(["A1", "A2", "A3"]);
    const any = await bus.client.acceptNextSession("orders");
    expect(any.sessionId).toBe("B");
    expect((await next(any)).body).toBe("B1");
  });

  it("gives a session to one at a time", async () => {
    await using bus = await runningBroker(withSessions);
    await bus.client.acceptSession("orders", "A");
    await using impatient = disposable(
      new ServiceBusClient(bus.broker.connectionString, { retryOptions: { maxRetries: 0 } }),
    );
    await expect(impatient.acceptSession("orders", "A")).rejects.toMatchObject({ code: "SessionCannotBeLocked" });
  });

  it("lets a receiver wait for the next session", async () => {
    await using bus = await runningBroker(withSessions);
    const waiting = bus.client.acceptNextSession("orders");
    await bus.sender.sendMessages({ body: "C1", sessionId: "C" });
    expect((await waiting).sessionId).toBe("C");
  });

  it("says so when no session came in time", async () => {
    await using bus = await runningBroker(withSessions, { clock: systemClock });
    await using impatient = disposable(
      new ServiceBusClient(bus.broker.connectionString, { retryOptions: { maxRetries: 0, timeoutInMs: 1_000 } }),
    );
    await expect(impatient.acceptNextSession("orders")).rejects.toMatchObject({ code: "ServiceTimeout" });
  });

  it("lets a receiver that waits change its mind, and leaves the session to another", async () => {
    await using bus = await runningBroker(withSessions);
    await using client = await rawClient(bus.broker.port);
    const filter = { "com.microsoft:session-filter": null };
    const waiting = client.connection.open_receiver({ source: { address: queueName, filter } });
    waiting.close();
    await client.send(queueName, { body: "A1", group_id: "A" }); // on the same connection, so after the close
    expect((await bus.client.acceptNextSession("orders")).sessionId).toBe("A");
  });

  it("gives unsettled messages back uncounted when their receiver closes", async () => {
    await using bus = await runningBroker(withSessions);
    await bus.sender.sendMessages({ body: 1, sessionId: "A" });
    const first = await bus.client.acceptSession("orders", "A");
    await next(first);
    await first.close();
    const second = await bus.client.acceptSession("orders", "A");
    expect((await next(second)).deliveryCount).toBe(0);
  });

  it("takes a session away when its lock expires", async () => {
    await using bus = await runningBroker(withSessions);
    await bus.sender.sendMessages({ body: 1, sessionId: "A" });
    const first = await bus.client.acceptSession("orders", "A", { maxAutoLockRenewalDurationInMs: 0 });
    const message = await next(first);
    bus.clock.advance(minute / 2);
    expect(await first.renewSessionLock()).toEqual(new Date(bus.clock.now() + minute));
    bus.clock.advance(minute);
    await vi.waitFor(() => expect(first.isClosed).toBe(true));
    await expect(first.completeMessage(message)).rejects.toMatchObject({ code: "SessionLockLost" });
    const second = await bus.client.acceptSession("orders", "A");
    expect((await next(second)).deliveryCount).toBe(1);
  });

  it("keeps a session's state", async () => {
    await using bus = await runningBroker(withSessions);
    const first = await bus.client.acceptSession("orders", "A");
    expect(await first.getSessionState()).toBeNull();
    await first.setSessionState({ step: 2 });
    await first.close();
    const second = await bus.client.acceptSession("orders", "A");
    expect(await second.getSessionState()).toEqual({ step: 2 });
  });
});

const disposable = (client: ServiceBusClient): ServiceBusClient & AsyncDisposable =>
  Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
