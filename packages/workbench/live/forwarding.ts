import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import { endEmpty, readWithin } from "../../local-azure/common/bounded-server.ts";
import type { Beside } from "./server.ts";

// A listener is a command that takes webhooks instead of the receiver while its connection is open. It connects with `POST /listen`, and
// gets each webhook as a line of the response. It returns its own server's answer with `POST /listen/answers`. Both are POST, so that a
// request from a foreign page has an Origin and is rejected.

/** A webhook in the form that a listener gets. */
export interface ForwardedWebhook {
  readonly id: string;
  readonly type: string;
  readonly eventId: string;
  readonly attempt: number;
  readonly isSignatureValid: boolean;
  readonly headers: readonly (readonly [string, string])[];
  /** The body's bytes, in base64. */
  readonly body: string;
}

const listening = z.strictObject({
  /** The address to which the listener forwards webhooks. The page shows it. */
  address: z.url({ protocol: /^https?$/ }).max(2_000),
  /** The types that it takes. Empty means all types. */
  types: z.array(z.string().max(100)).max(100),
});

const answered = z.strictObject({
  id: z.string(),
  status: z.int().min(200).max(599),
  /** The value of the header `Retry-After`. */
  retryAfter: z.string().max(100).optional(),
});
export type ListenersAnswer = z.infer<typeof answered>;

export interface Forwarding {
  readonly beside: Beside;
  /**
   * Passes a webhook to the listener. Resolves with its answer. Undefined if no listener takes the webhook, or if the listener left without
   * an answer.
   */
  pass(webhook: ForwardedWebhook): Promise<ListenersAnswer | undefined>;
  stop(): void;
}

interface Listener extends z.infer<typeof listening> {
  readonly response: ServerResponse;
  readonly awaited: Map<string, (answer?: ListenersAnswer) => void>;
}

const MAX_BODY_BYTES = 64 * 1024;
/** The platform waits less long. */
const ANSWER_WITHIN_MS = 60_000;

/** @param changed called with the address to which webhooks are forwarded from now on; undefined if they are not forwarded */
export function newForwarding(changed: (address: string | undefined) => void): Forwarding {
  const listeners: Listener[] = []; // the last to connect takes the webhooks

  async function listen(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const input = listening.safeParse(await bodyOf(request));
    if (!input.success) return endEmpty(request, response, 422);
    const listener: Listener = { ...input.data, response, awaited: new Map() };
    response.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
    response.write("\n"); // sends the headers at once
    listeners.push(listener);
    changed(listener.address);
    response.once("close", () => leave(listener));
  }

  function leave(listener: Listener): void {
    listeners.splice(listeners.indexOf(listener), 1);
    for (const resolve of listener.awaited.values()) resolve();
    changed(listeners.at(-1)?.address);
  }

  async function takeAnswer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = answered.safeParse(await bodyOf(request));
    const resolve = answer.success
      ? listeners.flatMap(({ awaited }) => awaited.get(answer.data.id) ?? []).at(0)
      : undefined;
    if (answer.success) resolve?.(answer.data);
    endEmpty(request, response, answer.success && resolve ? 204 : 404);
  }

  const deeds: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>> = {
    "/listen": listen,
    "/listen/answers": takeAnswer,
  };
  return {
    beside(request, response) {
      const deed = deeds[request.url ?? ""];
      if (!deed) return false;
      if (request.method === "POST") deed(request, response).catch(() => response.destroy()); // the sender has disconnected
      else endEmpty(request, response, 405);
      return true;
    },
    async pass(webhook) {
      const listener = listeners.findLast(({ types }) => types.length === 0 || types.includes(webhook.type));
      if (!listener) return undefined;
      const { promise, resolve } = Promise.withResolvers<ListenersAnswer | undefined>();
      listener.awaited.set(webhook.id, resolve);
      const late = setTimeout(() => resolve(undefined), ANSWER_WITHIN_MS);
      listener.response.write(`${JSON.stringify(webhook)}\n`);
      const answer = await promise;
      clearTimeout(late);
      listener.awaited.delete(webhook.id);
      return answer;
    },
    stop() {
      for (const { response } of listeners) response.end();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const body = await readWithin(request, MAX_BODY_BYTES);
  try {
    return JSON.parse(Buffer.from(body ?? []).toString());
  } catch {
    return undefined; // text that is not JSON is rejected like any other invalid body
  }
}
