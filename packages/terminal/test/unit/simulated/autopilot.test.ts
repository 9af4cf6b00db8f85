import { expect, it, onTestFinished } from "vitest";
import { startAutopilot } from "../../../simulated/autopilot.ts";
import { emptyMemory, type TerminalMemory } from "../../../simulated/memory.ts";
import type { TerminalClient } from "../../../simulated/terminal-client.ts";
import { aMessage, aPayment, aPlatform } from "./a-platform.ts";

function powerOn(platform: ReturnType<typeof aPlatform>, memory?: TerminalMemory, paceMs = 2) {
  const autopilot = startAutopilot(platform.client, { paceMs, memory });
  onTestFinished(() => autopilot.stop());
  return autopilot;
}

/** A pace at which a slow payment lasts for seconds, so that the power is cut before its end on any machine. */
const SLOW = 60;

/** The memory that a first start leaves when its power is cut. */
async function livedIn(
  live: (platform: ReturnType<typeof aPlatform>, memory: TerminalMemory) => Promise<unknown>,
  paceMs?: number,
) {
  const platform = aPlatform();
  const memory = emptyMemory();
  const terminal = powerOn(platform, memory, paceMs);
  await platform.until("started");
  await live(platform, memory);
  await terminal.stop();
  return memory;
}

it("reports its start, with a lost memory, before it fetches anything", async () => {
  const platform = aPlatform();
  platform.give(aPayment(100));
  powerOn(platform);

  expect(await platform.until("started")).toMatchObject({ memory: "lost" });
  await platform.until("authorized");
  expect(platform.did).toEqual(["started", "poll", "poll", "accepted", "authorized"]);
});

it("describes its device at its start, and names the charge of its battery with each poll", async () => {
  const platform = aPlatform();
  const charges: (number | undefined)[] = [];
  const next: TerminalClient["next"] = (wait, options) => {
    charges.push(options?.battery);
    return platform.client.next(wait, options);
  };
  platform.give(aPayment(100));
  const device = { about: { model: "Pocket 1", serialNumber: "SIM-7" }, battery: () => 87 };
  const autopilot = startAutopilot({ ...platform.client, next }, { paceMs: 2, device });
  onTestFinished(() => autopilot.stop());

  expect(await platform.until("started")).toMatchObject({ device: { model: "Pocket 1", serialNumber: "SIM-7" } });
  await platform.until("authorized");
  expect(charges).toEqual([87, 87]);
});

it("repeats the report of its lost memory until that report gets a response", async () => {
  const memory = emptyMemory();
  const deaf = aPlatform();
  deaf.goesAway();
  await powerOn(deaf, memory).stop();
  expect(deaf.did).toEqual([]);

  const platform = aPlatform();
  powerOn(platform, memory);
  expect(await platform.until("started")).toMatchObject({ memory: "lost" });
});

it("sends after a power cut the reports that were due before it", async () => {
  const memory = await livedIn(async (platform, memory) => {
    platform.goesAway();
    platform.give(aPayment(100));
    await expect.poll(() => memory.outbox.length).toBe(2);
  });

  const platform = aPlatform();
  powerOn(platform, memory);
  await platform.until("authorized");
  expect(platform.did.filter((what) => what !== "poll")).toEqual(["started", "accepted", "authorized"]);
  expect(await platform.until("started")).toMatchObject({ memory: "kept" });
});

it("fails the payment that the power cut ended, and charges no card for it", async () => {
  const memory = await livedIn(async (platform) => {
    platform.give(aPayment(100.07)); // slow to pay
    await platform.until("accepted");
  }, SLOW);

  const platform = aPlatform();
  powerOn(platform, memory);
  expect(await platform.until("failed")).toMatchObject({ sessionID: "a session", detail: "the power was cut" });
  platform.give(aMessage("statusQuery"));
  await expect.poll(() => platform.did.filter((what) => what === "failed")).toHaveLength(2);
  expect(platform.did).not.toContain("authorized");
});

it("carries out after a power cut the messages that it had fetched before it", async () => {
  const payment = aPayment(100.06); // slow to accept
  const memory = await livedIn(async (platform, memory) => {
    platform.give(payment);
    await expect.poll(() => memory.reports.size).toBe(1);
  }, SLOW);

  const platform = aPlatform();
  powerOn(platform, memory);
  platform.give(payment);
  await platform.until("authorized");
});

