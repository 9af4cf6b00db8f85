import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { partnersClient, type WebhookEvent } from "../../clients/partners/index.ts";
import { issueKey } from "../support/credentials.ts";
import { partnerFor } from "../support/partner.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const { headers, partner, onAutopilot, pay, refused, request, send, silent, until } = partnerFor("events");
const stack = inject("stack");
const { autopilot } = partner.terminals;

interface Page {
  readonly events: readonly WebhookEvent[];
  readonly next: string;
}
const readPage = (query: Readonly<Record<string, string>> = {}, headers: Readonly<Record<string, string>> = {}) =>
  send<Page>("GET", `/events?${new URLSearchParams(query).toString()}`, undefined, headers);

/** Every event after this cursor, page by page to the end. */
async function readAll(after?: string, headers: Readonly<Record<string, string>> = {}) {
  const events: WebhookEvent[] = [];
  for (let next = after; ;) {
    const { status, body } = await readPage({ ...(next !== undefined && { after: next }), limit: "3" }, headers);
    expect(status).toBe(200);
    events.push(...body.events);
    if (body.next === next) return { events, next };
    next = body.next;
  }
}
const sessionsIn = (events: readonly WebhookEvent[]) =>
  events.map(({ data }) => ("sessionID" in data ? data.sessionID : undefined));

/** Captured payments with two events each, while their partner's server behaves like this. */
async function captured(count: number, responseWebhookUrl: string): Promise<string[]> {
  const bodies = Array.from({ length: count }, () => onAutopilot({ captureMode: "automatic", responseWebhookUrl }));
  for (const body of bodies) {
    expect(await pay(body)).toMatchObject({ status: 202 });
    await until(body.sessionID, "captured");
  }
  return bodies.map(({ sessionID }) => sessionID);
}

/** Reads until all events of these payments have arrived. */
const eventsOf = async (sessionIDs: readonly string[], after?: string) => {
  await expect
    .poll(async () => sessionsIn((await readAll(after)).events).filter((id) => sessionIDs.includes(id ?? "")).length)
    .toBe(2 * sessionIDs.length);
  return readAll(after);
};

let server: Awaited<ReturnType<typeof startWebhookServer>>;
let hanging: Awaited<ReturnType<typeof startWebhookServer>>;
const release = Promise.withResolvers<number>();
beforeAll(async () => {
  server = await startWebhookServer(partner.webhookSecret);
  hanging = await startWebhookServer(partner.webhookSecret, () => release.promise);
});
afterAll(async () => {
  release.resolve(204);
  await Promise.all([server.close(), hanging.close()]);
});

describe("the feed of events", () => {
  it("has every event once, as the exact text of its webhook, with each payment's events in order", async () => {
    const sessionIDs = await captured(3, server.url);
    const { events } = await eventsOf(sessionIDs);
    for (const sessionID of sessionIDs) {
      await server.until("payment.captured", sessionID);
      const own = events.filter(({ data }) => "sessionID" in data && data.sessionID === sessionID);
      expect(own.map(({ type }) => type)).toEqual(["payment.inProgress", "payment.captured"]);
      const sent = server.received.filter(({ event }) => own.some(({ id }) => id === event.id)).map(({ body }) => body);
      const text = await (await fetch(`${stack.baseUrl}/events`, { headers })).text();
      for (const body of sent) expect(text).toContain(body);
    }
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  it("does not wait for a server that hangs, nor for one that is away", async () => {
    const { next } = await readAll();
    const sessionIDs = [...(await captured(1, hanging.url)), ...(await captured(1, "http://127.0.0.1:1/away"))];
    const { events } = await eventsOf(sessionIDs, next);
    expect(new Set(sessionsIn(events))).toEqual(new Set(sessionIDs));
  });

  it("shows a key only the events of the terminals that it reaches", async () => {
    await silent.online();
    const body = request();
    await pay(body);
    await silent.sendReport(await silent.begin(body.sessionID), "declined");
    const typesOf = async () =>
      (await readAll()).events.filter((event) => sessionsIn([event])[0] === body.sessionID).map(({ type }) => type);
    await expect.poll(typesOf).toContain("payment.declined"); // the last event of its payment, so that it does not disturb the later tests
    const [sessionID] = await captured(1, server.url);
    await eventsOf([sessionID ?? ""]);
    const apikey = await issueKey(stack, partner, { terminalIds: [autopilot.pointOfServiceID] });
    const { events } = await readAll(undefined, { apikey });
    expect(sessionsIn(events)).toContain(sessionID);
    expect(
      events.filter(
        ({ data }) => !("pointOfServiceID" in data) || data.pointOfServiceID !== autopilot.pointOfServiceID,
      ),
    ).toEqual([]);
    const stranger = partnerFor("stranger");
    const others = await stranger.send<Page>("GET", "/events");
    expect(sessionsIn(others.body.events)).not.toContain(body.sessionID);
  });

  it("waits for the next event, and responds with it once it is there", async () => {
    const { next } = await readAll();
    expect((await readPage({ after: next, wait: "0.2" })).body).toEqual({ events: [], next });
    const waiting = readPage({ after: next, wait: "20" });
    const [sessionID] = await captured(1, server.url);
    expect(sessionsIn((await waiting).body.events)).toContain(sessionID);
  });

  it("is followed by the client, which continues from its saved cursor", async () => {
    const client = partnersClient({
      baseUrl: stack.baseUrl,
      apikey: partner.apikey,
      subscriptionKey: stack.demo.subscriptionKey,
    });
    const { next } = await readAll();
    const sessionIDs = await captured(2, server.url);
    const ends = new AbortController();
    const taken: WebhookEvent[] = [];
    let saved = next;
    for await (const event of client.events({ after: saved, save: (at) => (saved = at), signal: ends.signal })) {
      taken.push(event);
      if (taken.length === 4) ends.abort();
    }
    expect(taken.map(({ id }) => id).toSorted()).toEqual([...new Set(taken.map(({ id }) => id))].toSorted());
    expect(new Set(sessionsIn(taken))).toEqual(new Set(sessionIDs));
    const again = await client.eventPage({ after: saved });
    expect(again.events.every(({ id }) => taken.some((event) => event.id === id))).toBe(true);
  });

  it.each([
    [
      "of a number that the feed has not reached",
      Buffer.from("e1-999999").toString("base64url"),
      410,
      "cursor_expired",
    ],
    ["that is no cursor", "next", 422, "validation_failed"],
    ["of another form", Buffer.from("e2-1").toString("base64url"), 422, "validation_failed"],
    ["with more than a cursor", Buffer.from(`e1-1 ${randomUUID()}`).toString("base64url"), 422, "validation_failed"],
  ])("refuses a cursor %s", async (_, after, status, code) => {
    expect(await refused("GET", `/events?${new URLSearchParams({ after }).toString()}`)).toMatchObject({
      status,
      body: { code },
    });
  });
});
