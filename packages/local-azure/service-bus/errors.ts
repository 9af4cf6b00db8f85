/** An AMQP error. The official clients match the condition, and for some errors the text. */
export interface AmqpError {
  readonly condition: string;
  readonly description: string;
}

export const entityNotFound = (address: string): AmqpError => ({
  condition: "amqp:not-found",
  description: `The messaging entity 'sb://localhost/${address}' could not be found.`,
});

export const lockLost = (what: "message" | "session"): AmqpError => ({
  condition: `com.microsoft:${what}-lock-lost`,
  description: `The lock supplied is invalid. Either the lock expired, or the ${what} has already been removed from the queue.`,
});

export const messageNotFound: AmqpError = {
  condition: "com.microsoft:message-not-found",
  description: "The specified message was not found.",
};

/** The target is not an address: a client wants a transaction, or names the queue in each message. */
export const queuesOnly: AmqpError = {
  condition: "amqp:not-implemented",
  description: "The local Service Bus has no transactions: messages can only be sent to a queue.",
};

export const deadLetterOfDeadLetter: AmqpError = {
  condition: "amqp:not-allowed",
  description: "A message in a dead-letter queue cannot be dead-lettered.",
};

export const deadLettersTakeNoMessages: AmqpError = {
  condition: "amqp:not-allowed",
  description: "Messages cannot be sent to a dead-letter queue: the queue itself moves them there.",
};

export const messageTooLarge = (bytes: number, limit: number): AmqpError => ({
  condition: "amqp:link:message-size-exceeded",
  description: `The received message (size:${bytes} bytes) exceeds the limit (${limit} bytes) currently allowed on the link.`,
});

export const malformed = (error: unknown): AmqpError => ({
  condition: "amqp:decode-error",
  description: `The request cannot be read: ${String(error)}.`,
});

export const notImplemented = (operation: string): AmqpError => ({
  condition: "amqp:not-implemented",
  description: `The operation '${operation}' is not implemented.`,
});

export const sessionIdMissing: AmqpError = {
  condition: "amqp:not-allowed",
  description:
    "The SessionId was not set on a message, and it cannot be sent to the entity. Entities that have session support enabled can only receive messages that have the SessionId set to a valid value.",
};

export const sessionsRequired: AmqpError = {
  condition: "amqp:not-allowed",
  description: "It is not possible for an entity that requires sessions to create a non-sessionful message receiver.",
};

export const sessionsNotSupported: AmqpError = {
  condition: "amqp:not-allowed",
  description: "A sessionful message receiver cannot be created on an entity that does not require sessions.",
};

export const sessionCannotBeLocked = (sessionId: string): AmqpError => ({
  condition: "com.microsoft:session-cannot-be-locked",
  description: `The requested session '${sessionId}' cannot be accepted. It may be locked by another receiver.`,
});

export const noSessionInTime: AmqpError = {
  condition: "com.microsoft:timeout",
  description: "No unlocked session was available before the timeout.",
};

// The clients read these as ServiceBusy, QuotaExceeded and UnauthorizedAccess. After a forced detach they attach again.

export const serverBusy: AmqpError = {
  condition: "com.microsoft:server-busy",
  description: "The request was terminated because the entity is being throttled. Please wait and try again.",
};

export const queueFull: AmqpError = {
  condition: "amqp:resource-limit-exceeded",
  description: "The maximum entity size has been reached or exceeded.",
};

export const accessRefused: AmqpError = {
  condition: "amqp:unauthorized-access",
  description: "Unauthorized access: the claims that this operation needs are missing or have expired.",
};

export const tokenMissing: AmqpError = {
  condition: "amqp:unauthorized-access",
  description: "Unauthorized access: no token was put for this entity.",
};

export const tokenExpired: AmqpError = {
  condition: "amqp:unauthorized-access",
  description: "ExpiredToken: the token of this entity has expired.",
};

export const linkForced: AmqpError = {
  condition: "amqp:link:detach-forced",
  description: "The link is force detached: the entity is not available at the moment.",
};
