import type { RawMessage } from "../../ports/raw-messages.ts";

/**
 * A message as it was received, as far as the host shows it. The host parses a JSON body. A body that `JSON.stringify` wrote is restored
 * byte for byte.
 */
export function rawMessage(message: unknown, triggerMetadata: Readonly<Record<string, unknown>>): RawMessage {
  const { contentType, applicationProperties } = triggerMetadata;
  return {
    body: bytesOf(message),
    contentType: typeof contentType === "string" ? contentType : undefined,
    properties: Object.fromEntries(Object.entries(applicationProperties ?? {}).filter(isProperty)),
  };
}

function bytesOf(message: unknown): Uint8Array {
  if (message instanceof Uint8Array) return message;
  return Buffer.from(typeof message === "string" ? message : JSON.stringify(message));
}

const isProperty = (entry: [string, unknown]): entry is [string, string | number | boolean] =>
  ["string", "number", "boolean"].includes(typeof entry[1]);
