import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startHandPlayed } from "../../../live/hand-played.ts";
import { watchTerminal } from "../../../live/terminal-watch.ts";
import { diskMemory } from "../../../../terminal/simulated/disk-memory.ts";
import { onMains } from "../../../../terminal/simulated/device.ts";
import { volatileMemory } from "../../../../terminal/simulated/memory.ts";
import { aMessage, aPayment, aPlatform } from "../../../../terminal/test/unit/simulated/a-platform.ts";

/** A terminal that a person plays, on a platform of the test. */
function aTerminal(store = volatileMemory()) {
  const platform = aPlatform();
  const watch = watchTerminal({ now: Date.now, noticeMs: 600_000, changed: () => {} });
  const terminal = startHandPlayed(platform.client, {
    watch,
    paceMs: 2,
    changed: () => {},
    store,
    device: onMains("SIM-1"),
  });
  onTestFinished(async () => {
    watch.stop();
    await terminal.stop();
  });
  const display = () => terminal.state().display;
  return {
    platform,
    terminal,
    display,
    journal: () => watch.journal().map(({ direction, type, status }) => [direction, type, status]),
    async showing(mode: string) {
      await expect.poll(() => display().mode).toBe(mode);
    },
    async offered(total: number, more = {}) {
      platform.give(aPayment(total, more));
      await expect.poll(() => display().mode).toBe("payment");
    },
  };
}

it("shows the content of the payment's message, and waits", async () => {
  const { offered, display, platform } = aTerminal();
  expect(display()).toEqual({ mode: "idle", prompt: "Welcome" });
  await offered(125.5, { totalVatAmount: 25.1, merchantName: "A kiosk" });
  expect(display()).toEqual({
    mode: "payment",
    prompt: "Present card",
    sessionId: "a session",
    currency: "SEK",
    merchantName: "A kiosk",
    amount: 12_550,
    vat: 2_510,
    expiresAt: expect.any(Number),
  });
  expect(platform.told("authorized")).toEqual([]);
});

it.each([
  [{ do: "tap" }, "authorized", { amount: 125.5, card: { entryMode: "contactless" } }, "approved"],
  [{ do: "insert" }, "authorized", { amount: 125.5, card: { entryMode: "chip" } }, "approved"],
  [{ do: "approveOther", amount: 10_000 }, "authorized", { amount: 100 }, "approved"],
  [{ do: "decline" }, "declined", { detail: "the card's bank refused" }, "declined"],
  [{ do: "cancel" }, "cancelled", { detail: "cancelled by the customer" }, "cancelled"],
] as const)("a person ends a payment by %o", async (action, type, report, mode) => {
  const { terminal, offered, platform, showing } = aTerminal();
  await offered(125.5);
  await terminal.act(action);
  expect(await platform.until(type)).toMatchObject({ sessionID: "a session", ...report });
  await showing(mode);
});

it("shows the discount and the remaining amount, and charges that", async () => {
  const { terminal, offered, platform, display } = aTerminal();
  await offered(125.5, { totalVatAmount: 25.1 });
  const left = { amount: 5.5, totalAmountInclVat: 120, totalVatAmount: 24, currency: "SEK" };
  platform.give(aMessage("discount", { discountID: "a discount", ...left }));
  await platform.until("discountApplied");
  expect(display()).toMatchObject({ mode: "payment", amount: 12_000, vat: 2_400, discount: 550 });
  await terminal.act({ do: "tap" });
  expect(await platform.until("authorized")).toMatchObject({ amount: 120 });
});

const tip = { percents: [10], amounts: [20], custom: true, maximum: 30 };

it("charges the chosen tip up to the maximum, or none, and names it", async () => {
  const { terminal, offered, platform, display } = aTerminal();
  await offered(100, { tip });
  expect(display()).toMatchObject({ amount: 10_000, tip: { percents: [10], amounts: [2_000], maximum: 3_000 } });
  await terminal.act({ do: "tip", amount: 2_000 });
  await terminal.act({ do: "tip", amount: 1_000 });
  await expect(terminal.act({ do: "tip", amount: 3_001 })).rejects.toThrow("at most its maximum");
  expect(display()).toMatchObject({ amount: 10_000, tip: { chosen: 1_000 } });
  await terminal.act({ do: "tap" });
  expect(await platform.until("authorized")).toMatchObject({ amount: 110, tipAmount: 10 });

  await offered(50, { sessionID: "another session", tip });
  await terminal.act({ do: "tap" });
  await expect.poll(() => platform.told("authorized")).toHaveLength(2);
  expect(platform.told("authorized")[1]).toMatchObject({ amount: 50, tipAmount: 0 });
});

it("takes more than the largest tip only as another amount, of which it names no part", async () => {
  const { terminal, offered, platform } = aTerminal();
  await offered(100, { tip });
  await terminal.act({ do: "approveOther", amount: 13_001 });
  const report = await platform.until("authorized");
  expect(report).toMatchObject({ amount: 130.01 });
  expect(report).not.toHaveProperty("tipAmount");
});

