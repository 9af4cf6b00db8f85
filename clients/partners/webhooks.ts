import { Webhook } from "standardwebhooks";
import type { WebhookEvent } from "./types.ts";

/** Node's `request.headers`, or those of a web `Request`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How many seconds the header `webhook-timestamp` may differ from this machine's clock. 300 when left out. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Why a webhook is rejected. */
export type RejectionReason =
  | "header missing"
  | "timestamp wrong"
  | "too old"
  | "too new"
  | "wrong signature"
  | "no event";

/** The webhook is not proven to be the platform's. Respond 400, and do nothing. */
export class WebhookRejected extends Error {
  override readonly name = "WebhookRejected";
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const TOLERANCE_SECONDS = 300;

/**
 * Returns the event of a webhook that the platform has signed, by Standard Webhooks. During a rotation, pass both secrets. Throws
 * `WebhookRejected` if the webhook is not proven to be the platform's. Throws `TypeError` for a mistake of the caller: a body that was
 * parsed, or a malformed secret.
 *
 * @param rawBody the body as it arrived. A body that was parsed and written again has other bytes, and no signature matches.
 */
export function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = () => Date.now() }: VerifyOptions = {},
): WebhookEvent {
  const body = textOf(rawBody);
  const keys = keysOf(secrets);
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature").split(" ");
  const sentAt = sentAtOf(timestamp);
  checkAge(Math.floor(now() / 1000) - sentAt, toleranceSeconds);
  const expected = keys.map((key) => key.sign(id, new Date(sentAt * 1000), body));
  // Every pair is compared, so that the time does not show which one matches.
  const fits = expected.flatMap((one) => signatures.map((other) => isSame(one, other)));
  if (!fits.includes(true)) {
    throw new WebhookRejected(
      "wrong signature",
      "No signature matches the body: the secret is wrong, or the body is not the bytes that arrived.",
    );
  }
  return eventIn(body);
}

/**
 * Returns the nonce of a challenge, with which the platform's operator registers your host. Respond 200 with it as the body. Undefined for
 * any other event. Pass the event that `verifyWebhook` returned.
 */
export function challengeNonce(event: WebhookEvent): string | undefined {
  const { type, data } = event as { readonly type: string; readonly data: unknown };
  const isChallenge = type === "webhook.challenge" && typeof data === "object" && data !== null && "nonce" in data;
  return isChallenge && typeof data.nonce === "string" ? data.nonce : undefined;
}

function textOf(rawBody: unknown): string {
  if (typeof rawBody === "string") return rawBody;
  // A Buffer of another realm, as in some test runners, is also a view, but not an instance of this realm's Uint8Array.
  if (ArrayBuffer.isView(rawBody) || rawBody instanceof ArrayBuffer) {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(rawBody as Uint8Array<ArrayBuffer>);
  }
  const mistake = rawBody === undefined ? "It is undefined here: nothing has read it yet" : "It is already parsed here";
  throw new TypeError(
    `rawBody must be the body as it arrived, a string or bytes. ${mistake}. With Express: express.raw({ type: '*/*', limit: '1mb' }).`,
  );
}

function keysOf(secrets: string | readonly string[]): readonly Webhook[] {
  const all = typeof secrets === "string" ? [secrets] : secrets;
  if (all.length === 0) throw new TypeError("No webhook secret is given.");
  return all.map((secret) => {
    try {
      return new Webhook(secret.trim()); // a secret that is read from a file ends with a line end
    } catch {
      throw new TypeError("A webhook secret is not valid: it must be whsec_ followed by base64."); // without the cause, which may show it
    }
  });
}

function header(headers: WebhookHeaders, name: string): string {
  const value = isWebHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = typeof value === "object" && value !== null ? value.join(" ") : (value ?? "");
  if (text !== "") return text;
  throw new WebhookRejected("header missing", `The header ${name} is missing.`);
}

const isWebHeaders = (headers: WebhookHeaders): headers is Headers => typeof headers["get"] === "function";

function sentAtOf(timestamp: string): number {
  if (/^\d{1,12}$/.test(timestamp)) return Number(timestamp);
  throw new WebhookRejected("timestamp wrong", "The header webhook-timestamp is not a number of seconds.");
}

function checkAge(age: number, tolerance: number): void {
  if (age > tolerance)
    throw new WebhookRejected("too old", `It was signed ${age} s ago: is this machine's clock right?`);
  if (-age > tolerance)
    throw new WebhookRejected("too new", `It was signed ${-age} s from now: is this machine's clock right?`);
}

/** Compares in a time that depends on the lengths only. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let i = 0; i < one.length; i++) difference |= one.charCodeAt(i) ^ (other.charCodeAt(i) || 0);
  return difference === 0;
}

function eventIn(body: string): WebhookEvent {
  try {
    const event = JSON.parse(body) as Partial<WebhookEvent> | null;
    if (typeof event?.type === "string" && typeof event.id === "string") return event as WebhookEvent;
  } catch {
    // reported below
  }
  throw new WebhookRejected("no event", "The signature matches, but the body is not an event of this platform.");
}
