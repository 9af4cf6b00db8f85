import type { ServiceBusReceivedMessage } from "@azure/service-bus";
import type { TypedData } from "./worker-protocol.ts";

/** `DateTimeOffset.MaxValue`, the expiry of a message that never expires. */
const NEVER = "9999-12-31T23:59:59.9999999";

/**
 * The body for a function: text, or bytes if the trigger has `dataType: "binary"`. The library parses text that is JSON. Throws for an AMQP
 * body that the extension cannot bind either.
 */
export function bodyOf(message: ServiceBusReceivedMessage, dataType: "string" | "binary"): TypedData {
  const body: unknown = message.body;
  if (Buffer.isBuffer(body)) return dataType === "binary" ? { bytes: body } : { string: body.toString("utf8") };
  if (typeof body === "string" && dataType === "string") return { string: body };
  throw new Error(`A message whose body is of the type ${typeof body} cannot be bound to ${dataType} data.`);
}

/**
 * The message's properties under the extension's names, without those that the message lacks. Strings are sent as strings, so a string that
 * is JSON arrives parsed. Every other value is sent as JSON, in .NET's format. Left out are the extension's own objects (`Client`,
 * `MessageReceiver` …) and `TransactionPartitionKey`, which this client does not expose.
 */
export function triggerMetadata(
  message: ServiceBusReceivedMessage,
  text: string | undefined,
): Record<string, TypedData> {
  const enqueued = dateTime(message.enqueuedTimeUtc);
  const expires = dateTime(message.expiresAtUtc) ?? NEVER;
  const properties = json(message.applicationProperties ?? {});
  const subject = string(message.subject);
  const own: Record<string, TypedData | undefined> = {
    MessageId: string(message.messageId),
    SequenceNumber: message.sequenceNumber && { json: message.sequenceNumber.toString() },
    DeliveryCount: json((message.deliveryCount ?? 0) + 1), // AMQP counts the failed deliveries; .NET also counts this one
    LockToken: string(message.lockToken),
    // The `…Utc` properties are .NET DateTimes without a kind, so their JSON has no `Z`, although the time is UTC.
    EnqueuedTimeUtc: enqueued === undefined ? undefined : json(enqueued),
    EnqueuedTime: enqueued === undefined ? undefined : json(`${enqueued}+00:00`),
    ExpiresAtUtc: json(expires),
    ExpiresAt: json(`${expires}+00:00`),
    ContentType: string(message.contentType),
    CorrelationId: string(message.correlationId),
    Subject: subject,
    Label: subject,
    To: string(message.to),
    ReplyTo: string(message.replyTo),
    ReplyToSessionId: string(message.replyToSessionId),
    SessionId: string(message.sessionId),
    PartitionKey: string(message.partitionKey),
    DeadLetterSource: string(message.deadLetterSource),
    ApplicationProperties: properties,
    UserProperties: properties,
  };
  return withMembersOfBody(own, text);
}

/**
 * Adds the members of a JSON body to the metadata, as the host does. They replace existing names in any case, so a `messageId` in the body
 * hides the message's. The host also reformats dates among them; this code does not.
 */
function withMembersOfBody(
  own: Record<string, TypedData | undefined>,
  text: string | undefined,
): Record<string, TypedData> {
  const merged = new Map<string, readonly [name: string, data: TypedData]>();
  for (const [name, data] of Object.entries(own)) if (data) merged.set(name.toLowerCase(), [name, data]);
  for (const [member, value] of Object.entries(objectIn(text))) {
    const data = memberData(value);
    const [name] = merged.get(member.toLowerCase()) ?? [member];
    if (data) merged.set(member.toLowerCase(), [name, data]);
  }
  return Object.fromEntries(merged.values());
}

type Json = string | number | boolean | null | object;

function objectIn(text: string | undefined): Readonly<Record<string, Json>> {
  if (!text?.trimStart().startsWith("{")) return {};
  try {
    return JSON.parse(text) as Record<string, Json>;
  } catch {
    return {};
  }
}

function memberData(value: Json): TypedData | undefined {
  if (value === null || Array.isArray(value)) return undefined;
  if (typeof value === "object") return json(value);
  return { string: typeof value === "boolean" ? (value ? "True" : "False") : String(value) };
}

const string = (value: string | number | Buffer | undefined): TypedData | undefined =>
  value === undefined || value === null ? undefined : { string: value.toString() };

const json = (value: unknown): TypedData => ({ json: JSON.stringify(value) });

/** A DateTime in .NET's format, without trailing zeros in the fraction. Undefined after the year 9999. */
function dateTime(date: Date | undefined): string | undefined {
  if (!date || Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return undefined;
  return date.toISOString().replace(/\.?0*Z$/, "");
}
