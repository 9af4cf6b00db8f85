import type { Connection, Delivery, Receiver, Sender } from "rhea";
import { int, symbol, textOf, type Writable } from "./amqp-values.ts";
import type { Claims } from "./claims.ts";
import { isSameNode, pathOf, queueOf, type Entities } from "./entities.ts";
import {
  deadLettersTakeNoMessages,
  entityNotFound,
  malformed,
  messageTooLarge,
  queuesOnly,
  sessionIdMissing,
  type AmqpError,
} from "./errors.ts";
import { isSchedule, manage, refused, type Reply } from "./management.ts";
import type { Message } from "./message.ts";
import { requestRefusal, type QueueFaults } from "./queue-faults.ts";
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

/** Responds to the attach of a sending client. rhea grants credit at once. A dead-letter queue cannot be a target. */
export function openArrivals(link: Receiver, entities: Entities): void {
  const address = addressIn(link.target);
  link.set_source({ address: addressIn(link.source) });
  if (address === "") return link.close(queuesOnly); // no target in the answer: .NET's client then waits for the reason
  link.set_target({ address });
  const node = entities.resolve(address);
  if (!node) link.close(entityNotFound(pathOf(address)));
  else if (node.type === "queue" && !node.queue.deadLetters) link.close(deadLettersTakeNoMessages);
}

/** The dependencies of accepting a transfer. */
interface ArrivalContext {
  readonly entities: Entities;
  readonly maxMessageBytes: number;
  readonly faults: QueueFaults;
  /** The claims of the transfer's connection. */
  readonly claims: Claims;
}

/** Stores messages in a queue, or responds to a request to `$cbs` or `$management`, in the queue's order. */
export function acceptTransfer(transfer: Transfer, context: ArrivalContext): void {
  const { link } = transfer;
  const node = context.entities.resolve(addressIn(link.target));
  if (!node || !link.is_open()) return; // the link is being closed
  if (node.type === "cbs") return answer(transfer, context, (request) => tokenReply(request, context));
  const { queue } = node;
  context.faults.inTurn(queue, () => {
    if (node.type === "queue") acceptMessages(transfer, queue, context);
    else answer(transfer, context, (request) => managementReply(manageUnlessRefused(queue, request, context)));
  });
}

function answer(transfer: Transfer, { entities }: ArrivalContext, act: (request: Request) => ReplyMessage): void {
  const request = readRequest(transfer.payload);
  if ("condition" in request) return settleDelivery(transfer.delivery, request);
  settleDelivery(transfer.delivery);
  const { head, body } = act(request);
  const bytes = encodeReply(request, new Map(Object.entries(head)), body);
  replyLink(transfer, request, entities)?.send(bytes, undefined, 0);
}

function manageUnlessRefused(queue: Queue, request: Request, { faults, maxMessageBytes }: ArrivalContext): Reply {
  const refusal = requestRefusal(faults.of(queue), isSchedule(request));
  return refusal ? refused(refusal) : manage(queue, request, maxMessageBytes);
}

function readRequest(payload: Buffer): Request | AmqpError {
  try {
    return decodeRequest(payload);
  } catch (error) {
    return malformed(error);
  }
}

function acceptMessages({ delivery, payload, format }: Transfer, queue: Queue, context: ArrivalContext): void {
  const refusal = requestRefusal(context.faults.of(queue), true);
  const messages = refusal ?? readMessages(payload, format, queue, context.maxMessageBytes);
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

/** Checks that the token's audience exists. The broker's judge checks the token itself. */
function tokenReply(request: Request, { entities, claims }: ArrivalContext): ReplyMessage {
  const audience = textOf(request.properties.get("name")) ?? "";
  const node = entities.resolve(audience);
  if (!node) return tokenStatus(404, entityNotFound(pathOf(audience)).description);
  const queue = queueOf(node);
  const refusal =
    queue && claims.put(queue, { type: textOf(request.properties.get("type")) ?? "", text: request.text });
  return refusal === undefined ? tokenStatus(202, "Accepted") : tokenStatus(401, refusal);
}

const tokenStatus = (status: number, description: string): ReplyMessage => ({
  head: { "status-code": int(status), "status-description": description },
  body: undefined,
});

/** The reply as a message. The types matter: .NET casts the status to an int and the condition to a symbol. */
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

/**
 * The link for a reply. It belongs to the node that received the request, and its name or target address is the request's reply-to. It is
 * never a queue's consumer. If a request has no reply-to, the address of the request is used, because the Python client names both of its
 * links after the node.
 */
function replyLink({ connection, link }: Transfer, { replyTo }: Request, entities: Entities): Sender | undefined {
  const requestNode = entities.resolve(addressIn(link.target));
  const wanted = replyTo === "" ? addressIn(link.target) : replyTo;
  return connection.find_sender(
    (sender: Sender) =>
      sender.is_open() &&
      isSameNode(entities.resolve(addressIn(sender.source)), requestNode) &&
      (addressIn(sender.target) === wanted || (replyTo !== "" && sender.name === replyTo)),
  );
}
