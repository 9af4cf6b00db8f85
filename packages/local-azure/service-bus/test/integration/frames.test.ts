import rhea from "rhea";
import { describe, expect, it, vi } from "vitest";
import {
  accepted,
  frame,
  frameClient,
  opening,
  rawFrame,
  source,
  target,
  type FrameClient,
} from "./hand-made-frames.ts";
import { next, queueName, remaining, runningBroker, type RunningBroker } from "./running-broker.ts";

const count = 50;
const receiverRole = { role: true } as const;
const senderRole = { role: false } as const;

describe("settlements", () => {
  it.each([
    ["its link", frame("detach", { handle: 0, closed: true })],
    ["its session", frame("end")],
  ])("count when the receiver closes %s in the same write", async (_, closing) => {
    await using bus = await runningBroker();
    await using client = await frameClient(bus.broker.port);
    await receive(bus, client, count);
    const settlements = idsOf(client).map((id) => settle(id, id));
    client.write(...settlements, closing);
    await vi.waitFor(async () => expect(await remaining(bus)).toEqual([]));
  });

  it("may name more messages than there are", async () => {
    await using bus = await runningBroker();
    await using client = await frameClient(bus.broker.port);
    await receive(bus, client, count);
    client.write(settle(0, 0xff_ff_ff_fe));
    await vi.waitFor(async () => expect(await remaining(bus)).toEqual([]));
  });
});

describe("a frame that no client should send", () => {
  const nulls = Buffer.from([0x00, 0x53, 0x10, 0xf0, 0, 0, 0, 5, 0x40, 0, 0, 0, 0x40]);
  const tooLarge = Buffer.from([0x40, 0, 0, 0, 2, 0, 0, 0]);

  it.each([
    ["an array of 2^30 nulls", [...opening, rawFrame(nulls)]],
    ["more bytes than the broker announced", [...opening, tooLarge]],
    ["a protocol header among frames", [...opening, ...opening]],
    ["frames of 52 bytes at most", [opening[0], frame("open", { container_id: "tiny", max_frame_size: 52 })]],
  ])("(%s) ends its connection and no other", async (_, frames) => {
    const faults: unknown[] = [];
    await using bus = await runningBroker({}, { onFault: (fault) => faults.push(fault) });
    await bus.sender.sendMessages({ body: "before" });
    await using client = await frameClient(bus.broker.port);
    client.write(...frames.filter((bytes) => bytes !== undefined));
    await client.ended();
    expect(faults).toHaveLength(1);
    await bus.sender.sendMessages({ body: "after" });
    expect([(await next(bus.receiver)).body, (await next(bus.receiver)).body]).toEqual(["before", "after"]);
  });

  it("(ended by a second one) is not followed by what else was written", async () => {
    await using bus = await runningBroker({}, { onFault: () => {} });
    await using client = await frameClient(bus.broker.port);
    await receive(bus, client, 1);
    client.write(rawFrame(nulls), settle(0, 0));
    await client.ended();
    expect(await remaining(bus)).toEqual([0]);
  });
});

it("an attach that leaves out its direction is refused like any other to nowhere", async () => {
  await using bus = await runningBroker();
  await using client = await frameClient(bus.broker.port);
  client.write(...opening, rawFrame(Buffer.from([0x00, 0x53, 0x12, 0xc0, 5, 2, 0xa1, 1, 0x61, 0x43])));
  await vi.waitFor(() => expect(client.received("detach")).toHaveLength(1));
});

it("a message whose sections claim more values than it has bytes is refused", async () => {
  await using bus = await runningBroker();
  await using client = await frameClient(bus.broker.port);
  const annotations = Buffer.from([0x00, 0x53, 0x72, 0xf0, 0, 0, 0, 5, 0x40, 0, 0, 0, 0x40]);
  const attach = frame("attach", {
    ...senderRole,
    name: "sends",
    handle: 0,
    source: source("me"),
    target: target(queueName),
    initial_delivery_count: 0,
  });
  client.write(...opening, attach);
  await vi.waitFor(() => expect(client.received("flow")).not.toEqual([]));
  const transfer = { handle: 0, delivery_id: 0, delivery_tag: Buffer.from("t"), message_format: 0 };
  client.write(frame("transfer", transfer, annotations));
  await vi.waitFor(() =>
    expect(client.received("disposition")).toMatchObject([{ state: { descriptor: { value: rejected } } }]),
  );
});

