import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { ATTEMPT_TIMEOUT_MS } from "../../../shared/adapters/webhooks/sender.ts";
import type { ForwardedWebhook, ListenersAnswer } from "../live/forwarding.ts";

/** Headers that belong to one connection, and are not forwarded. */
const ownOfAConnection = /^(?:host|connection|content-length|transfer-encoding|keep-alive|expect)$/i;

/** The response of the address, or why it did not respond. */
export interface Forwarded extends Omit<ListenersAnswer, "id"> {
  readonly ms: number;
  /** Why no response came. The platform then gets 502. */
  readonly failure?: string;
}

/**
 * Forwards the webhook, byte for byte and with its headers. Waits as long as the platform does. A redirect is an answer and is not
 * followed.
 */
export async function forward(
  address: string,
  { headers, body }: Pick<ForwardedWebhook, "headers" | "body">,
  signal: AbortSignal,
): Promise<Forwarded> {
  const began = performance.now();
  const took = () => Math.round(performance.now() - began);
  const bytes = Buffer.from(body, "base64");
  const { host, protocol } = new URL(address);
  const send = protocol === "https:" ? httpsRequest : httpRequest;
  try {
    const sent = send(address, {
      method: "POST",
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
      headers: [
        ["Host", host],
        ...headers.filter(([name]) => !ownOfAConnection.test(name)),
        ["Content-Length", String(bytes.byteLength)],
      ].flat(),
    });
    sent.end(bytes);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    response.on("error", () => {}).resume(); // the platform ignores the body
    const retryAfter = response.headers["retry-after"];
    return { status: response.statusCode ?? 502, ms: took(), ...(retryAfter !== undefined && { retryAfter }) };
  } catch (error) {
    return { status: 502, ms: took(), failure: failureOf(error) };
  }
}

function failureOf(error: unknown): string {
  const { name, code, message } = Object(error) as { readonly name?: string; readonly code?: string; message?: string };
  if (name === "AbortError") return `no response within ${ATTEMPT_TIMEOUT_MS / 1_000} s`;
  return code ?? message ?? "no response";
}
