import { createHmac, randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Webhook } from "standardwebhooks";
import type { LiveState } from "./state.ts";
import type { WebhookView } from "./views/webhooks.ts";

export interface ReceiverDeps {
  readonly state: Pick<LiveState, "put" | "set" | "all">;
  /** The partner's current webhook secrets. */
  readonly secrets: () => Promise<readonly string[]>;
  readonly now: () => number;
}

/** An attempt that has arrived, with the computation of its signature. It has no answer yet. */
export async function viewOf(
  { state, secrets, now }: ReceiverDeps,
  { rawHeaders, headers }: Pick<IncomingMessage, "rawHeaders" | "headers">,
  body: string,
): Promise<WebhookView> {
  const eventId = String(headers["webhook-id"] ?? "");
  const earlier = state.all("webhooks").filter((view) => view.eventId === eventId);
  const { type, sessionId } = eventIn(body);
  return {
    id: randomUUID(),
    at: now(),
    eventId,
    type,
    ...(sessionId !== undefined && { sessionId }),
    attempt: Math.max(0, ...earlier.map(({ attempt }) => attempt)) + 1,
    answer: undefined,
    headers: pairsOf(rawHeaders),
    body,
    ...signatureOf(await secrets(), headers, body),
  };
}

function signatureOf(
  known: readonly string[],
  headers: IncomingMessage["headers"],
  body: string,
): Pick<WebhookView, "isSignatureValid" | "signature"> {
  const [id, timestamp, sent] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    String(headers[name] ?? ""),
  );
  const signed = `${id}.${timestamp}.${body}`;
  const received = (sent ?? "").split(" ").map((entry) => entry.replace(/^v1,/, ""));
  const worked = known.map((secret) => workedOut(secret, signed));
  const expected = worked.find((one) => received.includes(one)) ?? worked[0] ?? "";
  return {
    isSignatureValid: known.some((secret) => isVerified(secret, body, headers)),
    signature: { signed, expected, received: received.find((one) => one === expected) ?? received[0] ?? "" },
  };
}

/** Computes a signature of Standard Webhooks: HMAC-SHA256 of the signed text, with the secret's bytes as the key. */
const workedOut = (secret: string, signed: string): string =>
  createHmac("sha256", Buffer.from(secret.replace(/^whsec_/, ""), "base64"))
    .update(signed)
    .digest("base64");

/** Verifies with the library that partners use. It also checks the timestamp. */
function isVerified(secret: string, body: string, headers: IncomingMessage["headers"]): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

function eventIn(body: string): { readonly type: string; readonly sessionId?: string } {
  try {
    const { type, data } = Object(JSON.parse(body)) as { readonly type?: unknown; readonly data?: unknown };
    const { sessionID } = Object(data) as { readonly sessionID?: unknown };
    return {
      type: typeof type === "string" ? type : "no event",
      ...(typeof sessionID === "string" && { sessionId: sessionID.toLowerCase() }),
    };
  } catch {
    return { type: "no JSON" };
  }
}

const pairsOf = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] ?? ""] as [string, string]] : []));
