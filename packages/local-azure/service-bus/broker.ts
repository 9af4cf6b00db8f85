import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import rhea from "rhea";
import { newFaults, type Faults } from "../faults/faults.ts";
import type { QueueDeclaration } from "./config.ts";
import { DueTimes, systemClock, type Clock } from "./due-times.ts";
import { Entities } from "./entities.ts";
import { Links } from "./links.ts";
import { QueueFaults } from "./queue-faults.ts";
import { createQueue, type QueueCounts } from "./queue.ts";
import { acceptSocket, offerSaslMechanisms } from "./rhea-quirks.ts";
import { anyToken, entraToken } from "./tokens.ts";

export { readQueues } from "./config.ts";

export type { QueueCounts };

export interface BrokerOptions {
  /** 0 chooses a free port. */
  readonly port: number;
  readonly host?: string;
  readonly queues: readonly QueueDeclaration[];
  /** The largest message or batch. Default: 256 kB, as in Azure's Standard tier. */
  readonly maxMessageBytes?: number;
  /**
   * Whether the release of a message counts as a delivery. Default: false. The Service Bus team says that it does not count, although a
   * user has measured the opposite.
   */
  readonly countReleased?: boolean;
  /** The certificate and its private key, as PEM. The broker then accepts AMQP over TLS, as Azure does. If left out, plain AMQP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /**
   * `entra`: a link needs a token of Microsoft Entra ID for Service Bus, and ends when the token expires. SAS is rejected. `any` (the
   * default): no link needs a token, and no token expires.
   */
  readonly tokens?: "any" | "entra";
  readonly clock?: Clock;
  /** The faults that queues show. Default: none. Call `faultsChanged` after each change. */
  readonly faults?: Pick<Faults, "of">;
  /** Receives each protocol violation by a client, and each fault of the broker itself. Both end the connection. */
  readonly onFault?: (fault: unknown) => void;
}

export interface Broker {
  readonly port: number;
  /** The connection string, which every official client accepts. */
  readonly connectionString: string;
  /** Ends the links and connections that the faults now forbid, and carries out requests that earlier faults held back. */
  faultsChanged(): void;
  /** The counts of each declared queue. */
  counts(): QueueCounts[];
  /** Cuts all connections and deletes all messages. */
  close(): Promise<void>;
}

const standardTierMessageBytes = 256 * 1024;
const idleTimeoutMs = 5_000;
const maxFrameBytes = 64 * 1024;
const sendCredit = 1000;

/** Starts a Service Bus in this process's memory. Throws an error that names the port if it is taken. */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const { port, host = "127.0.0.1", queues, clock = systemClock, onFault = () => {} } = options;
  const { countReleased = false } = options;
  const judge = options.tokens === "entra" ? entraToken : anyToken;
  const maxMessageBytes = options.maxMessageBytes ?? standardTierMessageBytes;
  const time = new DueTimes(clock);
  const entities = new Entities(queues.map((declaration) => createQueue(declaration, time)));
  const faults = new QueueFaults(options.faults ?? newFaults(clock.now), time, onFault);
  const container = rhea.create_container({ id: "local-service-bus" });
  offerSaslMechanisms(container);
  container.on("error", onFault);
  container.on("protocol_error", onFault);
  // Without a listener, rhea writes these events to the console, or throws. The links notice them when they are closed.
  const closings = [
    "disconnected",
    "connection_close",
    "session_error",
    "sender_error",
    "receiver_error",
    "receiver_close",
  ];
  for (const event of closings) container.on(event, () => {});

  const connectionOptions = {
    reconnect: false,
    max_frame_size: maxFrameBytes,
    idle_time_out: idleTimeoutMs,
    sender_options: { autosettle: false, treat_modified_as_released: false },
    receiver_options: { autoaccept: false, credit_window: sendCredit, max_message_size: maxMessageBytes },
  };
  const connections = new Map<Socket, Links>();
  const isAway = (): boolean =>
    queues.length > 0 && [...entities.queues()].every((queue) => faults.of(queue) === "away");
  const accept = (socket: Socket): void => {
    if (isAway()) return void socket.destroy();
    const connection = acceptSocket(container, socket, connectionOptions);
    const links = new Links(connection, { entities, time, maxMessageBytes, faults, countReleased, judge });
    connections.set(socket, links);
    socket.once("close", () => {
      connections.delete(socket);
      links.closed();
    });
  };
  const server = newServer(options, accept);
  const listeningPort = await listen(server, port, host);
  return {
    port: listeningPort,
    connectionString: connectionStringOf(listeningPort, options),
    counts: () => Array.from(entities.queues(), ({ counts }) => counts),
    faultsChanged: () => {
      for (const [socket, links] of connections) {
        if (isAway()) socket.destroy();
        else links.endRefused();
      }
      faults.resume();
      for (const queue of entities.queues()) {
        queue.pump();
        queue.deadLetters?.pump();
      }
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of connections.keys()) socket.destroy();
      await closed;
      time.clear();
    },
  };
}

const newServer = ({ tls }: BrokerOptions, accept: (socket: Socket) => void): Server =>
  tls ? createTlsServer(tls, accept) : createServer(accept);

/** The clients use plain AMQP only if the connection string names an emulator. */
const connectionStringOf = (port: number, { tls }: BrokerOptions): string =>
  `Endpoint=sb://localhost:${port};SharedAccessKeyName=RootManageSharedAccessKey;SharedAccessKey=SAS_KEY_VALUE;` +
  (tls ? "" : "UseDevelopmentEmulator=true;");

async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve);
    server.once("error", (error: NodeJS.ErrnoException) => {
      const taken = new Error(`Port ${port} on ${host} is taken by another process.`, { cause: error });
      reject(error.code === "EADDRINUSE" ? taken : error);
    });
    server.listen(port, host);
  });
  return (server.address() as AddressInfo).port;
}
