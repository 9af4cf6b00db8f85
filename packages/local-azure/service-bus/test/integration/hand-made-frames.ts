import { once } from "node:events";
import { createRequire } from "node:module";
import { connect } from "node:net";
import rhea from "rhea";
import { vi } from "vitest";

type Fields = Readonly<Record<string, unknown>>;
type Composer<Composed = object> = (fields?: Fields) => Composed;
interface Described {
  described(): object;
}

/** A frame as rhea reads it. Its performative has the fields by name. */
interface Frame {
  readonly performative?: object;
  readonly payload?: Buffer;
}

type Performative = "open" | "begin" | "attach" | "flow" | "transfer" | "disposition" | "detach" | "end" | "close";

const load = createRequire(import.meta.url);
const codec = load("rhea/lib/frames.js") as Readonly<Record<Performative, Composer>> & {
  amqp_frame(channel: number, performative: object, payload: Buffer | undefined): object;
  write_frame(frame: object): Buffer;
  read_frame(bytes: Buffer): Frame;
};
const termini = load("rhea/lib/terminus.js") as {
  readonly source: Composer<Described>;
  readonly target: Composer<Described>;
};
const outcomes = rhea.message as unknown as { readonly accepted: Composer<Described> };

const header = Buffer.from([0x41, 0x4d, 0x51, 0x50, 0, 1, 0, 0]);
export const source = (address: string): object => termini.source({ address }).described();
export const target = (address?: string): object => termini.target({ address }).described();
export const accepted = (): object => outcomes.accepted().described();

/** One frame on channel 0. */
export const frame = (name: Performative, fields: Fields = {}, payload?: Buffer): Buffer =>
  codec.write_frame(codec.amqp_frame(0, codec[name](fields), payload));

/** A frame around bytes that need not be a performative. */
export function rawFrame(content: Buffer): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 2, 0, 0, 0]);
  head.writeUInt32BE(head.length + content.length);
  return Buffer.concat([head, content]);
}

/** The frames with which a client opens its connection and one session. */
export const opening: readonly Buffer[] = [
  header,
  frame("open", { container_id: "hand-made", max_frame_size: 65_536 }),
  frame("begin", { next_outgoing_id: 0, incoming_window: 5_000, outgoing_window: 5_000 }),
];

/** A client that writes the bytes that a test composes. */
export interface FrameClient extends AsyncDisposable {
  /** Writes all bytes at once, so that the broker reads them in one read. */
  write(...bytes: readonly Buffer[]): void;
  /** The frames of a kind that have arrived so far. */
  received(name: Performative): (Fields & { readonly payload: Buffer | undefined })[];
  /** Resolves when the broker has ended the connection. Rejects if it does not. */
  ended(): Promise<void>;
}

/** Connects, and writes nothing. */
export async function frameClient(port: number): Promise<FrameClient> {
  const socket = connect(port, "127.0.0.1");
  const frames: Frame[] = [];
  let rest = Buffer.alloc(0);
  let hasEnded = false;
  socket.on("error", () => {}); // a reset also counts as an end
  socket.on("close", () => (hasEnded = true));
  socket.on("data", (read) => {
    rest = Buffer.concat([rest, read]);
    if (rest.subarray(0, 4).equals(header.subarray(0, 4))) rest = rest.subarray(header.length);
    while (rest.length >= 4 && rest.length >= rest.readUInt32BE()) {
      frames.push(codec.read_frame(rest.subarray(0, rest.readUInt32BE())));
      rest = rest.subarray(rest.readUInt32BE());
    }
  });
  await once(socket, "connect");
  return {
    write: (...bytes) => void socket.write(Buffer.concat(bytes)),
    received: (name) =>
      frames.flatMap(({ performative, payload }) =>
        performative && String(performative.constructor).startsWith(`${name}#`)
          ? [Object.assign(Object.create(performative) as Fields, { payload })]
          : [],
      ),
    ended: () =>
      vi.waitFor(() => {
        if (!hasEnded) throw new Error("the connection is still open");
      }, 30_000),
    [Symbol.asyncDispose]: async () => {
      socket.destroy();
      if (!socket.closed) await once(socket, "close");
    },
  };
}
