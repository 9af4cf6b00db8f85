import { once } from "node:events";
import type { Socket } from "node:net";
import rhea, {
  type Connection,
  type Delivery,
  type EventContext,
  type Message,
  type Receiver,
  type Sender,
} from "rhea";

/** A plain AMQP client, not the official one. A test decides what it sends. */
export interface RawClient extends AsyncDisposable {
  readonly connection: Connection;
  /** Everything that its receivers have received. */
  received(): unknown[];
  receive(address: string, options?: ReceiveOptions): RawReceiver;
  /** Sends, and resolves with the outcome: "accepted", or the condition of the error. */
  send(address: string, payload: Message | Buffer, format?: number): Promise<string>;
  /** Cuts the connection without closing it first. */
  cut(): Promise<void>;
}

export interface ReceiveOptions {
  readonly credit?: number;
  /** 0: the receiver settles by itself. 1: it waits until the broker settles. */
  readonly rcv_settle_mode?: 0 | 1;
}

export interface RawReceiver {
  readonly link: Receiver;
  readonly deliveries: Delivery[];
  readonly messages: Message[];
}

/** Connects with a SASL mechanism. .NET's client only knows MSSBCBS. */
export async function rawClient(port: number, mechanism = "ANONYMOUS"): Promise<RawClient> {
  const container = rhea.create_container();
  const connection = container.connect({
    port,
    host: "127.0.0.1",
    reconnect: false,
    sasl_mechanisms: {
      [mechanism]: () => ({ start: (respond: (error: undefined, answer: string) => void) => respond(undefined, "") }),
    },
    receiver_options: { autoaccept: false, autosettle: false, credit_window: 0 },
  } as never);
  const receivers: RawReceiver[] = [];
  let isOver = false;
  connection.on("disconnected", () => (isOver = true));
  connection.on("connection_error", () => {});
  await once(connection, "connection_open");
  const socket = (connection as unknown as { readonly socket: Socket }).socket;
  return {
    connection,
    received: () => receivers.flatMap(({ messages }) => messages.map(({ body }) => bodyOf(body))),
    receive: (address, { credit = 1, ...modes } = {}) => {
      const link = connection.open_receiver({ source: { address }, ...modes });
      const receiver: RawReceiver = { link, deliveries: [], messages: [] };
      receivers.push(receiver);
      link.on("message", (context: EventContext) => {
        if (context.delivery && context.message) {
          receiver.deliveries.push(context.delivery);
          receiver.messages.push(context.message);
        }
      });
      link.add_credit(credit);
      return receiver;
    },
    send: async (address, payload, format) => {
      const link = connection.open_sender({ target: { address } });
      await once(link, "sendable");
      link.send(payload, undefined, format);
      return outcomeOn(link);
    },
    cut: async () => {
      socket.destroy();
      if (!socket.closed) await once(socket, "close");
    },
    [Symbol.asyncDispose]: async () => {
      if (isOver || socket.destroyed) return;
      connection.close();
      await once(connection, "connection_close");
    },
  };
}

/** Sends a request to a node, and waits for its reply. */
export async function request(client: RawClient, address: string, message: Message): Promise<Message> {
  const replyTo = `replies-of-${address}`;
  const replies = client.connection.open_receiver({ source: { address }, target: { address: replyTo } });
  replies.add_credit(1);
  const requests = client.connection.open_sender({ target: { address } });
  await once(requests, "sendable");
  requests.send({ message_id: "r-1", reply_to: replyTo, ...message });
  const [{ message: reply }] = (await once(replies, "message")) as [EventContext];
  replies.close(); // otherwise the reply to the next request would wait for its credit
  requests.close();
  if (!reply) throw new Error("the reply is empty");
  return reply;
}

/** Puts a token on `$cbs`, as clients do before they attach. */
export const putToken = (
  client: RawClient,
  { type, name, body }: { readonly type: string; readonly name: string; readonly body: string },
): Promise<Message> =>
  request(client, "$cbs", { application_properties: { operation: "put-token", type, name }, body });

async function outcomeOn(link: Sender): Promise<string> {
  const accepted = once(link, "accepted").then(() => "accepted");
  const rejected = once(link, "rejected").then(([context]) => conditionIn(context as EventContext));
  return Promise.race([accepted, rejected]);
}

const conditionIn = ({ delivery }: EventContext): string =>
  String((delivery?.remote_state as { error?: { condition?: string } } | undefined)?.error?.condition);

/** The official client sends JSON in a data section. */
function bodyOf(body: unknown): unknown {
  const content = (body as { content?: unknown } | null)?.content;
  return Buffer.isBuffer(content) ? (JSON.parse(content.toString()) as unknown) : body;
}
