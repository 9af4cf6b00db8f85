import { describe, expect, it } from "vitest";
import { retentionTable } from "../../../shared/domain/retention.ts";
import { createdEntryOf } from "../../../shared/use-cases/payments/enter-session.ts";
import { DAY, aCaptured, aWorld, rowsOf, run } from "../../support/purging.ts";

const SEVEN_YEARS = retentionTable.payments.days * DAY;

describe("purging a partner's list of payments", () => {
  it("removes a day's entries that name no payment, and keeps those whose payment changed later", async () => {
    const { rows, platform } = await aWorld();
    const { sessions } = platform.deps;
    const old = await aCaptured(platform);
    const kept = await aCaptured(platform);
    for (const { now } of [old, kept])
      await sessions.enterAgain({ ...createdEntryOf(await now()), requestedBy: "another" });
    await platform.pass(100 * DAY);
    await kept.refund(25);
    await kept.sendReport("refunded", { messageId: (await kept.fetch())?.messageId });
    await platform.pass(SEVEN_YEARS - 50 * DAY);
    await run(platform, "payments");
    const listed = (await rows.all()).filter((row) => row.includes(" created~"));
    expect(rowsOf(listed, old.sessionId)).toEqual([]);
    expect(rowsOf(listed, kept.sessionId)).toHaveLength(1);
    expect(rowsOf(listed, "another")).toEqual([]);
    expect((await kept.now()).status).toBe("captured");
  });
});
