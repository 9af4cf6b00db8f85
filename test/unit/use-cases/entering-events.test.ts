import { describe, expect, it } from "vitest";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { feedWriter } from "../../../shared/use-cases/feed/feed-writer.ts";
import { aPaymentOn } from "../../support/a-payment.ts";
import { aPlatform, partnerId, type Platform } from "../../support/platform.ts";

// What no simulated world tells: each has one version of the app, and a message that hangs there comes back by itself.

const entered = async ({ deps }: Platform) => (await deps.feeds.after(partnerId, 0, 100)).map(({ body }) => body);

describe("an event", () => {
  it("is entered at a later attempt of its webhook where the first was made by a release without feeds", async () => {
    const platform = await aPlatform();
    const { feed, webhooks } = platform.deps;
    const { enter } = feed;
    const { send } = webhooks;
    feed.enter = async () => {};
    webhooks.send = async (request) => {
      await send(request);
      return { kind: "failed", reason: "status", status: 500, ms: 1 };
    };
    const payment = await aPaymentOn(platform);
    await payment.tell("accepted");
    expect(platform.webhooksSent).toHaveLength(1);
    expect(await entered(platform)).toEqual([]);

    feed.enter = enter;
    await platform.pass(5);
    expect(platform.webhooksSent).toHaveLength(2);
    expect(await entered(platform)).toEqual([platform.webhooksSent[1]?.body]);
  });

  it("that waits behind a group which fails is entered by the next one", async () => {
    const platform = await aPlatform();
    const { feeds, commands, clock } = platform.deps;
    const subjects = [];
    for (const sessionId of ["one", "other"]) {
      platform.deps.feed.enter = async () => {};
      const payment = await aPaymentOn(platform, { sessionId });
      await payment.tell("accepted");
      await payment.tell("declined");
      subjects.push({ kind: "payment", partnerId, sessionId } as const);
    }
    const newest = await Promise.all(
      subjects.map(async (subject) => {
        const all = await commands.ofSubject(subject);
        const [command] = all.toSorted((a, b) => b.sequence - a.sequence);
        if (!command) throw new Error("the payment has no command");
        return { subject, command };
      }),
    );
    let groups = 0;
    const failingOnce: typeof feeds = {
      ...feeds,
      async enter(...given) {
        if (++groups === 1) throw new Unavailable("the tables do not respond");
        await feeds.enter(...given);
      },
    };
    const writer = feedWriter({ feeds: failingOnce, commands, clock });
    const results = await Promise.allSettled(newest.map(({ subject, command }) => writer.enter(subject, command)));
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    const found = await feeds.after(partnerId, 0, 100);
    expect(found.map(({ subject }) => subject)).toEqual([subjects[1], subjects[1]]);
  });
});
