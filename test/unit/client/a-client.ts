import { partnersClient, type ClientOptions } from "../../../clients/partners/client.ts";

const id = (n: number) => `${String(n).padStart(8, "0")}-aaaa-4000-8000-000000000000`;
export const sessionID = id(1);
export const request = {
  sessionID,
  merchantID: id(2),
  pointOfServiceID: id(3),
  totalAmountInclVat: 125.5,
  currency: "SEK",
};

/** A problem as the platform sends it. */
export const problem = (status: number, code: string, retryable: boolean, more: object = {}) => ({
  type: `https://example.com/problems/${code}`,
  title: "It is so",
  instance: "/pos-payment-request",
  requestID: "r1",
  status,
  code,
  retryable,
  ...more,
});

export const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });

export const accepted = () => json(202, { sessionID, status: "pending" });
export const broken = (): never => {
  throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:9") });
};

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
  readonly redirect: RequestInit["redirect"];
}

/** A client in front of a platform that gives these responses, and repeats the last one. Only its pauses move its clock. */
export function aClient(
  responses: readonly ((sent: SentRequest, signal: AbortSignal) => Response | Promise<Response>)[],
  options: Partial<ClientOptions> = {},
) {
  let now = Date.parse("2026-11-23T10:00:00Z");
  const sent: SentRequest[] = [];
  const pauses: number[] = [];
  const client = partnersClient({
    baseUrl: "https://gateway.example.com/",
    apikey: "tp_key_secret-of-apikey",
    subscriptionKey: "secret-subscription",
    ...options,
    world: {
      fetch: async (url, { method = "GET", headers, body, signal, redirect }) => {
        const one = {
          method,
          url,
          headers: new Headers(headers),
          body: typeof body === "string" ? body : "",
          redirect,
        };
        const respond = responses[Math.min(sent.length, responses.length - 1)];
        sent.push(one);
        if (!respond || !signal) throw new Error("no response, or no signal");
        return respond(one, signal);
      },
      now: () => now,
      sleep: async (ms, signal) => {
        signal.throwIfAborted();
        pauses.push(ms);
        now += ms;
      },
      random: () => 0.5,
      ...options.world,
    },
  });
  return { client, sent, pauses };
}
