import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import { endEmpty, readWithin } from "../../emulators/common/bounded-server.ts";
import type { Beside } from "./server.ts";

// A listener is a command that takes webhooks in place of the receiver, for as long as its connection lives: it asks with `POST /listen`, gets
// each webhook as a line of the response, and gives the answer of its own server back with `POST /listen/answers`. Both are POST, so that a
// foreign page's request has an Origin and is refused.

/** A webhook as a listener gets it. */
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
  /** Where the listener forwards webhooks; the page shows it. */
  address: z.url({ protocol: /^https?$/ }).max(2_000),
  /** The types that it takes; all where it is empty. */
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
  /** Passes a webhook to the listener. Resolves with its answer; undefined where no listener takes it, or where it left without one. */
  pass(webhook: ForwardedWebhook): Promise<ListenersAnswer | undefined>;
  stop(): void;
}

interface Listener extends z.infer<typeof listening> {
  readonly response: ServerResponse;
  readonly awaited: Map<string, (answer?: ListenersAnswer) => void>;
}

const MAX_BODY_BYTES = 64 * 1024;
/** The platform waits less. */
const ANSWER_WITHIN_MS = 60_000;

/** @param changed is called with the address that webhooks are forwarded to from now on; undefined for none */
export function newForwarding(changed: (address: string | undefined) => void): Forwarding {
  const listeners: Listener[] = []; // the last one to come takes the webhooks

  async function listen(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const wish = listening.safeParse(await bodyOf(request));
    if (!wish.success) return endEmpty(request, response, 422);
    const listener: Listener = { ...wish.data, response, awaited: new Map() };
    response.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store" });
    response.write("\n"); // the head goes out at once
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
      if (request.method === "POST") deed(request, response).catch(() => response.destroy()); // the sender is gone
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
    return undefined; // no JSON is refused as any other wrong body
  }
}
