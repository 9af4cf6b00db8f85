import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ServiceBusClient } from "@azure/service-bus";
import rhea from "rhea";
import { expect, it, onTestFailed } from "vitest";
import { repeating, seed } from "../../../common/test/seed.ts";
import { accepted, frame, frameClient, opening, rawFrame, source, target } from "./hand-made-frames.ts";
import { killedWithTest } from "./killed-with-test.ts";

const main = join(import.meta.dirname, "../../service-bus.ts");
const queues = ["--queues", join(import.meta.dirname, "fixtures/queues.json")];
const queue = "orders";
const ownQueue = "mails";
const inputs = 1_500;

// The broker runs in its own process, because a hang of the broker would also hang a test in the same process.
it(`another connection sends and receives after ${inputs} corrupt conversations`, async () => {
  onTestFailed(() => console.error(`To draw the same again: ${repeating(seed)}`));
  await using running = await startedBroker();
  const draw = randomNumbers(seed);
  const good = conversation();
  for (let input = 0; input < inputs; input++) {
    const client = await frameClient(running.port);
    client.write(...corrupted(good, draw));
    if (input % 50 === 0) await exchange(running.connectionString, input);
    await client[Symbol.asyncDispose]();
  }
  await exchange(running.connectionString, inputs);
  expect(running.child.exitCode).toBeNull();
});

/** All frames of a client in one session that sends, requests and receives. */
function conversation(): Buffer[] {
  const window = { next_incoming_id: 0, incoming_window: 5_000, next_outgoing_id: 0, outgoing_window: 5_000 };
  const message = rhea.message.encode({
    durable: true,
    message_id: "m",
    message_annotations: { "x-opt-scheduled-enqueue-time": new Date(0) },
    application_properties: { text: "a", number: 7 },
    body: rhea.message.data_section(Buffer.from("{}")),
  });
  const request = rhea.message.encode({
    message_id: "r",
    reply_to: "replies",
    application_properties: { operation: "com.microsoft:peek-message" },
    body: { "from-sequence-number": rhea.types.wrap_long(0), "message-count": rhea.types.wrap_int(10) },
  });
  const management = `${queue}/$management`;
  const transfer = { delivery_tag: Buffer.from("t"), message_format: 0 };
  return [
    ...opening,
    frame("attach", { name: "in", handle: 0, role: false, target: target(queue), initial_delivery_count: 0 }),
    frame("transfer", { ...transfer, handle: 0, delivery_id: 0 }, message),
    frame("attach", { name: "ask", handle: 1, role: false, target: target(management), initial_delivery_count: 0 }),
    frame("attach", { name: "replies", handle: 2, role: true, source: source(management), target: target("replies") }),
    frame("flow", { ...window, handle: 2, delivery_count: 0, link_credit: 10 }),
    frame("transfer", { ...transfer, handle: 1, delivery_id: 1 }, request),
    frame("attach", { name: "out", handle: 3, role: true, source: source(queue), target: target("me") }),
    frame("flow", { ...window, handle: 3, delivery_count: 0, link_credit: 2 }),
    frame("disposition", { role: true, first: 0, last: 3, settled: true, state: accepted() }),
    wideDisposition,
    wideDisposition,
    wideDisposition,
    frame("detach", { handle: 3, closed: true }),
    frame("end"),
    frame("close"),
  ];
}

/** A disposition whose numbers have their full width. rhea writes small numbers in a short form. */
const wideDisposition = rawFrame(
  Buffer.from([0x00, 0x53, 0x15, 0xc0, 13, 4, 0x41, 0x70, 0, 0, 0, 0, 0x70, 0, 0, 0, 3, 0x41]),
);

/** The conversation with some bytes changed, added or removed. A frame's size is mostly corrected, so that its content is read. */
function corrupted(good: readonly Buffer[], draw: () => number): Buffer[] {
  const frames: Buffer[] = good.map((bytes) => Buffer.from(bytes));
  const upTo = (limit: number): number => Math.floor(draw() * limit);
  for (let changes = 1 + upTo(3); changes > 0; changes--) {
    const at = 1 + upTo(frames.length - 1);
    const bytes = frames[at] ?? Buffer.alloc(0);
    const position = 8 + upTo(Math.max(1, bytes.length - 8));
    const changed = changedAt(bytes, position, upTo);
    if (changed.length >= 4 && draw() < 0.9) changed.writeUInt32BE(changed.length);
    frames[at] = changed;
    if (draw() < 0.1) frames.splice(1 + upTo(frames.length - 1), 1);
    if (draw() < 0.1) frames.splice(1 + upTo(frames.length - 1), 0, frames[upTo(frames.length)] ?? bytes);
  }
  return frames;
}

/** Edge values of codes and numbers find more faults than random values. */
const edges = [0x00, 0x01, 0x40, 0x43, 0x45, 0x70, 0x7f, 0x80, 0xc0, 0xd0, 0xe0, 0xf0, 0xfe, 0xff];

function changedAt(bytes: Buffer, position: number, upTo: (limit: number) => number): Buffer {
  const value = upTo(2) === 0 ? upTo(256) : (edges[upTo(edges.length)] ?? 0);
  const many = Buffer.alloc(1 + upTo(4), value);
  switch (upTo(4)) {
    case 0:
      return Buffer.concat([bytes.subarray(0, position), many, bytes.subarray(position)]);
    case 1:
      return Buffer.concat([bytes.subarray(0, position), bytes.subarray(position + many.length)]);
    case 2:
      return Buffer.concat([bytes.subarray(0, position), many, bytes.subarray(position + many.length)]);
    default:
      return Buffer.concat([bytes.subarray(0, position), Buffer.from([value]), bytes.subarray(position + 1)]);
  }
}

/** Random numbers from 0 to 1. The same seed gives the same numbers. */
function randomNumbers(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c_1b_3c_6d) + 0x6d_2b_79_f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x29_7a_2d_39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Sends a message to a queue that only this function uses, and receives it. Throws if the broker does not respond. */
async function exchange(connectionString: string, body: number): Promise<void> {
  const client = new ServiceBusClient(connectionString, { retryOptions: { timeoutInMs: 30_000, maxRetries: 0 } });
  try {
    await client.createSender(ownQueue).sendMessages({ body });
    const receiver = client.createReceiver(ownQueue, { receiveMode: "receiveAndDelete" });
    expect(await receiver.receiveMessages(1, { maxWaitTimeInMs: 30_000 })).toMatchObject([{ body }]);
  } finally {
    await client.close();
  }
}

interface Started extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly port: number;
  readonly connectionString: string;
}

async function startedBroker(): Promise<Started> {
  const child = fork(main, [...queues, "--port", "0"], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  const [ready] = (await once(child, "message")) as [{ readonly port: number; readonly connectionString: string }];
  return { ...killedWithTest(child), ...ready };
}
