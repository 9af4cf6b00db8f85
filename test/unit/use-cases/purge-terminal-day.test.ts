import { describe, expect, it } from "vitest";
import { retentionTable } from "../../../shared/domain/retention.ts";
import { recordTotals } from "../../../shared/use-cases/terminal-days/record-totals.ts";
import { callFrom } from "../../support/calls.ts";
import { aTerminal } from "../../support/platform.ts";
import { DAY, aCaptured, aWorld, run } from "../../support/purging.ts";

describe("purging a terminal's day", () => {
  const closed = { closingId: "n1", idAsReceived: "N1", day: "2026-11-21", totals: [] };

  it("removes a closed day, with its closings, and nothing a day before", async () => {
    const { rows, platform } = await aWorld();
    await recordTotals(platform.deps, callFrom(platform.deps, aTerminal()), closed);
    await platform.pass(1_200); // past the grace time
    const ofDays = async () =>
      (await rows.all()).filter((row) => /^terminals \S+ (day|open~terminalDay|changed~terminalDay)~/.test(row));
    expect((await ofDays()).length).toBeGreaterThan(3);
    await platform.pass(retentionTable.terminalDays.days * DAY - DAY);
    expect(await run(platform, "terminalDays")).toMatchObject({ removed: 0, stay: 0 });
    await platform.pass(2 * DAY);
    expect(await run(platform, "terminalDays")).toMatchObject({ removed: 1 });
    expect(await ofDays()).toEqual([]);
  });

  it("keeps a day that an open alert names", async () => {
    const { platform } = await aWorld();
    await aCaptured(platform);
    await platform.pass((retentionTable.terminalDays.days + 2) * DAY);
    const [alert] = await platform.deps.alerts.listOpen();
    expect(alert).toMatchObject({ kind: "dayMissing" });
    expect(await run(platform, "terminalDays")).toMatchObject({ removed: 0, rows: 0 });
    const read = alert && (await platform.deps.alerts.find(alert));
    if (read) await platform.deps.alerts.save({ ...read.alert, status: "closed" }, read);
    expect(await run(platform, "terminalDays")).toMatchObject({ removed: 1 });
  });
});
