import { expect, it } from "vitest";
import { numberIn, toEventPage } from "../../../shared/contracts/events/event-page.ts";
import { feedsTable } from "../../../shared/stores/feeds.ts";
import { reaches } from "../../../shared/use-cases/caller.ts";
import { eventBody } from "../../../shared/use-cases/feed/event-body.ts";
import { feedWriter } from "../../../shared/use-cases/feed/feed-writer.ts";
import { anyJson, anyName } from "../../support/any-value.ts";
import { fc } from "../../support/drawn.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { partnerId } from "../../support/platform.ts";
import { aCommand, at, paymentOf } from "../use-cases/a-feed.ts";

const everyTerminal = () => true;
const texts = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\ud83d", "\ude00", "😀", "\u2028", "\0", "\u0001", '"', "\\", "/", "<", "å", "{"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
});
const values = fc.oneof(anyJson, texts, fc.double({ noNaN: true, noDefaultInfinity: true }));

it("a page has each event as the exact text of its webhook", async () => {
  await fc.assert(
    fc.asyncProperty(values, fc.dictionary(anyName, values), async (value, members) => {
      // Committed content was stored as JSON before its webhook was written.
      const data = JSON.parse(JSON.stringify({ ...members, value, pointOfServiceID: "T1" })) as object;
      const command = aCommand(paymentOf(1), 1, ["payment.captured"], { event: { data } });
      const [effect] = command.effects;
      if (effect?.kind !== "webhook") throw new Error("no webhook");
      const feeds = feedsTable(inMemoryRows());
      const clock = { now: () => at, sleep: async () => {} };
      const entry = { subject: paymentOf(1), command, others: [], isRepeated: false };
      await feedWriter({ feeds, clock }).enter(entry);
      const page = toEventPage({ events: await feeds.after(partnerId, 0, 10), next: 1 }, everyTerminal);
      expect(JSON.stringify(page)).toBe(`{"events":[${eventBody(command, effect)}],"next":"${page.next}"}`);
    }),
  );
});

it("a page has an event of the whole partner only for a key that reaches all terminals", () => {
  const bodies = [{ data: { pointOfServiceID: "T1" } }, { data: { day: "2026-11-21" } }].map((event) =>
    JSON.stringify(event),
  );
  const shownTo = (terminalIds: readonly string[] | undefined) => {
    const caller = { partnerId, keyId: "k1", terminalIds };
    const page = { events: bodies.map((body) => ({ body })), next: 2 };
    return toEventPage(page, (terminalId) => reaches(caller, terminalId)).events.map((event) => JSON.stringify(event));
  };
  expect(shownTo(undefined)).toEqual(bodies);
  expect(shownTo(["t1"])).toEqual(bodies.slice(0, 1));
  expect(shownTo(["t2"])).toEqual([]);
});

it("a cursor contains its number, and no other text is a valid cursor", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (next) => {
      const { next: cursor } = toEventPage({ events: [], next }, everyTerminal);
      expect(numberIn(cursor)).toBe(next);
      expect(numberIn(`${cursor}=`)).toBeUndefined();
      expect(numberIn(cursor.slice(1))).toBeUndefined();
    }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(numberIn(text)).toBeUndefined();
      expect(numberIn(Buffer.from(text).toString("base64url"))).toBeUndefined();
    }),
  );
  const forged = ["e1-01", "e1--1", "e1-", "e1-1e3", "e2-1", "e1-1 "].map((text) =>
    Buffer.from(text).toString("base64url"),
  );
  expect(forged.map(numberIn)).toEqual(forged.map(() => undefined));
});
