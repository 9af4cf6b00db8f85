import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startAutopilot } from "../../../simulated/autopilot.ts";
import { countDay } from "../../../simulated/business-day.ts";
import { diskMemory } from "../../../simulated/disk-memory.ts";
import type { Movement } from "../../../simulated/session.ts";
import { aMessage, aPayment, aPlatform } from "./a-platform.ts";

const [sunday, monday] = ["2026-11-22", "2026-11-23"];
const nothing = { captures: 0, captured: 0, refunds: 0, refunded: 0, reversals: 0, reversed: 0 };

/** A terminal with a disk. The test decides its business day. */
function aTerminal() {
  const folder = mkdtempSync(join(tmpdir(), "terminal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let day = sunday;
  return {
    dawns: (next: string) => void (day = next),
    powerOn(platform: ReturnType<typeof aPlatform>) {
      const { memory, save } = diskMemory(folder);
      const autopilot = startAutopilot(platform.client, { paceMs: 1, memory, save, today: () => day });
      onTestFinished(() => autopilot.stop());
      return { ...autopilot, memory };
    },
  };
}

let sessions = 0;
const automatic = (total: number) => aPayment(total, { sessionID: `session ${++sessions}`, captureMode: "automatic" });

it("closes its day once that has ended, with the totals of its reports under that day", async () => {
  const [platform, terminal] = [aPlatform(), aTerminal()];
  terminal.powerOn(platform);
  platform.give(automatic(125.5));
  const { chargeID, businessDay } = await platform.until("authorized");
  expect(businessDay).toBe(sunday);
  expect(platform.closings).toEqual([]);

  terminal.dawns(monday);
  await expect.poll(() => platform.closings).toHaveLength(1);
  expect(platform.closings).toEqual([
    {
      closingID: expect.any(String),
      businessDay: sunday,
      totals: [{ ...nothing, currency: "SEK", captures: 1, captured: 125.5 }],
      lastChargeID: chargeID,
    },
  ]);
});

it("closes a day without movements, and a day that ended while it had no power", async () => {
  const [platform, terminal] = [aPlatform(), aTerminal()];
  const { memory, stop } = terminal.powerOn(platform);
  await platform.until("started");
  await expect.poll(() => memory.isKept).toBe(true);
  platform.give(aMessage("statusQuery"));
  await platform.until("notStarted");
  await stop();

  terminal.dawns(monday);
  const again = aPlatform();
  terminal.powerOn(again);
  await expect.poll(() => again.closings).toHaveLength(1);
  expect(again.closings).toMatchObject([{ businessDay: sunday, totals: [] }]);
});

it("repeats a closing without a response byte for byte, even after a power cut, and after the reports of its day", async () => {
  const [deaf, terminal] = [aPlatform(), aTerminal()];
  const { closeDay, memory, stop } = terminal.powerOn(deaf);
  await deaf.until("started");
  deaf.goesAway();
  deaf.give(automatic(80));
  await expect.poll(() => memory.movements.length).toBeGreaterThan(0);
  void closeDay(sunday);
  deaf.comesBack({ losing: "dayTotals" });
  await expect.poll(() => deaf.closings.length).toBeGreaterThan(1);
  expect(deaf.did.filter((what) => what !== "poll")).toEqual(["started", "accepted", "authorized"]);
  await stop();

  const platform = aPlatform();
  const back = terminal.powerOn(platform);
  await expect.poll(() => platform.did).toContain("dayTotals");
  expect(await back.closeDay(sunday)).toBe(200);
  const sent = [...deaf.closings, ...platform.closings].map((closing) => JSON.stringify(closing));
  expect(new Set(sent).size).toBe(1);
});

it("corrects its totals under another closingID after further movements, and after a lie", async () => {
  const [platform, terminal] = [aPlatform(), aTerminal()];
  const { closeDay } = terminal.powerOn(platform);
  platform.give(automatic(80));
  await platform.until("authorized");
  await closeDay(sunday);
  platform.give(automatic(20.25));
  await expect.poll(() => platform.told("authorized")).toHaveLength(2);
  await closeDay(sunday);
  await closeDay(sunday, "leavesOneOut");
  await closeDay(sunday, "countsOneTwice");
  await closeDay(sunday);

  const said = platform.closings.map(({ totals: [one] }) => [one?.captures, one?.captured]);
  expect(said).toEqual([
    [1, 80],
    [2, 100.25],
    [1, 80],
    [3, 120.5],
    [2, 100.25],
  ]);
  expect(new Set(platform.closings.map(({ closingID }) => closingID)).size).toBe(5);
});

it("counts a capture, a refund and a void on the day of each movement, and reports that day however late", async () => {
  const [platform, terminal] = [aPlatform(), aTerminal()];
  const { closeDay } = terminal.powerOn(platform);
  platform.give(aPayment(100.18)); // captures one minor unit less
  const { chargeID } = await platform.until("authorized");
  const about = { chargeID: String(chargeID), currency: "SEK" };
  platform.give(aMessage("capture", { ...about, amount: 80 }));
  expect(await platform.until("captured")).toMatchObject({ amount: 79.99, businessDay: sunday });

  terminal.dawns(monday);
  platform.give(aMessage("refund", { ...about, refundID: "a refund", amount: 30 }));
  expect(await platform.until("refunded")).toMatchObject({ businessDay: monday });
  platform.give(aMessage("statusQuery"));
  await expect.poll(() => platform.told("captured")).toHaveLength(2);
  expect(platform.told("captured").at(-1)).toMatchObject({ businessDay: sunday });
  platform.give(aMessage("void", about));
  expect(await platform.until("voided")).toMatchObject({ businessDay: monday });

  await closeDay(sunday);
  await closeDay(monday);
  expect(platform.closings.slice(-2).map(({ totals }) => totals)).toEqual([
    [{ ...nothing, currency: "SEK", captures: 1, captured: 79.99 }],
    [{ ...nothing, currency: "SEK", refunds: 1, refunded: 30, reversals: 1, reversed: 79.99 }],
  ]);
});

it("counts neither an authorization that was given back nor another day, and adds up currencies separately, without a lie if nothing was captured", () => {
  const on = (moved: Movement["moved"], chargeID: string, more: Partial<Movement> = {}): Movement => ({
    moved,
    sessionID: "a session",
    chargeID,
    amount: 0.1,
    currency: "SEK",
    businessDay: sunday,
    ...more,
  });
  const journal = [
    on("charge", "c1"),
    on("void", "c1"),
    on("capture", "c2"),
    on("capture", "c3", { amount: 0.2 }),
    on("capture", "c4", { amount: 500, currency: "JPY" }),
    on("capture", "c5", { businessDay: monday }),
  ];
  expect(countDay(journal, sunday)).toEqual({
    businessDay: sunday,
    totals: [
      { ...nothing, currency: "JPY", captures: 1, captured: 500 },
      { ...nothing, currency: "SEK", captures: 2, captured: 0.3 },
    ],
    lastChargeID: "c4",
  });
  expect(countDay(journal.slice(0, 2), sunday, "countsOneTwice")).toEqual({ businessDay: sunday, totals: [] });
});