it("says why a card was declined, and prints it", async () => {
  const platform = aPlatform();
  powerOn(platform);
  platform.give(aPayment(100.01));
  const lines = ["Shop", "Declined", "100.01 SEK", "visa **** 4242"];
  expect(await platform.until("declined")).toMatchObject({
    declineCode: "insufficientFunds",
    hostCode: "51",
    receipt: { customer: [...lines, "Customer copy"], merchant: [...lines, "Merchant copy"] },
  });
});

it("charges a card after it has declined, for the amount of that script", async () => {
  const platform = aPlatform();
  powerOn(platform);
  platform.give(aPayment(100.17));

  const { chargeID } = await platform.until("authorized");
  platform.give(aMessage("void", { chargeID: String(chargeID) }));

  expect(await platform.until("voided")).toMatchObject({ chargeID });
  expect(platform.did.filter((what) => what !== "poll")).toEqual([
    "started",
    "accepted",
    "declined",
    "authorized",
    "voided",
  ]);
});

it("captures less than requested, for the amount of that script", async () => {
  const platform = aPlatform();
  powerOn(platform);
  platform.give(aPayment(100.18));
  const { chargeID } = await platform.until("authorized");

  platform.give(aMessage("capture", { chargeID: String(chargeID), amount: 80 }));

  expect(await platform.until("captured")).toMatchObject({ chargeID, amount: 79.99 });
});

it("begins a session once, even if another message requests it, and answers with how it ended", async () => {
  const platform = aPlatform();
  powerOn(platform);
  platform.give(aPayment(100));
  const { chargeID } = await platform.until("authorized");

  const again = aMessage("payment", { sessionID: "A SESSION", totalAmountInclVat: 100, currency: "SEK" });
  platform.give(again);
  await expect.poll(() => platform.told("authorized")).toHaveLength(2);
  expect(platform.told("authorized").at(-1)).toMatchObject({ chargeID, messageID: again.messageID });
  expect(platform.told("accepted")).toHaveLength(1);
});

it("begins a session once even if another message requests it before the first is accepted", async () => {
  const platform = aPlatform();
  powerOn(platform);
  platform.give(aPayment(100.06)); // slow to accept
  platform.give(aPayment(100.06));
  // On a slow machine the second message finds an ended payment, and gets its result.
  const begun = () => [...platform.told("accepted"), ...platform.told("authorized")];
  await expect.poll(() => new Set(begun().map(({ messageID }) => messageID)).size).toBe(2);
  await platform.until("authorized");
  const query = aMessage("statusQuery");
  platform.give(query);
  await expect.poll(() => platform.told("authorized").map(({ messageID }) => messageID)).toContain(query.messageID);
  expect(new Set(platform.told("authorized").map(({ chargeID }) => chargeID)).size).toBe(1);
});

it("makes a refund once, whichever message requests it, even after a query about that refund", async () => {
  const platform = aPlatform();
  powerOn(platform);
  platform.give(aPayment(100, { captureMode: "automatic" }));
  const { chargeID } = await platform.until("authorized");
  const refund = (refundID: string) =>
    platform.give(aMessage("refund", { refundID, chargeID: String(chargeID), amount: 10, currency: "SEK" }));

  platform.give(aMessage("statusQuery", { refundID: "a refund" }));
  expect(await platform.until("refundFailed")).toMatchObject({ refundID: "a refund" });
  refund("a refund");
  expect(await platform.until("refunded")).toMatchObject({ refundID: "a refund", amount: 10 });

  refund("A REFUND");
  platform.give(aMessage("statusQuery", { refundID: "a refund" }));
  await expect.poll(() => platform.told("refunded")).toHaveLength(3);
  expect(platform.told("refunded").map(({ refundID }) => refundID)).toEqual(Array(3).fill("a refund"));
});

it("refunds no more than it captured, even if the messages name no charge and the power was cut", async () => {
  const refund = (refundID: string, amount: number) => aMessage("refund", { refundID, amount, currency: "SEK" });
  const memory = await livedIn(async (platform) => {
    platform.give(aPayment(100.18)); // captures one minor unit less
    await platform.until("authorized");
    platform.give(aMessage("capture", { amount: 80, currency: "SEK" }));
    await platform.until("captured");
    platform.give(refund("a part", 50));
    await platform.until("refunded");
  });

  const platform = aPlatform();
  powerOn(platform, memory);
  platform.give(refund("too much", 30));
  expect(await platform.until("refundFailed")).toMatchObject({ refundID: "too much" });
  platform.give(refund("the rest", 29.99));
  expect(await platform.until("refunded")).toMatchObject({ refundID: "the rest", amount: 29.99 });
});
