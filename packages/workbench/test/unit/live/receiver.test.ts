import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newReceiver, type Receiver } from "../../../live/receiver.ts";
import { newState, type LiveState } from "../../../live/state.ts";
import { signWebhook } from "../../../../../shared/adapters/webhooks/signature.ts";
import { listening } from "../../../../local-azure/common/test/listening.ts";
import { largestEvent } from "../../../../../test/support/largest-event.ts";

const secret = `whsec_${randomBytes(24).toString("base64")}`;
const SESSION = "9d3b6f0a-1c5e-4a67-8f0e-2b7c4d5e6f70";

let state: LiveState;
let receiver: Receiver;
let url: string;
beforeEach(async () => {
  state = newState();
  receiver = newReceiver({ state, secrets: async () => [secret], now: Date.now });
  const server = createServer((request, response) => {
    if (!receiver.beside(request, response)) response.writeHead(404).end();
  });
  url = `http://127.0.0.1:${await listening(server)}/webhook`;
});
afterEach(() => receiver.stop());

const event = JSON.stringify({ type: "payment.captured", data: { sessionID: SESSION.toUpperCase() } });

function send(id = "event_1", { secrets = [secret], sent = event } = {}): Promise<Response> {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = signWebhook({ id, timestamp, body: event, secrets });
  const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
  return fetch(url, { method: "POST", headers, body: sent });
}
const attempts = () => state.snapshot().webhooks;
const latest = () => attempts()[0];

describe("the built-in receiver", () => {
  it("shows an event with the steps to its signature", async () => {
    expect((await send()).status).toBe(200);
    expect(latest()).toMatchObject({
      eventId: "event_1",
      type: "payment.captured",
      sessionId: SESSION,
      attempt: 1,
      answer: 200,
      isSignatureValid: true,
      body: event,
    });
    const { signed, expected, received } = latest()?.signature ?? {};
    expect(signed).toMatch(/^event_1\.\d{10}\.\{/);
    expect(received).toBe(expected);
    expect(latest()?.headers).toContainEqual(["webhook-id", "event_1"]);
  });

  it.each([
    ["another secret signed it", { secrets: [`whsec_${randomBytes(24).toString("base64")}`] }],
    ["its body was changed on the way", { sent: event.replace("captured", "declined") }],
  ])("reports a wrong signature if %s", async (_, more) => {
    await send("event_1", more);
    expect(latest()?.isSignatureValid).toBe(false);
    expect(latest()?.signature.received).not.toBe(latest()?.signature.expected);
  });

  it("finds its own signature among those of a rotation", async () => {
    await send("event_1", { secrets: [`whsec_${randomBytes(24).toString("base64")}`, secret] });
    expect(latest()?.isSignatureValid).toBe(true);
    expect(latest()?.signature.received).toBe(latest()?.signature.expected);
  });

  it("reports a request without any signature headers as not signed", async () => {
    await fetch(url, { method: "POST", body: "hello" });
    expect(latest()).toMatchObject({ isSignatureValid: false, type: "no JSON", eventId: "" });
  });

  it.each([500, 410] as const)(
    "responds with %d once it is configured to, and counts the attempts of an event",
    async (status) => {
      await send();
      receiver.set({ answer: `${status}` });
      expect((await send()).status).toBe(status);
      await send("event_2");
      expect(attempts().map(({ eventId, attempt, answer }) => [eventId, attempt, answer])).toEqual([
        ["event_2", 1, status],
        ["event_1", 2, status],
        ["event_1", 1, 200],
      ]);
      expect(state.snapshot().receiver).toEqual({ answer: String(status) });
    },
  );

  it("hangs until it is configured otherwise, and then responds accordingly", async () => {
    receiver.set({ answer: "hang" });
    const hanging = send();
    await expect.poll(() => attempts()).toHaveLength(1);
    expect(latest()?.answer).toBeUndefined();
    receiver.set({ answer: "410" });
    expect((await hanging).status).toBe(410);
    expect(latest()?.answer).toBe(410);
  });

  it("delays nothing any more once it has stopped", async () => {
    receiver.set({ answer: "hang" });
    const hanging = send();
    await expect.poll(() => attempts()).toHaveLength(1);
    receiver.stop();
    expect([(await hanging).status, (await send("event_2")).status]).toEqual([500, 500]);
  });

  it("shows when the next attempt comes, until it has come, or that none comes", async () => {
    receiver.set({ answer: "500" });
    await send();
    receiver.noteAttempt({ eventId: "event_1", nextAt: 5_000, isGivenUp: false });
    receiver.noteAttempt({ eventId: "event_of_another_server", nextAt: 5_000, isGivenUp: false });
    expect(attempts().map(({ nextAt }) => nextAt)).toEqual([5_000]);
    await send();
    expect(attempts().map(({ nextAt }) => nextAt)).toEqual([undefined, undefined]);
    receiver.noteAttempt({ eventId: "event_1", nextAt: undefined, isGivenUp: true });
    expect(attempts().map(({ isGivenUp }) => isGivenUp)).toEqual([true, undefined]);
  });

  it("accepts the longest event that the platform may send", async () => {
    expect((await send("event_1", { sent: JSON.stringify(largestEvent()) })).status).toBe(200);
  });

  it("refuses requests that are not webhooks: another method, and a body that no event has", async () => {
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(url, { method: "POST", body: "x".repeat(600_000) })).status).toBe(413);
    expect((await fetch(`${url}s`, { method: "POST" })).status).toBe(404);
    expect(attempts()).toEqual([]);
  });
});
