import { expect, it, onTestFinished } from "vitest";
import { startAutopilot } from "../../../infra/local/terminal/autopilot.ts";
import { emptyMemory, type TerminalMemory } from "../../../infra/local/terminal/memory.ts";
import type { TerminalClient, TerminalMessage, TerminalReport } from "../../../infra/local/terminal/terminal-client.ts";
import { waitFor } from "../../support/wait-for.ts";

let messages = 0;
const aMessage = (type: string, more: Partial<TerminalMessage> = {}): TerminalMessage => ({
  messageID: `message ${++messages}`,
  sessionID: "a session",
  sequence: messages,
  expiresInMs: 60_000,
  type,
  ...more,
});
const aPayment = (total: number) => aMessage("payment", { totalAmountInclVat: total, currency: "SEK" });

/** A platform as a terminal sees it: it hands out what it is given, and takes reports while it answers. */
function aPlatform() {
  const waiting: TerminalMessage[] = [];
  const reports: TerminalReport[] = [];
  const did: string[] = [];
  let answers = true;
  let wake = () => {};
  const client: TerminalClient = {
    async next(_, { signal } = {}) {
      did.push("poll");
      if (waiting.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal?.addEventListener("abort", () => resolve(), { once: true });
        });
      return waiting.shift();
    },
    async report(report) {
      if (!answers) return 503;
      did.push(report.type);
      reports.push(report);
      return 200;
    },
    raiseActionRequest: async () => 200,
  };
  return {
    client,
    /** Its polls, and the reports that were taken, in order. */
    did,
    goesAway: () => void (answers = false),
    give(message: TerminalMessage) {
      waiting.push(message);
      wake();
    },
    /** The report of this type, waited for. */
    until: (type: string) => waitFor(`the report ${type}`, async () => reports.find((report) => report.type === type)),
  };
}

function powerOn(platform: ReturnType<typeof aPlatform>, memory?: TerminalMemory) {
  const autopilot = startAutopilot(platform.client, { paceMs: 2, memory });
  onTestFinished(() => autopilot.stop());
  return autopilot;
}

/** What a first start leaves behind when its power is cut. */
async function livedIn(live: (platform: ReturnType<typeof aPlatform>, memory: TerminalMemory) => Promise<unknown>) {
  const platform = aPlatform();
  const memory = emptyMemory();
  const terminal = powerOn(platform, memory);
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
  });

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
  });

  const platform = aPlatform();
  powerOn(platform, memory);
  platform.give(payment);
  await platform.until("authorized");
});

it("charges a card after it has declined, for the amount that scripts it", async () => {
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

it("captures less than requested, for the amount that scripts it", async () => {
  const platform = aPlatform();
  powerOn(platform);
  platform.give(aPayment(100.18));
  const { chargeID } = await platform.until("authorized");

  platform.give(aMessage("capture", { chargeID: String(chargeID), amount: 80 }));

  expect(await platform.until("captured")).toMatchObject({ chargeID, amount: 79.99 });
});
