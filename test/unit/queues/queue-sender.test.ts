import { ServiceBusError, type ServiceBusClient, type ServiceBusErrorCode } from "@azure/service-bus";
import { describe, expect, it } from "vitest";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { queueSender } from "../../../shared/adapters/queues/queue-sender.ts";
import { replacedBus } from "../../../shared/adapters/queues/replaced-bus.ts";
import { CallTimedOut } from "../../../shared/adapters/queues/within-time.ts";

const subject = { kind: "payment", partnerId: "p", terminalId: "t", sessionId: "s" } as const;
const body = { v: 1, subject, commandId: "c", effect: "orderUpdate" } as const;

/** A sender on clients whose sends all end like this. */
function senderOn(end: (client: number) => Promise<void>) {
  const closed: number[] = [];
  let clients = 0;
  let now = 0;
  const connect = () => {
    const client = ++clients;
    return {
      createSender: () => ({
        // With an abort signal, the client can end the process.
        sendMessages: (_: unknown, options?: object) => (options ? Promise.resolve() : end(client)),
      }),
      close: async () => void closed.push(client),
    } as unknown as ServiceBusClient;
  };
  const { send } = queueSender(replacedBus(connect, () => now));
  return {
    send: () => send("deadlines", body).catch((thrown: unknown) => thrown),
    /** The number of clients so far, and those that are closed. */
    clients: () => ({ made: clients, closed }),
    pass: (ms: number) => void (now += ms),
  };
}

/** The result of a send if the client throws this. */
const thrownAs = (error: unknown): Promise<unknown> =>
  senderOn(async () => {
    throw error;
  }).send();

const ofBus = (code: ServiceBusErrorCode) => new ServiceBusError("no", code);
const named = (name: string) => Object.assign(new Error("no"), { name });
const coded = (code: string) => Object.assign(new Error("no"), { code });

describe("a send that fails", () => {
  it.each([
    ["because the bus is busy", ofBus("ServiceBusy")],
    ["because the bus does not answer", ofBus("ServiceTimeout")],
    ["because the queue is full", ofBus("QuotaExceeded")],
    ["because the queue is disabled", ofBus("MessagingEntityDisabled")],
    ["because the queue is not there", ofBus("MessagingEntityNotFound")],
    ["because the key was rotated", ofBus("UnauthorizedAccess")],
    ["after several attempts", new AggregateError([ofBus("ServiceTimeout"), new CallTimedOut()])],
    ["after attempts that failed in their own ways", new AggregateError([ofBus("ServiceBusy"), coded("ECONNREFUSED")])],
    ["because nobody listens", coded("ECONNREFUSED")],
    ["because there is no connection", new Error("Failed to connect")],
    ["because our own patience ended", new CallTimedOut()],
    ["in the client's own words", named("MessagingError")],
  ])("with %s is temporary", async (_, error) => {
    expect(await thrownAs(error)).toBeInstanceOf(Unavailable);
  });

  it.each([
    ["a message that is too large for any queue", ofBus("MessageSizeExceeded")],
    ["the same after several attempts", new AggregateError([ofBus("MessageSizeExceeded"), ofBus("ServiceBusy")])],
    ["a message that cannot be written", new TypeError("circular")],
  ])("with %s is an error in the platform itself", async (_, error) => {
    expect(await thrownAs(error)).toBe(error);
  });
});

describe("a connection that is lost without a sign", () => {
  const silence = [
    ["the client's time-out", ofBus("ServiceTimeout")],
    ["our own", new CallTimedOut()],
    ["both", new AggregateError([ofBus("ServiceTimeout"), new CallTimedOut()])],
  ] as const;
  const silent = new CallTimedOut();

  /** A sender whose sends end like this, one after the other. Undefined stands for a success. */
  function senderOf(ends: readonly (Error | undefined)[]) {
    const left = ends.values();
    return senderOn(async () => {
      const error = left.next().value;
      if (error) throw error;
    });
  }

  it.each(silence)("is replaced after two sends in a row until %s, and closed", async (_, error) => {
    const { send, clients } = senderOf([error, error]);
    await send();
    expect(clients()).toEqual({ made: 1, closed: [] });
    await send();
    expect(clients()).toEqual({ made: 2, closed: [1] });
  });

  it.each([
    ["a success", undefined],
    ["a refusal", ofBus("ServiceBusy")],
    ["a refusal before the time-out", new AggregateError([ofBus("ServiceBusy"), new CallTimedOut()])],
    ["a connection that fails visibly", coded("ECONNREFUSED")],
  ])("is not assumed if there is %s in between", async (_, between) => {
    const { send, clients } = senderOf([silent, between, silent, between]);
    for (let i = 0; i < 4; i++) await send();
    expect(clients().made).toBe(1);
  });

  it("is replaced once in ten seconds at most", async () => {
    const { send, clients, pass } = senderOf(Array.from({ length: 8 }, () => silent));
    for (let i = 0; i < 6; i++) await send();
    expect(clients().made).toBe(2);
    pass(9_999);
    await send();
    expect(clients().made).toBe(2);
    pass(1);
    await send();
    expect(clients()).toEqual({ made: 3, closed: [1, 2] });
  });

  it("does not count against its replacement, when its last sends end late", async () => {
    const late: (() => void)[] = [];
    const { send, clients, pass } = senderOn((client) =>
      client === 1
        ? new Promise((_, reject) => late.push(() => reject(new CallTimedOut())))
        : Promise.reject(new CallTimedOut()),
    );
    const sends = [send(), send(), send(), send()];
    for (const end of late) end();
    await Promise.all(sends);
    pass(60_000);
    await send();
    expect(clients().made).toBe(2);
  });

  it("gives each send of the next client to that client", async () => {
    const used: number[] = [];
    const { send } = senderOn(async (client) => {
      used.push(client);
      if (client === 1) throw new CallTimedOut();
    });
    for (let i = 0; i < 4; i++) await send();
    expect(used).toEqual([1, 1, 2, 2]);
  });
});
