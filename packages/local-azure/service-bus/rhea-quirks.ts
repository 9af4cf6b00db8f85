// Every use of rhea's internals is in this file or in rhea-deliveries.ts, each with its reason. The reasons are valid for the version that
// package.json pins. Check them again for another version.
import type { Socket } from "node:net";
import type { Connection, Container, Receiver, Sender, Session } from "rhea";
import { textOf, type AmqpValue } from "./amqp-values.ts";
import { FrameGuard } from "./frame-guard.ts";

interface ConnectionInternals {
  accept(socket: Socket): void;
  input(bytes: Buffer): void;
  on_open(frame: { readonly performative: { readonly max_frame_size?: unknown } }): void;
  dispatch(event: "protocol_error" | "error", error: unknown): void;
  _process(): void;
  readonly saved_error?: Error;
  eof(): void;
  _register(): void;
}
interface SessionInternals {
  readonly outgoing: {
    readonly next_delivery_id: number;
    readonly next_pending_delivery: number;
    available(): number;
  };
  output(frame: unknown): void;
  on_transfer(frame: { readonly performative: { message_format: number | null | undefined } }): void;
  /** By name. */
  readonly links: Record<string, Sender | Receiver>;
  on_attach(frame: { readonly performative: { readonly name: string; readonly role: boolean } }): void;
  remove_link(link: Sender | Receiver): void;
}
interface SenderInternals {
  readonly session: SessionInternals;
  readonly state: { local_open: boolean; open_requests: number };
  readonly local: { readonly attach: { snd_settle_mode: unknown; rcv_settle_mode: unknown; properties: unknown } };
  credit: number;
  delivery_count: number;
  _draining: boolean;
  _drained: boolean;
  _get_drain(): boolean;
}
const insideConnection = (connection: Connection): ConnectionInternals => connection as unknown as ConnectionInternals;
const insideSession = (session: Session): SessionInternals => session as unknown as SessionInternals;
const insideSender = (link: Sender | Receiver): SenderInternals => link as unknown as SenderInternals;

// ---- connections

/** .NET's client only offers MSSBCBS, which is ANONYMOUS under another name. The token follows on `$cbs`. */
export function offerSaslMechanisms(container: Container): void {
  const mechanisms = container.sasl_server_mechanisms as Record<string, unknown> & { enable_anonymous(): void };
  mechanisms.enable_anonymous();
  mechanisms["MSSBCBS"] = mechanisms["ANONYMOUS"];
}

/**
 * Gives rhea a socket. The broker listens itself, because rhea's own listener does not tell which socket belongs to which connection. The
 * options are those of a connection. `max_frame_size` (bytes) is enforced.
 */
export function acceptSocket(
  container: Container,
  socket: Socket,
  options: { readonly max_frame_size: number },
): Connection {
  coalesceWrites(socket);
  const connection = container.create_connection(options as never);
  readGuarded(connection, socket, options.max_frame_size);
  writeGuarded(connection, socket);
  refuseTinyFrames(connection);
  insideConnection(connection).accept(socket);
  // rhea handles "end" and "error", but not a destroyed socket. It would keep its heartbeat's timers.
  socket.once("close", () => insideConnection(connection).eof());
  return connection;
}

/**
 * Gives rhea only frames that passed the guard, and no frames after a fault. rhea trusts every size and count that it reads. After a frame
 * that it cannot read, it would continue with the next one. A fault ends only this connection.
 */
function readGuarded(connection: Connection, socket: Socket, maxFrameBytes: number): void {
  const inside = insideConnection(connection);
  const input = inside.input.bind(connection);
  const guard = new FrameGuard(maxFrameBytes);
  let isOver = false;
  inside.input = (bytes) => {
    if (isOver) return;
    const { passed, refusal } = guard.take(bytes);
    input(passed);
    if (!refusal && !inside.saved_error) return;
    isOver = true;
    if (!inside.saved_error && refusal) inside.dispatch("protocol_error", refusal);
    socket.destroySoon();
  };
}

/** Catches rhea's errors while it writes. It writes in a separate turn, in which no other code catches them. They would end the process. */
function writeGuarded(connection: Connection, socket: Socket): void {
  const inside = insideConnection(connection);
  const write = inside._process.bind(connection);
  inside._process = () => {
    try {
      write();
    } catch (error) {
      inside.dispatch("error", error);
      socket.destroySoon();
    }
  };
}

/**
 * The smallest frame size that AMQP allows. rhea splits messages by the size that a client announces. If that is less than a frame's head,
 * the splitting never ends.
 */
const leastFrameBytes = 512;

function refuseTinyFrames(connection: Connection): void {
  const inside = insideConnection(connection);
  const onOpen = inside.on_open.bind(connection);
  inside.on_open = (frame) => {
    const { max_frame_size: announced } = frame.performative;
    const isFit = announced === null || announced === undefined || Number(announced) >= leastFrameBytes;
    if (!isFit) throw new TypeError(`max-frame-size is below the ${leastFrameBytes} bytes that AMQP asks for`);
    onOpen(frame);
  };
}

/** Sends the frames of one turn together, so that a rejection's attach and detach arrive together. rhea writes frame by frame. */
function coalesceWrites(socket: Socket): void {
  const write = socket.write.bind(socket);
  socket.setNoDelay(true);
  const writeCorked = (...given: Parameters<typeof write>): boolean => {
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    return write(...given);
  };
  socket.write = writeCorked as Socket["write"];
}

