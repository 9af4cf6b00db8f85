import { once } from "node:events";
import rhea from "rhea";
import { describe, expect, it, vi } from "vitest";
import { rawClient, request } from "./raw-client.ts";
import { next, queueName, remaining, runningBroker } from "./running-broker.ts";

const { types } = rhea;
const batchFormat = 0x80013700;
const typecode = { uuid: 0x98 };

it.each(["ANONYMOUS", "MSSBCBS"])("lets a client in that authenticates by %s", async (mechanism) => {
  await using bus = await runningBroker();
  await using client = await rawClient(bus.broker.port, mechanism);
  expect(await client.send(queueName, { body: 1 })).toBe("accepted");
});

it("announces an idle time-out of five seconds, so a lost connection keeps no messages for long", async () => {
  await using bus = await runningBroker();
  await using client = await rawClient(bus.broker.port);
  expect(client.connection.idle_time_out).toBe(5_000);
});

describe("a token", () => {
  it.each([
    ["sb://localhost/orders", 202, "Accepted"],
    ["sb://localhost:5672/orders/$DeadLetterQueue", 202, "Accepted"],
    ["orders/$management", 202, "Accepted"],
    ["sb://localhost/nowhere", 404, "The messaging entity 'sb://localhost/nowhere' could not be found."],
  ])("for %s is answered with %i", async (audience, status, description) => {
    await using bus = await runningBroker();
    await using client = await rawClient(bus.broker.port);
    const reply = await request(client, "$cbs", {
      application_properties: { operation: "put-token", type: "servicebus.windows.net:sastoken", name: audience },
      body: "token",
    });
    expect(reply.application_properties).toEqual({ "status-code": status, "status-description": description });
    expect(reply.correlation_id).toBe("r-1");
  });
});

describe("management", () => {
  it.each([
    ["com.microsoft:fly-to-the-moon", {}, 501],
    ["com.microsoft:update-disposition", { "disposition-status": "eaten" }, 400],
    ["com.microsoft:schedule-message", { messages: [{}] }, 400],
  ])("answers %s with what is wrong", async (operation, body, status) => {
    await using bus = await runningBroker();
    await using client = await rawClient(bus.broker.port);
    const reply = await request(client, `${queueName}/$management`, { application_properties: { operation }, body });
    expect(reply.application_properties).toMatchObject({ statusCode: status });
  });
});

describe("a message", () => {
  it("may come without a message format", async () => {
    await using bus = await runningBroker();
    await using client = await rawClient(bus.broker.port);
    expect(await client.send(queueName, { body: "plain" })).toBe("accepted");
    expect((await next(bus.receiver)).body).toBe("plain");
  });

  it("that cannot be read is refused, and those around it are not", async () => {
    await using bus = await runningBroker();
    await using client = await rawClient(bus.broker.port);
    const link = client.connection.open_sender({ target: { address: queueName } });
    await once(link, "sendable");
    const outcomes: string[] = [];
    link.on("accepted", () => outcomes.push("accepted"));
    link.on("rejected", () => outcomes.push("rejected"));
    link.send({ body: "fine" });
    link.send(Buffer.from("no AMQP"), undefined, 0);
    link.send(Buffer.from("no AMQP"), undefined, batchFormat);
    link.send({ body: "fine too" });
    await vi.waitFor(() => expect(outcomes).toEqual(["accepted", "rejected", "rejected", "accepted"]));
  });
});

describe("a receiver", () => {
  it("that gives credit, or even drains it, along with its attach gets what is there", async () => {
    await using bus = await runningBroker();
    await using client = await rawClient(bus.broker.port);
    await bus.sender.sendMessages([{ body: 1 }, { body: 2 }]);
    const { link, deliveries } = client.receive(queueName, { credit: 5 });
    const drained = once(link, "receiver_drained");
    link.drain_credit();
    await drained;
    expect(deliveries).toHaveLength(2);
  });

  it("that settles by itself completes the message with its first word", async () => {
    await using bus = await runningBroker();
    await using client = await rawClient(bus.broker.port);
    await bus.sender.sendMessages({ body: 1 });
    const receiver = client.receive(queueName, { rcv_settle_mode: 0 });
    await vi.waitFor(() => expect(receiver.deliveries).toHaveLength(1));
    receiver.deliveries[0]?.accept();
    await vi.waitFor(async () => expect(await remaining(bus)).toEqual([]));
  });

  it("finds its lock token in the delivery tag, in the byte order of a .NET Guid", async () => {
    await using bus = await runningBroker();
    await using client = await rawClient(bus.broker.port);
    await bus.sender.sendMessages({ body: 1 });
    const receiver = client.receive(queueName, { rcv_settle_mode: 1 });
    await vi.waitFor(() => expect(receiver.deliveries).toHaveLength(1));
    expect(receiver.link.rcv_settle_mode).toBe(1); // as requested
    const guid = receiver.deliveries[0]?.tag as Buffer;
    const uuid = Buffer.concat([
      guid.subarray(0, 4).toReversed(),
      guid.subarray(4, 6).toReversed(),
      guid.subarray(6, 8).toReversed(),
      guid.subarray(8),
    ]);
    const reply = await request(client, `${queueName}/$management`, {
      application_properties: { operation: "com.microsoft:renew-lock" },
      body: { "lock-tokens": types.wrap_array([uuid], typecode.uuid, undefined) },
    });
    expect(reply.application_properties).toMatchObject({ statusCode: 200 });
  });

  it.each([
    ["not counted", {}, [0, 0]],
    ["counted where the broker's option says so", { countReleased: true }, [0, 1]],
  ])("that releases a message gets it again, %s", async (_, options, counts) => {
    await using bus = await runningBroker({}, options);
    await using client = await rawClient(bus.broker.port);
    await bus.sender.sendMessages({ body: 1 });
    const receiver = client.receive(queueName, { credit: 2, rcv_settle_mode: 1 });
    await vi.waitFor(() => expect(receiver.deliveries).toHaveLength(1));
    receiver.deliveries[0]?.release();
    await vi.waitFor(() => expect(receiver.messages.map((message) => message.delivery_count ?? 0)).toEqual(counts));
  });

  it("has its drain answered, with credit left or without", async () => {
    await using bus = await runningBroker();
    await using client = await rawClient(bus.broker.port);
    await bus.sender.sendMessages({ body: 1 });
    const { link, deliveries } = client.receive(queueName, { credit: 1 });
    await vi.waitFor(() => expect(deliveries).toHaveLength(1));
    for (const credit of [0, 5]) {
      link.add_credit(credit);
      const drained = once(link, "receiver_drained");
      link.drain_credit();
      await drained;
      link.drain = false;
    }
  });
});