describe("a request without a reply-to", () => {
  it("is answered to the address that it was sent to, and never to a queue's consumer", async () => {
    await using bus = await runningBroker();
    await using client = await frameClient(bus.broker.port);
    const links = [
      frame("attach", { ...receiverRole, name: "consumes", handle: 0, source: source(queueName), target: target() }),
      frame("flow", { ...window, handle: 0, delivery_count: 0, link_credit: 10 }),
      frame("attach", { ...receiverRole, name: "replies", handle: 1, source: source("$cbs"), target: target("$cbs") }),
      frame("flow", { ...window, handle: 1, delivery_count: 0, link_credit: 10 }),
      frame("attach", {
        ...senderRole,
        name: "requests",
        handle: 2,
        source: source("$cbs"),
        target: target("$cbs"),
        initial_delivery_count: 0,
      }),
    ];
    client.write(...opening, ...links);
    await vi.waitFor(() => expect(client.received("attach")).toHaveLength(3));
    client.write(frame("transfer", requestTransfer, tokenRequest));
    await vi.waitFor(() => expect(client.received("transfer")).toHaveLength(1));
    const [reply] = client.received("transfer");
    expect(reply).toMatchObject({ handle: handleOf(client, "replies") });
    expect(rhea.message.decode(reply?.payload as Buffer).application_properties).toMatchObject({ "status-code": 202 });
  });

  it("gets no reply where no link of its node receives replies", async () => {
    await using bus = await runningBroker();
    await using client = await frameClient(bus.broker.port);
    client.write(
      ...opening,
      frame("attach", { ...receiverRole, name: "consumes", handle: 0, source: source(queueName), target: target() }),
      frame("flow", { ...window, handle: 0, delivery_count: 0, link_credit: 10 }),
      frame("attach", { ...senderRole, name: "asks", handle: 2, target: target("$cbs"), initial_delivery_count: 0 }),
    );
    await vi.waitFor(() => expect(client.received("attach")).toHaveLength(2));
    client.write(frame("transfer", requestTransfer, tokenRequest));
    await vi.waitFor(() => expect(client.received("disposition")).toHaveLength(1));
    await bus.sender.sendMessages({ body: "the only message" });
    await vi.waitFor(() => expect(client.received("transfer")).toHaveLength(1));
    const [message] = client.received("transfer");
    expect(rhea.message.decode(message?.payload as Buffer).application_properties).toBeUndefined();
  });
});

it("a link in each direction may have the same name, and ends by itself", async () => {
  await using bus = await runningBroker();
  await using client = await frameClient(bus.broker.port);
  const name = "both";
  const attachIn = { ...senderRole, name, handle: 0, target: target(queueName), initial_delivery_count: 0 };
  const attachOut = { ...receiverRole, name, handle: 1, source: source(queueName), target: target() };
  const flow = frame("flow", { ...window, handle: 1, delivery_count: 0, link_credit: 10 });
  client.write(...opening, frame("attach", attachIn), frame("attach", attachOut), flow);
  await vi.waitFor(() => expect(client.received("attach")).toHaveLength(2));
  client.write(frame("detach", { handle: 0, closed: true }));
  await vi.waitFor(() => expect(client.received("detach")).toHaveLength(1));
  await bus.sender.sendMessages({ body: 1 });
  await vi.waitFor(() => expect(client.received("transfer")).toHaveLength(1));
  client.write(frame("attach", attachIn));
  await vi.waitFor(() => expect(client.received("attach")).toHaveLength(3));
});

it("a transaction is refused with the reason, on a link without a target, for which .NET's client waits", async () => {
  await using bus = await runningBroker();
  await using client = await frameClient(bus.broker.port);
  const coordinator = rhea.types.wrap_described([], 0x30);
  const attach = { ...senderRole, name: "tx", handle: 0, target: coordinator, initial_delivery_count: 0 };
  client.write(...opening, frame("attach", attach));
  await vi.waitFor(() => expect(client.received("detach")).toHaveLength(1));
  expect(client.received("attach")).toMatchObject([{ target: { value: null } }]);
  expect(JSON.stringify(client.received("detach"))).toContain("has no transactions");
});

const rejected = 0x25;
const window = { next_incoming_id: 0, incoming_window: 5_000, next_outgoing_id: 0, outgoing_window: 5_000 };
const requestTransfer = { handle: 2, delivery_id: 0, delivery_tag: Buffer.from("r"), message_format: 0 };
const tokenRequest = rhea.message.encode({
  message_id: "r-1",
  application_properties: { operation: "put-token", name: `sb://localhost/${queueName}` },
  body: "token",
});

const settle = (first: number, last: number): Buffer =>
  frame("disposition", { ...receiverRole, first, last, settled: true, state: accepted() });

/** Sends messages with the official client and has them delivered to `client`. */
async function receive(bus: RunningBroker, client: FrameClient, messages: number): Promise<void> {
  await bus.sender.sendMessages(Array.from({ length: messages }, (_, body) => ({ body })));
  client.write(
    ...opening,
    frame("attach", { ...receiverRole, name: "receives", handle: 0, source: source(queueName), target: target() }),
    frame("flow", { ...window, handle: 0, delivery_count: 0, link_credit: messages }),
  );
  await vi.waitFor(() => expect(client.received("transfer")).toHaveLength(messages));
}

const idsOf = (client: FrameClient): number[] => client.received("transfer").map(({ delivery_id: id }) => id as number);

const handleOf = (client: FrameClient, name: string): unknown =>
  client.received("attach").find((attach) => attach["name"] === name)?.["handle"];
