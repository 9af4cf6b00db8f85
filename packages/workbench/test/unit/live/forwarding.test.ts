import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newReceiver, type Receiver } from "../../../live/receiver.ts";
import { newState, type LiveState } from "../../../live/state.ts";
import { forwardAll, outageAt, type Shown } from "../../../webhooks/shown.ts";
import { signWebhook } from "../../../../../shared/adapters/webhooks/signature.ts";
import { listening } from "../../../../local-azure/common/test/listening.ts";

const secret = `whsec_${randomBytes(24).toString("base64")}`;
const body = JSON.stringify({ type: "payment.captured", data: { note: "å ✓" } }, null, 1);

let state: LiveState;
let receiver: Receiver;
let liveUrl: string;
let ending: AbortController;
beforeEach(async () => {
  ending = new AbortController();
  state = newState();
  receiver = newReceiver({ state, secrets: async () => [secret], now: Date.now });
  const server = createServer((request, response) => {
    if (!receiver.beside(request, response)) response.writeHead(404).end();
  });
  liveUrl = `http://127.0.0.1:${await listening(server)}/`;
});
afterEach(() => {
  ending.abort();
  receiver.stop();
});

/** Sends a webhook to the receiver, as the platform does. */
function send(id = "event_1"): Promise<Response> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = signWebhook({ id, timestamp, body, secrets: [secret] });
  const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
  return fetch(new URL("webhook", liveUrl), { method: "POST", headers, body });
}

/** Forwards webhooks to a server that responds like this. Resolves when forwarding has begun. */
async function forwardTo(answer: RequestListener, types: readonly string[] = []) {
  const address = `http://127.0.0.1:${await listening(createServer(answer))}/hook`;
  const shown: Shown[] = [];
  const over = forwardAll({ liveUrl, types, signal: ending.signal }, address, (one) => void shown.push(one));
  await expect.poll(() => state.snapshot().receiver.forwardedTo).toBe(address);
  return { shown, over, address };
}

describe("webhooks that a command forwards", () => {
  it("arrive byte for byte with their headers, and the platform gets the status", async () => {
    const received: { readonly headers: IncomingMessage["headers"]; readonly body: string }[] = [];
    const { shown } = await forwardTo((request, response) => {
      void (async () => {
        received.push({ headers: request.headers, body: await text(request) });
        response.writeHead(503, { "retry-after": "7" }).end("later");
      })();
    });
    const response = await send();
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "7"]);
    expect(received).toEqual([{ headers: expect.objectContaining({ "webhook-id": "event_1" }), body }]);
    await expect.poll(() => shown.length).toBe(1);
    expect(shown).toEqual([expect.objectContaining({ attempt: 1, isSignatureValid: true, answer: 503 })]);
    expect(state.snapshot().webhooks[0]?.answer).toBe(503);
  });

  it("are not sent on by a redirect", async () => {
    await forwardTo((_, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end());
    expect((await send()).status).toBe(302);
  });

  it("are 502 to the platform if no server responds, and this is reported", async () => {
    const { shown } = await forwardTo((request) => void request.socket.destroy());
    expect((await send()).status).toBe(502);
    await expect.poll(() => shown.length).toBe(1);
    expect(shown[0]?.forwarded?.failure).toBe("ECONNRESET");
  });

  it("say once for each outage what cannot be reached, what follows and what to do", () => {
    const outage = outageAt("http://127.0.0.1:9/");
    const refused = { forwarded: { ms: 1, failure: "ECONNREFUSED" } };
    const told =
      "Nothing listens at http://127.0.0.1:9/ (ECONNREFUSED), so the platform gets 502. It sends a failed event again after about 5 s, " +
      "then less often, for about a week. Start your server there, or end this command and name another address with --forward.";
    const answered = { forwarded: { ms: 1 } };
    expect([refused, refused, answered, refused].map(outage)).toEqual([told, undefined, undefined, told]);
    expect(outage(answered)).toBeUndefined();
    expect(outage({ forwarded: { ms: 1, failure: "ECONNRESET" } })).toMatch(/^There is no response from /);
  });

  it("go to the receiver again once the command has ended, including one that waited for it", async () => {
    const asked = Promise.withResolvers<void>();
    const { over } = await forwardTo(() => asked.resolve());
    receiver.set({ answer: "410" });
    const waiting = send();
    await asked.promise;
    ending.abort();
    await over;
    expect((await waiting).status).toBe(410);
    expect((await send("event_2")).status).toBe(410);
    expect(state.snapshot().receiver).toEqual({ answer: "410" });
  });

  it("are only those of the selected types", async () => {
    await forwardTo((_, response) => void response.writeHead(500).end(), ["payment.declined"]);
    expect((await send()).status).toBe(200);
  });

  it("need an address and a POST", async () => {
    const listen = (method: string, input?: unknown) =>
      fetch(new URL("listen", liveUrl), { method, ...(input !== undefined && { body: JSON.stringify(input) }) });
    expect((await listen("GET")).status).toBe(405);
    expect((await listen("POST", { address: "file:///etc/passwd", types: [] })).status).toBe(422);
    expect((await listen("POST", "nonsense")).status).toBe(422);
    const answer = await fetch(new URL("listen/answers", liveUrl), { method: "POST", body: '{"id":"1","status":200}' });
    expect(answer.status).toBe(404);
  });
});
