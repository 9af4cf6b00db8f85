import { describe, expect, it } from "vitest";
import { retentionTable } from "../../../shared/domain/retention.ts";
import { ok, refuse } from "../../../shared/domain/result.ts";
import type { QueuePorts } from "../../../shared/adapters/queues/queue-ports.ts";
import { readFeed } from "../../../shared/use-cases/feed/read-feed.ts";
import { checkedDays, planPurge, purge } from "../../../shared/use-cases/operator/retention/purge.ts";
import { aPaymentOn, approval } from "../../support/a-payment.ts";
import { allRows } from "../../support/all-rows.ts";
import { aCall } from "../../support/calls.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { aPlatform, callBy, partnerId, type Platform } from "../../support/platform.ts";

const DAY = 24 * 3600;
const { days } = retentionTable.events;
const order = { kind: "events", days } as const;
const run = ({ deps }: Platform) => purge(deps, aCall(deps), order);
const plan = ({ deps }: Platform) => planPurge(deps, aCall(deps), order);

/** Reads a page of the feed, as event types. */
async function read({ deps }: Platform, number?: number) {
  const page = await readFeed(deps, callBy(deps), { number, atMost: 100, waitSeconds: 0 });
  if (!page.ok) return refuse(page.error);
  return ok({
    types: page.value.events.map(({ body }) => (JSON.parse(body) as { type: string }).type),
    next: page.value.next,
  });
}

/** Queues without looks at partners' days, so that no settlement closes and has an event. */
const withoutClosings = ({ announcements, ...ports }: QueuePorts): QueuePorts => ({
  ...ports,
  announcements: {
    send: async (queue, announcement, at) =>
      announcement.subject.kind === "partnerDay" ? undefined : announcements.send(queue, announcement, at),
  },
});

/** A captured payment, which has two events. */
async function aCaptured(platform: Platform) {
  const payment = await aPaymentOn(platform, { captureMode: "automatic" });
  const { messageId } = (await payment.fetch()) ?? {};
  await payment.sendReport("accepted", { messageId });
  await payment.sendReport("authorized", { ...approval, messageId });
  await platform.pass();
  return payment;
}
const both = ["payment.inProgress", "payment.captured"];

describe("purging the feed", () => {
  it("removes events of their age with their marks and attempts, and leaves the younger ones to every reader", async () => {
    const rows = allRows();
    const platform = await aPlatform({ open: rows.open, queues: withoutClosings });
    const feedRows = async () => (await rows.all()).filter((row) => row.startsWith("feeds ")).length;
    await aCaptured(platform);
    await platform.pass(10 * DAY);
    const younger = await aCaptured(platform);
    expect(await feedRows()).toBe(1 + 4 + 4);
    await platform.pass((days - 10) * DAY - 60);
    expect([await plan(platform), await run(platform)]).toMatchObject([{ atMost: 0 }, { removed: 0, rows: 0 }]);
    await platform.pass(DAY);
    expect(await plan(platform)).toMatchObject({ atMost: 2 });
    expect(await run(platform)).toMatchObject({ removed: 2, rows: 6, stay: 0 });
    expect(await feedRows()).toBe(1 + 2 + 2);
    expect((await rows.all()).filter((row) => row.includes(" mark~"))).toHaveLength(2);
    const attempts = (await rows.all()).filter((row) => row.includes("~webhook~"));
    expect(attempts.filter((row) => row.includes(younger.sessionId))).toHaveLength(2);
    expect(attempts).toHaveLength(2);

    expect(await read(platform)).toEqual(ok({ types: both, next: 4 }));
    expect(await read(platform, 2)).toEqual(ok({ types: both, next: 4 })); // it had read all purged events
    expect(await read(platform, 1)).toEqual(refuse({ code: "cursor_expired" }));
    expect(await run(platform)).toMatchObject({ removed: 0 });
  });

  it("continues the numbers if no event is left, and enters no event twice that was purged with its mark", async () => {
    const platform = await aPlatform({ queues: withoutClosings });
    const payment = await aCaptured(platform);
    await platform.pass((days + 1) * DAY);
    expect(await run(platform)).toMatchObject({ removed: 2, rows: 6 });
    expect(await read(platform)).toEqual(ok({ types: [], next: 2 }));
    await payment.refund(25);
    const { messageId } = (await payment.fetch()) ?? {};
    await payment.sendReport("refunded", { messageId });
    await platform.pass();
    expect(await read(platform, 2)).toEqual(ok({ types: ["refund.requested", "refund.succeeded"], next: 4 }));
  });

  it("removes more events than one group holds, and may be interrupted at any write and run again", async () => {
    for (let writes = 0; ; writes++) {
      const rows = allRows();
      const platform = await aPlatform({ open: rows.open, queues: withoutClosings });
      for (let payments = 0; payments < 30; payments++) await aCaptured(platform);
      await platform.pass((days + 1) * DAY);
      await aCaptured(platform);
      rows.cutAfter(writes);
      const ended = await run(platform).then(
        () => "by itself",
        () => "by the cut",
      );
      rows.cutAfter(Infinity);
      await run(platform);
      expect(await read(platform), `cut after ${writes}`).toEqual(ok({ types: both, next: 62 }));
      const left = await rows.all();
      expect(left.filter((row) => row.startsWith("feeds "))).toHaveLength(1 + 2 + 2);
      expect(left.filter((row) => row.includes("~webhook~"))).toHaveLength(2);
      if (ended === "by itself") break;
    }
  });

  it("yields to a writer that is first, and tries again", async () => {
    let meanwhile = 0;
    const platform: Platform = await aPlatform({
      queues: withoutClosings,
      open(table) {
        const rows = inMemoryRows();
        const submit: typeof rows.submit = async (partition, operations) => {
          const isPurge = operations.some(({ kind }) => kind === "discard");
          if (table === "feeds" && isPurge && meanwhile-- > 0) await aCaptured(platform);
          return rows.submit(partition, operations);
        };
        return { ...rows, submit };
      },
    });
    await aCaptured(platform);
    await platform.pass((days + 1) * DAY);
    meanwhile = 3;
    expect(await run(platform)).toMatchObject({ removed: 2 });
    expect(await platform.deps.feeds.head(partnerId)).toMatchObject({ first: 3, last: 8 });
    expect(await read(platform)).toEqual(ok({ types: [...both, ...both, ...both], next: 8 }));
  });
});

it("events are kept for longer than the time within which an event may be entered again", () => {
  expect(() => checkedDays("events", 30)).toThrow("must stay for at least 31 days");
  expect(checkedDays("events")).toBe(35);
});
