import { describe, expect, it } from "vitest";
import { deliveriesOfDay } from "../../../shared/use-cases/operator/inspect/deliveries-of-day.ts";
import { hasTrouble } from "../../../shared/use-cases/operator/inspect/deliveries.ts";
import { aPaymentOn } from "../../support/a-payment.ts";
import { aPlatform, partnerId, type Platform } from "../../support/platform.ts";

const today = "2026-11-21";

/** The partner's server responds with this status from now on. */
function serverResponds({ deps }: Platform, status: number) {
  deps.webhooks.send = async () =>
    status < 300
      ? { kind: "delivered", status, ms: 1 }
      : status === 410
        ? { kind: "gone", status, ms: 1 }
        : { kind: "failed", reason: "status", status, ms: 1 };
}

describe("the events of a day", () => {
  it.each([
    ["waiting", 500, 1, "waiting"],
    ["given up", 500, 3, "givenUp"],
    ["refused for good", 410, 1, "gone"],
  ])("name an event that is %s", async (_, status, attempts, state) => {
    const platform = await aPlatform();
    platform.deps.webhooks.nextAttemptAfter = (attempt) => (attempt < 3 ? 60 : undefined);
    serverResponds(platform, status);
    const { sessionId, sendReport } = await aPaymentOn(platform);
    await sendReport("declined");
    await platform.pass(attempts === 1 ? 0 : 600);
    const found = await deliveriesOfDay(platform.deps, partnerId, today);
    expect(found).toMatchObject([{ sessionId, type: "payment.declined", state }]);
    expect(found[0]?.attempts).toHaveLength(attempts);
    expect(found.map(hasTrouble)).toEqual([true]);
  });

  it("have no trouble with an event that was accepted at once, but with one that was accepted late", async () => {
    const platform = await aPlatform();
    const { sendReport } = await aPaymentOn(platform);
    await sendReport("accepted");
    serverResponds(platform, 503);
    await sendReport("declined");
    serverResponds(platform, 204);
    await platform.pass(60);
    const found = await deliveriesOfDay(platform.deps, partnerId, today);
    expect(found.map((event) => [event.type, event.state, hasTrouble(event)])).toEqual([
      ["payment.inProgress", "delivered", false],
      ["payment.declined", "delivered", true],
    ]);
  });

  it("are only those of the named partner and day", async () => {
    const platform = await aPlatform();
    const { sendReport } = await aPaymentOn(platform);
    await sendReport("declined");
    expect(await deliveriesOfDay(platform.deps, "aaaaaaaa-0000-4000-8000-000000000002", today)).toEqual([]);
    expect(await deliveriesOfDay(platform.deps, partnerId, "2026-11-20")).toEqual([]);
  });
});
