import * as amqp from "./amqp-values.ts";
import type { AmqpValue, Writable } from "./amqp-values.ts";
import {
  deadLetterOfDeadLetter,
  deadLettersTakeNoMessages,
  lockLost,
  malformed,
  messageNotFound,
  messageTooLarge,
  notImplemented,
  sessionIdMissing,
  type AmqpError,
} from "./errors.ts";
import type { Outcome } from "./message.ts";
import type { Queue } from "./queue.ts";
import { decodeMessage, encodeEntry, type Request } from "./wire.ts";

export interface Reply {
  readonly status: number;
  readonly error?: AmqpError;
  readonly body: Writable;
}

type Arguments = Request["body"];
type Operation = (queue: Queue, given: Arguments, maxMessageBytes: number) => Reply;

const ok = (body: Writable = {}): Reply => ({ status: 200, body });
const failed = (status: number, error: AmqpError): Reply => ({ status, error, body: {} });

/** The reply to a rejected request. The status matters little, because the clients read the condition. */
export const refused = (error: AmqpError): Reply => failed(403, error);

const nameOf = (request: Request): string => amqp.textOf(request.properties.get("operation")) ?? "";

/** Whether the request contains messages. */
export const isSchedule = (request: Request): boolean => operations.get(nameOf(request)) === scheduleMessage;

/** Carries out a request to a queue's `$management`. Every fault of the request is reported in the reply. */
export function manage(queue: Queue, request: Request, maxMessageBytes: number): Reply {
  const name = nameOf(request);
  const operation = operations.get(name);
  if (!operation) return failed(501, notImplemented(name));
  try {
    return operation(queue, request.body, maxMessageBytes);
  } catch (error) {
    return failed(400, malformed(error));
  }
}

const renewLock: Operation = (queue, given) => {
  const until = lockTokens(given).map((token) => queue.renewLock(token));
  const held = until.filter((time) => time !== undefined);
  if (held.length < until.length) return failed(410, lockLost("message"));
  return ok({ expirations: amqp.timestamps(held) });
};

const scheduleMessage: Operation = (queue, given, maxMessageBytes) => {
  if (!queue.deadLetters) return failed(400, deadLettersTakeNoMessages);
  const encoded = amqp.itemsOf(given.get("messages")).map((item) => required(item, "message", amqp.bytesOf));
  const largest = Math.max(0, ...encoded.map((bytes) => bytes.length));
  if (largest > maxMessageBytes) return failed(403, messageTooLarge(largest, maxMessageBytes));
  const messages = encoded.map(decodeMessage);
  if (queue.requiresSession && messages.some(({ sessionId }) => sessionId === undefined)) {
    return failed(400, sessionIdMissing);
  }
  return ok({ "sequence-numbers": amqp.longs(messages.map((message) => queue.send(message) ?? 0)) });
};

const cancelScheduledMessage: Operation = (queue, given) =>
  queue.cancelScheduled(sequenceNumbers(given)) ? ok() : failed(404, messageNotFound);

const peekMessage: Operation = (queue, given) => {
  const from = amqp.numberOf(given.get("from-sequence-number")) ?? 0;
  const count = amqp.numberOf(given.get("message-count")) ?? 1;
  const found = queue.peek(from, count, amqp.textOf(given.get("session-id")));
  if (found.length === 0) return { status: 204, body: {} };
  return ok({ messages: found.map((entry) => ({ message: encodeEntry(entry) })) });
};

const receiveBySequenceNumber: Operation = (queue, given) => {
  const deletesOnReceipt = amqp.numberOf(given.get("receiver-settle-mode")) === 0;
  const found = queue.receiveDeferred(sequenceNumbers(given), deletesOnReceipt);
  if (!found) return failed(404, messageNotFound);
  const messages = found.map((entry) => {
    const message = encodeEntry(entry);
    return entry.lock ? { message, "lock-token": amqp.uuid(entry.lock.token) } : { message };
  });
  return ok({ messages });
};

/** Settles deferred messages, and messages whose receiver was closed. */
const updateDisposition: Operation = (queue, given) => {
  const outcome = outcomeOf(given);
  const results = new Set(lockTokens(given).map((token) => queue.settle(token, outcome)));
  if (results.has("lost")) return failed(410, lockLost("message"));
  return results.has("refused") ? failed(400, deadLetterOfDeadLetter) : ok();
};

const renewSessionLock: Operation = (queue, given) => {
  const until = queue.sessions.renew(sessionId(given));
  return until === undefined ? failed(410, lockLost("session")) : ok({ expiration: amqp.timestamp(until) });
};

const getSessionState: Operation = (queue, given) => ok({ "session-state": queue.sessions.state(sessionId(given)) });

const setSessionState: Operation = (queue, given) => {
  queue.sessions.setState(sessionId(given), amqp.bytesOf(given.get("session-state")));
  return ok();
};

const operations = new Map<string, Operation>([
  ["com.microsoft:renew-lock", renewLock],
  ["com.microsoft:schedule-message", scheduleMessage],
  ["com.microsoft:cancel-scheduled-message", cancelScheduledMessage],
  ["com.microsoft:peek-message", peekMessage],
  ["com.microsoft:receive-by-sequence-number", receiveBySequenceNumber],
  ["com.microsoft:update-disposition", updateDisposition],
  ["com.microsoft:renew-session-lock", renewSessionLock],
  ["com.microsoft:get-session-state", getSessionState],
  ["com.microsoft:set-session-state", setSessionState],
]);

function outcomeOf(given: Arguments): Outcome {
  const properties = amqp.entriesOf(given.get("properties-to-modify"));
  const status = amqp.textOf(given.get("disposition-status")) ?? "";
  switch (status) {
    case "completed":
      return { type: "complete" };
    case "abandoned":
      return { type: "abandon", properties };
    case "defered": // sic
      return { type: "defer", properties };
    case "suspended":
      return {
        type: "deadLetter",
        reason: amqp.textOf(given.get("deadletter-reason")),
        description: amqp.textOf(given.get("deadletter-description")),
        properties,
      };
    default:
      throw new TypeError(`unknown disposition-status: '${status}'`);
  }
}

const lockTokens = (given: Arguments): string[] => amqp.itemsOf(given.get("lock-tokens")).map(amqp.uuidTextOf);

const sequenceNumbers = (given: Arguments): number[] =>
  amqp.itemsOf(given.get("sequence-numbers")).map((value) => amqp.numberOf(value) ?? -1);

const sessionId = (given: Arguments): string => amqp.textOf(given.get("session-id")) ?? "";

function required<T>(item: AmqpValue, field: string, read: (value: AmqpValue | undefined) => T | undefined): T {
  const value = read(amqp.entriesOf(item).get(field));
  if (value === undefined) throw new TypeError(`${field} is missing`);
  return value;
}
