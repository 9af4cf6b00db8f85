import type { Connection, Delivery, Receiver } from "rhea";
import { int, symbol, textOf, type Writable } from "./amqp-values.ts";
import { pathOf, type Entities } from "./entities.ts";
import { entityNotFound, malformed, messageTooLarge, sessionIdMissing, type AmqpError } from "./errors.ts";
import { manage, type Reply } from "./management.ts";
import type { Message } from "./message.ts";
import type { Queue } from "./queue.ts";
import { addressIn, settleDelivery } from "./rhea-quirks.ts";
import { decodeRequest, decodeTransfer, encodeReply, type Request } from "./wire.ts";

/** A transfer from a client, as bytes. */
export interface Transfer {
  readonly connection: Connection;
  readonly link: Receiver;
  readonly delivery: Delivery;
  readonly payload: Buffer;
  readonly format: number;
}

/** Answers the attach of a client that wants to send; rhea gives it credit at once. */
export function openArrivals(link: Receiver, entities: Entities): void {
  const address = addressIn(link.target);
  link.set_source({ address: addressIn(link.source) });
  link.set_target({ address });
  if (!entities.resolve(address)) link.close(entityNotFound(pathOf(address)));
}

/** Takes messages into a queue, or answers a request to `$cbs` or `$management`. */
export function acceptTransfer(transfer: Transfer, entities: Entities, maxMessageBytes: number): void {
  const node = entities.resolve(addressIn(transfer.link.target));
  if (!node) return; // the link is being closed
  if (node.type === "queue") return acceptMessages(transfer, node.queue, maxMessageBytes);
  settleDelivery(transfer.connection.container, transfer.delivery);
  const request = decodeRequest(transfer.payload);
  const answer =
    node.type === "cbs" ? tokenReply(request, entities) : managementReply(manage(node.queue, request, maxMessageBytes));
  reply(transfer.connection, request, answer);
}

function acceptMessages(transfer: Transfer, queue: Queue, maxMessageBytes: number): void {
  const { connection, delivery, payload, format } = transfer;
  const messages = readMessages(payload, format, queue, maxMessageBytes);
  if ("condition" in messages) return settleDelivery(connection.container, delivery, messages);
  for (const message of messages) queue.send(message);
  settleDelivery(connection.container, delivery);
}

function readMessages(payload: Buffer, format: number, queue: Queue, limit: number): Message[] | AmqpError {
  if (payload.length > limit) return messageTooLarge(payload.length, limit);
  try {
    const messages = decodeTransfer(payload, format);
    const sessionMissing = queue.requiresSession && messages.some(({ sessionId }) => sessionId === undefined);
    return sessionMissing ? sessionIdMissing : messages;
  } catch (error) {
    return malformed(error);
  }
}

/** Any token is good; only what it is for has to exist. */
function tokenReply(request: Request, entities: Entities): ReplyMessage {
  const audience = textOf(request.properties.get("name")) ?? "";
  const [status, description] = entities.resolve(audience)
    ? [202, "Accepted"]
    : [404, entityNotFound(pathOf(audience)).description];
  return { head: { "status-code": int(status), "status-description": description }, body: undefined };
}

/** .NET casts the status to an int and the condition to a symbol. */
function managementReply({ status, error, body }: Reply): ReplyMessage {
  const head: Record<string, Writable> = {
    statusCode: int(status),
    statusDescription: error?.description ?? "OK",
  };
  if (error) head["errorCondition"] = symbol(error.condition);
  return { head, body };
}

interface ReplyMessage {
  readonly head: Record<string, Writable>;
  readonly body: Writable;
}

function reply(connection: Connection, request: Request, { head, body }: ReplyMessage): void {
  const link = connection.find_sender(
    (sender: Receiver) => sender.name === request.replyTo || addressIn(sender.target) === request.replyTo,
  );
  link?.send(encodeReply(request, new Map(Object.entries(head)), body), undefined, 0);
}
