// Every touch of rhea's internals is here and nowhere else, each with its reason. They hold for the version that
// package.json pins; another one has to be read again.
import { createRequire } from "node:module";
import type { Socket } from "node:net";
import type { Connection, Container, Delivery, Receiver, Sender, Session } from "rhea";
import { entriesOf, itemsOf, textOf, type AmqpValue } from "./amqp-values.ts";
import type { AmqpError } from "./errors.ts";
import type { Outcome } from "./message.ts";

interface ConnectionInternals {
  accept(socket: Socket): void;
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
interface DeliveryInternals {
  settled: boolean;
  remote_settled: boolean;
  readonly remote_state?: { readonly value?: readonly AmqpValue[] };
}
interface Frames {
  disposition(fields: {
    readonly role: boolean;
    readonly first: number;
    readonly last: number;
    readonly settled: boolean;
    readonly state: unknown;
  }): unknown;
}
/** The type declarations leave these out. */
interface OutcomeCodec {
  accepted(): { described(): unknown };
  rejected(fields: { readonly error: AmqpError }): { described(): unknown };
}

// Its entry point does not give out what writes a frame.
const frames = createRequire(import.meta.url)("rhea/lib/frames.js") as Frames;

const insideConnection = (connection: Connection): ConnectionInternals => connection as unknown as ConnectionInternals;
const insideSession = (session: Session): SessionInternals => session as unknown as SessionInternals;
const insideSender = (link: Sender): SenderInternals => link as unknown as SenderInternals;
const insideDelivery = (delivery: Delivery): DeliveryInternals => delivery;

// ---- connections

/** .NET's client offers MSSBCBS alone, which is ANONYMOUS by another name: the token follows on `$cbs`. */
export function offerSaslMechanisms(container: Container): void {
  const mechanisms = container.sasl_server_mechanisms as Record<string, unknown> & { enable_anonymous(): void };
  mechanisms.enable_anonymous();
  mechanisms["MSSBCBS"] = mechanisms["ANONYMOUS"];
}

/** rhea would listen by itself, but then it does not say which socket belongs to which connection. */
export function acceptSocket(container: Container, socket: Socket, options: object): Connection {
  coalesceWrites(socket);
  const connection = container.create_connection(options as never);
  insideConnection(connection).accept(socket);
  // It hears of "end" and "error", not of a socket that was destroyed, and would keep its heartbeat's timers.
  socket.once("close", () => insideConnection(connection).eof());
  return connection;
}

/** rhea writes frame by frame; those of one turn go out together, so that a refusal's attach and detach arrive as one. */
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
 * rhea decodes messages of format 0, which forgets the types of numbers, and treats a format that was left out as
 * something else. Without a format every message arrives as the bytes that were sent; a batch keeps its own.
 */
export function keepMessagesEncoded(session: Session): void {
  const inside = insideSession(session);
  const onTransfer = inside.on_transfer.bind(session);
  inside.on_transfer = (frame) => {
    if (frame.performative.message_format === 0) frame.performative.message_format = undefined;
    onTransfer(frame);
  };
}

/** The bytes of a transfer, and the format that rhea puts beside them. */
export function transferOf(context: object): { payload: Buffer; format: number } {
  const { message, format } = context as { readonly message: Buffer; readonly format?: number | null };
  return { payload: message, format: format ?? 0 };
}

// ---- links to receivers

/** The settle modes that a receiver asks for become the link's; rhea would state none. */
export function echoSettleModes(link: Sender): void {
  const { attach } = insideSender(link).local;
  attach.snd_settle_mode = link.snd_settle_mode;
  attach.rcv_settle_mode = link.rcv_settle_mode;
}

/** rhea answers a drain only while credit is left; a client waits for it also when a transfer and its drain crossed. */
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

/** rhea answers an attach by itself; a receiver without a session has to wait for one. */
export function withholdAttach(link: Sender): void {
  const { state } = insideSender(link);
  state.local_open = false;
  state.open_requests = 0;
}

/** Answers an attach that was withheld. */
export function giveAttach(link: Sender, properties: Readonly<Record<string, AmqpValue>> = {}): void {
  insideSender(link).local.attach.properties = properties;
  link.open();
}

const awaitsAttach = (link: Sender): boolean => insideSender(link).state.open_requests > 0;

/**
 * Acts once the link's attach has been written. A client may send its attach and its flow in one go, but rhea writes
 * transfers ahead of attaches: what is handed to such a link at once would arrive for a link that is not there yet.
 */
export function afterAttach(link: Sender, act: () => void): void {
  if (awaitsAttach(link)) process.nextTick(act);
  else act();
}

/** Says that the link's credit is used up, once the messages that it was for have been handed over. */
export function answerDrain(link: Sender): void {
  link.set_drained(true);
  insideConnection(link.connection)._register();
}

/**
 * How many messages a link takes now. rhea lowers credit only when it writes, so what is still unwritten counts; and
 * a session has a window of 2,048 unsettled deliveries, beyond which it throws.
 */
export function creditOf(link: Sender): number {
  if (!link.is_open() || awaitsAttach(link)) return 0;
  const inside = insideSender(link);
  const { outgoing } = inside.session;
  const unwritten = outgoing.next_delivery_id - outgoing.next_pending_delivery;
  return Math.min(inside.credit - unwritten, outgoing.available());
}

/** The session that a receiver asks for: undefined if it asks for none, `{ id: undefined }` for any. */
export function requestedSession(link: Sender, filterName: string): { id: string | undefined } | undefined {
  const filter = (link.source as { filter?: Record<string, unknown> | null } | null)?.filter;
  if (!filter || !(filterName in filter)) return undefined;
  const value = filter[filterName];
  return { id: typeof value === "string" ? value : textOf(value as AmqpValue | undefined) };
}

/** A number among the properties with which a link was attached. */
export function attachProperty(link: Sender, name: string): number | undefined {
  const properties = link.properties as Record<string, unknown> | null | undefined;
  return typeof properties?.[name] === "number" ? properties[name] : undefined;
}

/** The address of a source or target; a client may leave either out. */
export const addressIn = (terminus: Sender["source"] | Receiver["target"] | null): string => terminus?.address ?? "";

// ---- settlement

/** The events by which rhea tells of a receiver's decision. */
export const outcomeEvents = ["accepted", "released", "modified", "rejected"] as const;

/** The decision in a receiver's disposition, with the types of the properties that it sets. */
export function outcomeOf(delivery: Delivery, event: (typeof outcomeEvents)[number]): Outcome {
  const [first, undeliverableHere, annotations] = insideDelivery(delivery).remote_state?.value ?? [];
  switch (event) {
    case "accepted":
      return { type: "complete" };
    case "released":
      return { type: "abandon", properties: new Map() };
    case "modified":
      return { type: undeliverableHere?.value === true ? "defer" : "abandon", properties: entriesOf(annotations) };
    case "rejected":
      return rejection(first);
  }
}

function rejection(error: AmqpValue | undefined): Outcome {
  const info = entriesOf(itemsOf(error)[2]);
  const reason = textOf(info.get("DeadLetterReason"));
  const description = textOf(info.get("DeadLetterErrorDescription"));
  info.delete("DeadLetterReason");
  info.delete("DeadLetterErrorDescription");
  return { type: "deadLetter", reason, description, properties: info };
}

/**
 * Settles a delivery for good, in either direction. The answer is "accepted", or "rejected" with an error: a client takes
 * an echo of its own "rejected" for a failure.
 *
 * rhea's own way would gather the answers of a turn in ranges, and it puts the second of two into the first one's range
 * without comparing them: a refusal behind an acceptance goes out as accepted. So every answer is a frame by itself. The
 * peer never settles again after this, and unless that is noted the window fills up.
 */
export function settleDelivery(container: Container, delivery: Delivery, error?: AmqpError): void {
  const inside = insideDelivery(delivery);
  const codec = container.message as unknown as OutcomeCodec;
  const state = (error ? codec.rejected({ error }) : codec.accepted()).described();
  if (!inside.remote_settled) {
    const role = delivery.link.is_receiver();
    const answer = frames.disposition({ role, first: delivery.id, last: delivery.id, settled: true, state });
    insideSession(delivery.link.session).output(answer);
  }
  forgetDelivery(delivery);
  insideConnection(delivery.link.connection)._register(); // only then does rhea look for places that have become free
}

/** Frees the delivery's place in the window without a word, once nobody can settle it any more. */
export function forgetDelivery(delivery: Delivery): void {
  const inside = insideDelivery(delivery);
  inside.settled = true;
  inside.remote_settled = true;
}