/**
 * Removes the format 0 of messages, so that each message arrives as the bytes that were sent. rhea would decode a message of format 0,
 * which loses the types of numbers. It does not treat a missing format as 0. A batch keeps its own format.
 */
export function keepMessagesEncoded(session: Session): void {
  const inside = insideSession(session);
  const onTransfer = inside.on_transfer.bind(session);
  inside.on_transfer = (frame) => {
    if (frame.performative.message_format === 0) frame.performative.message_format = undefined;
    onTransfer(frame);
  };
}

/** The bytes of a transfer, and the format that rhea stores with them. */
export function transferOf(context: object): { payload: Buffer; format: number } {
  const { message, format } = context as { readonly message: Buffer; readonly format?: number | null };
  return { payload: message, format: format ?? 0 };
}

/**
 * Separates two links with the same name. rhea identifies the links of a session by name. AMQP allows the same name once in each direction,
 * and Proton gives the same name to both of its links to a node for requests. The first link is kept under another key.
 */
export function tellDirectionsApart(session: Session): void {
  const inside = insideSession(session);
  const { links } = inside;
  const onAttach = inside.on_attach.bind(session);
  const removeLink = inside.remove_link.bind(session);
  inside.on_attach = (frame) => {
    const { name, role } = frame.performative;
    const first = links[name];
    const key = `${name}\0${String(role)}`;
    if (first && first.is_receiver() === role && !(key in links)) {
      links[key] = first;
      delete links[name];
    }
    onAttach(frame);
  };
  inside.remove_link = (link) => {
    const namesake = links[link.name];
    removeLink(link);
    for (const [key, other] of Object.entries(links)) if (other === link) delete links[key];
    if (namesake && namesake !== link) links[link.name] = namesake;
  };
}

// ---- links to receivers

/** Sets the settle modes that a receiver requests on the link. rhea would send none. */
export function echoSettleModes(link: Sender): void {
  const { attach } = insideSender(link).local;
  attach.snd_settle_mode = link.snd_settle_mode;
  attach.rcv_settle_mode = link.rcv_settle_mode;
}

/**
 * Responds to a drain even without credit. rhea responds only while credit is left. But a client also waits for the response if a transfer
 * and its drain have crossed.
 */
export function answerEveryDrain(link: Sender): void {
  const inside = insideSender(link);
  inside._get_drain = () => {
    if (!inside._draining || !inside._drained) return false;
    inside.delivery_count += inside.credit;
    inside.credit = 0;
    inside._draining = false;
    return true;
  };
}

/**
 * Withholds the response to an attach, which rhea would send by itself. A receiver that waits for a session must wait, and so must a link
 * to a silent queue.
 */
export function withholdAttach(link: Sender | Receiver): void {
  const { state } = insideSender(link);
  state.local_open = false;
  state.open_requests = 0;
}

/** Sends the withheld response to an attach. */
export function giveAttach(link: Sender | Receiver, properties: Readonly<Record<string, AmqpValue>> = {}): void {
  insideSender(link).local.attach.properties = properties;
  link.open();
}

const awaitsAttach = (link: Sender): boolean => insideSender(link).state.open_requests > 0;

/**
 * Calls `act` when the link's attach has been written. A client may send its attach and its flow together, but rhea writes transfers before
 * attaches. So a transfer that is given to such a link at once would arrive before the link exists.
 */
export function afterAttach(link: Sender, act: () => void): void {
  if (awaitsAttach(link)) process.nextTick(act);
  else act();
}

/** Reports that the link's credit is used up, after the messages for which it was used. */
export function answerDrain(link: Sender): void {
  link.set_drained(true);
  insideConnection(link.connection)._register();
}

/**
 * The number of messages that a link accepts now. rhea lowers credit only when it writes, so unwritten transfers are subtracted. A session
 * has a window of 2,048 unsettled deliveries, beyond which rhea throws.
 */
export function creditOf(link: Sender): number {
  if (!link.is_open() || awaitsAttach(link)) return 0;
  const inside = insideSender(link);
  const { outgoing } = inside.session;
  const unwritten = outgoing.next_delivery_id - outgoing.next_pending_delivery;
  return Math.min(inside.credit - unwritten, outgoing.available());
}

/** The session that a receiver requests. Undefined if it requests none, `{ id: undefined }` if it requests any session. */
export function requestedSession(link: Sender, filterName: string): { id: string | undefined } | undefined {
  const filter = (link.source as { filter?: Record<string, unknown> | null } | null)?.filter;
  if (!filter || !(filterName in filter)) return undefined;
  const value = filter[filterName];
  return { id: typeof value === "string" ? value : textOf(value as AmqpValue | undefined) };
}

/** A number from the properties of a link's attach. */
export function attachProperty(link: Sender, name: string): number | undefined {
  const properties = link.properties as Record<string, unknown> | null | undefined;
  return typeof properties?.[name] === "number" ? properties[name] : undefined;
}

/** The address of a source or target, or "" if the client left it out. */
export const addressIn = (terminus: Sender["source"] | Receiver["target"] | null): string => terminus?.address ?? "";
