import type { Connection, Delivery, Receiver, Sender } from "rhea";
import { int, symbol, textOf, type Writable } from "./amqp-values.ts";
import { isSameNode, pathOf, type Entities } from "./entities.ts";
import {
  deadLettersTakeNoMessages,
  entityNotFound,
  malformed,
  messageTooLarge,
  sessionIdMissing,
  type AmqpError,
} from "./errors.ts";
import { manage, type Reply } from "./management.ts";
import type { Message } from "./message.ts";
import type { Queue } from "./queue.ts";
import { settleDelivery } from "./rhea-deliveries.ts";
import { addressIn } from "./rhea-quirks.ts";
import { decodeRequest, decodeTransfer, encodeReply, type Request } from "./wire.ts";

/** A transfer from a client, as bytes. */
export interface Transfer {
  readonly connection: Connection;
  readonly link: Receiver;
  readonly delivery: Delivery;
  readonly payload: Buffer;
  readonly format: number;
}

/** Answers the attach of a client that wants to send; rhea gives it credit at once. A dead-letter queue is no target. */
export function openArrivals(link: Receiver, entities: Entities): void {
  const address = addressIn(link.target);
  link.set_source({ address: addressIn(link.source) });
  link.set_target({ address });
  const node = entities.resolve(address);
  if (!node) link.close(entityNotFound(pathOf(address)));
  else if (node.type === "queue" && !node.queue.deadLetters) link.close(deadLettersTakeNoMessages);
}

/** Takes messages into a queue, or answers a request to `$cbs` or `$management`. */
export function acceptTransfer(transfer: Transfer, entities: Entities, maxMessageBytes: number): void {
  const { link, delivery } = transfer;
  const node = entities.resolve(addressIn(link.target));
  if (!node || !link.is_open()) return; // the link is being closed
  if (node.type === "queue") return acceptMessages(transfer, node.queue, maxMessageBytes);
  const request = readRequest(transfer.payload);
  if ("condition" in request) return settleDelivery(delivery, request);
  settleDelivery(delivery);
  const answer =
    node.type === "cbs" ? tokenReply(request, entities) : managementReply(manage(node.queue, request, maxMessageBytes));
  replyLink(transfer, request, entities)?.send(encodeAnswer(request, answer), undefined, 0);
}

function readRequest(payload: Buffer): Request | AmqpError {
  try {
    return decodeRequest(payload);
  } catch (error) {
    return malformed(error);
  }
}

function acceptMessages(transfer: Transfer, queue: Queue, maxMessageBytes: number): void {
  const { delivery, payload, format } = transfer;
  const messages = readMessages(payload, format, queue, maxMessageBytes);
  if ("condition" in messages) return settleDelivery(delivery, messages);
  for (const message of messages) queue.send(message);
  settleDelivery(delivery);
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

const encodeAnswer = (request: Request, { head, body }: ReplyMessage): Buffer =>
  encodeReply(request, new Map(Object.entries(head)), body);

/**
 * The link that a reply goes to: one from the node that was asked, never a queue's consumer, whose name or target address is the request's
 * reply-to. A request without one means the address that it was sent to: the Python client names both of its links after the node.
 */
function replyLink({ connection, link }: Transfer, { replyTo }: Request, entities: Entities): Sender | undefined {
  const asked = entities.resolve(addressIn(link.target));
  const wanted = replyTo === "" ? addressIn(link.target) : replyTo;
  return connection.find_sender(
    (sender: Sender) =>
      isSameNode(entities.resolve(addressIn(sender.source)), asked) &&
      (addressIn(sender.target) === wanted || (replyTo !== "" && sender.name === replyTo)),
  );
}
