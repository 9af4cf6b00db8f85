import { describe, expect, it } from "vitest";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { feedWriter } from "../../../shared/use-cases/feed/feed-writer.ts";
import { aPaymentOn } from "../../support/a-payment.ts";
import { aPlatform, partnerId } from "../../support/platform.ts";

// No simulated world covers this, because a message that hangs there comes back by itself.

describe("an event", () => {
  it("that waits behind a failing group is entered by the next one", async () => {
    const platform = await aPlatform();
    const { feeds, commands, clock } = platform.deps;
    const subjects = [];
    for (const sessionId of ["one", "other"]) {
      platform.deps.feed.enter = async () => {};
      const payment = await aPaymentOn(platform, { sessionId });
      await payment.sendReport("accepted");
      await payment.sendReport("declined");
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