it("a discount ends the choice of a tip, and the question if it has none", async () => {
  const { terminal, offered, platform, display } = aTerminal();
  await offered(100, { tip });
  await terminal.act({ do: "tip", amount: 3_000 });
  const discount = (left: number) => ({
    discountID: `to ${left}`,
    amount: 10,
    totalAmountInclVat: left,
    currency: "SEK",
  });
  platform.give(aMessage("discount", { ...discount(90), tip: { ...tip, maximum: 27 } }));
  await expect.poll(display).toMatchObject({ amount: 9_000, tip: { maximum: 2_700 } });
  expect(display().tip).not.toHaveProperty("chosen");
  platform.give(aMessage("discount", discount(80)));
  await expect.poll(display).toMatchObject({ amount: 8_000 });
  await expect(terminal.act({ do: "tip", amount: 1_000 })).rejects.toThrow("asks for no tip");
  await terminal.act({ do: "tap" });
  expect(await platform.until("authorized")).toMatchObject({ amount: 80 });
});

it("a cancel ends the waiting payment, and comes too late for a card that is being read", async () => {
  const first = aTerminal();
  await first.offered(100);
  first.platform.give(aMessage("cancel"));
  expect(await first.platform.until("cancelled")).toMatchObject({ detail: "cancelled by the shop" });

  const second = aTerminal();
  await second.offered(100);
  await second.terminal.act({ do: "loseNetwork" });
  await second.terminal.act({ do: "insert" });
  await second.showing("working");
  await second.terminal.act({ do: "findNetwork" });
  second.platform.give(aMessage("cancel"));
  expect(await second.platform.until("authorized")).toMatchObject({ amount: 100 });
  expect(second.platform.told("cancelled")).toEqual([]);
});

it("charges a second card, and reports the first charge again, under new reportIDs", async () => {
  const { terminal, offered, platform, display } = aTerminal();
  await offered(100);
  await terminal.act({ do: "tap" });
  const first = await platform.until("authorized");
  await terminal.act({ do: "answerTwice" });
  await terminal.act({ do: "secondCard" });
  expect(display()).toMatchObject({ prompt: "Second card approved", amount: 10_000 });
  await expect.poll(() => platform.told("authorized")).toHaveLength(3);
  const [, again, second] = platform.told("authorized");
  expect(again).toEqual({ ...first, reportID: again?.reportID, agoMs: again?.["agoMs"] });
  expect(second?.chargeID).not.toBe(first.chargeID);
  expect([first["card"], second?.["card"]]).toMatchObject([{ last4: "4242" }, { last4: "5454" }]);
  expect(new Set([first, again, second].map((report) => report?.reportID)).size).toBe(3);

  await terminal.act({ do: "pullPlug", forget: false });
  await terminal.act({ do: "powerOn" }); // it still knows which charge is the second one
  platform.give(aMessage("void", { chargeID: second?.chargeID ?? "" }));
  await expect.poll(display).toMatchObject({ prompt: "Second card's charge reversed", amount: 10_000 });
  platform.give(aMessage("void", { chargeID: first.chargeID ?? "" }));
  await expect.poll(display).toMatchObject({ prompt: "Money released to the card", amount: 10_000 });
  await offered(20, { sessionID: "another session" });
  await terminal.act({ do: "answerTwice" }); // about the earlier payment, so the prompt stays
  expect(display()).toMatchObject({ mode: "payment", prompt: "Present card", amount: 2_000 });
});

it("shows its totals, and closes its day correctly and with a lie, under different closingIDs", async () => {
  const { terminal, offered, platform, journal } = aTerminal();
  expect(terminal.state().day).toMatchObject({ totals: [] });
  await expect(terminal.act({ do: "closeDay", lie: "leavesOneOut" })).rejects.toThrow("no captured payment");
  await offered(125.5, { captureMode: "automatic" });
  await terminal.act({ do: "tap" });
  await platform.until("authorized");
  expect(terminal.state().day).toMatchObject({ totals: [{ currency: "SEK", captures: 1, captured: 12_550 }] });

  await terminal.act({ do: "closeDay", lie: "leavesOneOut" });
  await terminal.act({ do: "closeDay", lie: "countsOneTwice" });
  await terminal.act({ do: "closeDay" });
  await expect.poll(() => platform.closings).toHaveLength(3);
  const said = platform.closings.map(({ totals: [one] }) => one?.captured);
  expect(said).toEqual([undefined, 251, 125.5]);
  expect(new Set(platform.closings.map(({ closingID }) => closingID)).size).toBe(3);
  expect(journal()[0]).toEqual(["out", "dayTotals", 200]);
});

it("keeps the closing of its day while it has no network, and while it has no power", async () => {
  const { terminal, platform } = aTerminal();
  await terminal.act({ do: "loseNetwork" });
  await terminal.act({ do: "closeDay" });
  expect(terminal.state()).toMatchObject({ unsent: 1 });
  await terminal.act({ do: "pullPlug", forget: false });
  await expect(terminal.act({ do: "closeDay" })).rejects.toThrow("no power");
  await terminal.act({ do: "powerOn" });
  await expect.poll(() => platform.closings.length).toBeGreaterThan(0);
});

it("keeps its reports while it has no network, and sends them once it has", async () => {
  const { terminal, offered, platform, showing } = aTerminal();
  await offered(100);
  await terminal.act({ do: "loseNetwork" });
  await terminal.act({ do: "tap" });
  await showing("approved");
  expect(terminal.state()).toMatchObject({ power: "lost", unsent: 1 });
  expect(platform.told("authorized")).toEqual([]);
  await terminal.act({ do: "findNetwork" });
  await platform.until("authorized");
  await expect.poll(() => terminal.state()).toMatchObject({ power: "on", unsent: 0 });
});

it("fails the payment that a power cut ended, if it keeps its memory", async () => {
  const { terminal, offered, platform, display } = aTerminal();
  await offered(100);
  await terminal.act({ do: "pullPlug", forget: false });
  expect([terminal.state().power, display().mode]).toEqual(["off", "off"]);
  await terminal.act({ do: "powerOn" });
  expect(await platform.until("failed")).toMatchObject({ detail: "the power was cut" });
  expect(platform.told("started").map(({ memory }) => memory)).toEqual(["lost", "kept"]);
});

it("knows nothing of the payment if it lost its memory, and reports the loss", async () => {
  const { terminal, offered, platform } = aTerminal();
  await offered(100);
  await terminal.act({ do: "tap" });
  await platform.until("authorized");
  await terminal.act({ do: "pullPlug", forget: true });
  await terminal.act({ do: "powerOn" });
  await expect.poll(() => platform.told("started").map(({ memory }) => memory)).toEqual(["lost", "lost"]);
  platform.give(aMessage("statusQuery"));
  await platform.until("notStarted");
  await expect(terminal.act({ do: "secondCard" })).rejects.toThrow("remembers no approved payment");
});

it("raises an action request about the waiting payment, and shows the shop's answer", async () => {
  const { terminal, offered, platform, display, journal } = aTerminal();
  await offered(100);
  await terminal.act({ do: "askPartner", actionCode: "openGate", description: "Open gate 4?" });
  expect(display()).toMatchObject({ mode: "payment", prompt: "Asking the shop: Open gate 4?" });
  await expect.poll(() => platform.questions).toHaveLength(1);
  const [question] = platform.questions;
  expect(question).toMatchObject({ actionCode: "openGate", description: "Open gate 4?", sessionID: "a session" });
  const actionRequestID = question?.actionRequestID ?? "";
  const { sessionID: _, ...answer } = aMessage("actionAnswer", { actionRequestID, responseCode: "accepted" });
  platform.give(answer);
  await platform.until("acknowledged");
  expect(display().prompt).toBe("The shop says yes");
  expect(journal().slice(0, 3)).toEqual([
    ["out", "acknowledged", 200],
    ["in", "actionAnswer", undefined],
    ["out", "actionRequest", 202],
  ]);
});

it.each([
  [{ do: "tap" }, "There is nothing to pay at this terminal."],
  [{ do: "cancel" }, "There is nothing to pay at this terminal."],
  [{ do: "answerTwice" }, "The terminal remembers no approved payment."],
  [{ do: "powerOn" }, "The terminal already has power."],
  [{ do: "findNetwork" }, "The terminal already has its network."],
] as const)("refuses what makes no sense: %o", async (action, sentence) => {
  const { terminal, platform } = aTerminal();
  await platform.until("started");
  await expect(terminal.act(action)).rejects.toThrow(sentence);
});

it("refuses everything except power while it has none", async () => {
  const { terminal, platform } = aTerminal();
  await platform.until("started");
  await terminal.act({ do: "pullPlug", forget: false });
  const all = ["tap", "insert", "decline", "secondCard", "loseNetwork"] as const;
  for (const action of all)
    await expect(terminal.act({ do: action })).rejects.toThrow("The terminal has no power: plug it in first.");
  await terminal.act({ do: "powerOn" });
  expect(terminal.state().power).toBe("on");
});

it("remembers payments taken by hand on a disk, even if a script would refuse the refund, until it is told to forget", async () => {
  const folder = mkdtempSync(join(tmpdir(), "counter-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const before = aTerminal(diskMemory(folder));
  await before.offered(125.12); // on autopilot its refunds would fail
  await before.terminal.act({ do: "tap" });
  const { chargeID } = await before.platform.until("authorized");
  await before.terminal.stop();

  const { terminal, platform } = aTerminal(diskMemory(folder));
  platform.give(aMessage("capture", { chargeID: String(chargeID), amount: 125.12, currency: "SEK" }));
  await platform.until("captured");
  platform.give(aMessage("refund", { refundID: "a refund", chargeID: String(chargeID), amount: 20, currency: "SEK" }));
  expect(await platform.until("refunded")).toMatchObject({ refundID: "a refund", amount: 20 });
  await terminal.act({ do: "pullPlug", forget: true });

  const { platform: last } = aTerminal(diskMemory(folder));
  expect(await last.until("started")).toMatchObject({ memory: "lost" });
});
