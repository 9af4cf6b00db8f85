import { randomUUID } from "node:crypto";
import { ServiceBusClient } from "@azure/service-bus";
import { afterAll, beforeAll, expect, it } from "vitest";
import { terminalClient } from "../../packages/terminal/simulated/terminal-client.ts";
import { operatorOf } from "../support/admin.ts";
import { logLinesIn } from "../support/log-lines.ts";
import { startTroubledStack, type TroubledStack } from "../support/troubled-stack.ts";

let troubled: TroubledStack;
beforeAll(async () => {
  troubled = await startTroubledStack();
});
afterAll(async () => troubled.stop());

const approval = (more: object = {}) => ({
  reportID: randomUUID(),
  type: "authorized",
  sessionID: randomUUID(),
  chargeID: randomUUID(),
  amount: 125.5,
  currency: "SEK",
  ...more,
});

it("a refused report about money reaches the operator, even if the tables were away meanwhile", async () => {
  const { stack, log } = troubled;
  const { shown } = operatorOf(stack.file);
  const { partnerID, terminals } = await stack.addPartner({ withoutAutopilot: true });
  const { pointOfServiceID, terminalKey } = terminals.silent;
  const { terminalsUrl } = stack.file;
  const terminal = terminalClient({ terminalsUrl, terminalKey });
  const stranger = terminalClient({ terminalsUrl, terminalKey: `${terminalKey}x` });

  let refusedWrites = 0;
  troubled.decide((body) => {
    if (!body.includes("alert~") || refusedWrites >= 6) return "pass";
    refusedWrites++;
    return "unavailable";
  });
  const unknown = approval({ detail: "do not honour" });
  expect(await terminal.report(unknown)).toBe(404);
  expect(await terminal.report(unknown)).toBe(404);
  expect(await terminal.report(approval({ chargeID: undefined }))).toBe(422);
  expect(await stranger.report(approval())).toBe(401);

  const alert = "orphanReport";
  const named = { alert, partnerID, pointOfServiceID, day: new Date().toISOString().slice(0, 10) };
  const open = () => shown<{ count: number }[]>("alert", "list");
  await expect.poll(open, { timeout: 30_000 }).toMatchObject([{ ...named, status: "open", count: 2 }]);
  expect(refusedWrites).toBe(6);
  const [kept, ...others] = await shown<{ reports: { refusedAs: string }[] }[]>("alert", "show", pointOfServiceID);
  expect(others).toEqual([]);
  const byRefusal = kept?.reports.toSorted((a, b) => (a.refusedAs < b.refusedAs ? -1 : 1));
  expect(byRefusal).toMatchObject([
    {
      refusedAs: "payment_not_found",
      reported: { chargeID: unknown.chargeID, amount: "125.5", detail: "do not honour" },
    },
    { refusedAs: "validation_failed", wrong: ["chargeID"] },
  ]);
  const lines = async () => logLinesIn(await log()).filter((line) => line.alert === alert);
  await expect.poll(async () => new Set((await lines()).map(({ cause }) => cause)).size).toBe(2);
  expect((await lines())[0]).toMatchObject({ level: "error", terminal: pointOfServiceID, day: named.day });

  const close = (...words: string[]) =>
    shown("alert", "close", pointOfServiceID, alert, ...words, "--by", "ada", "--why", "given back by the acquirer");
  await expect(close("--day", "2020-01-01")).rejects.toThrow(/no such alert/);
  expect(await close("--day", named.day)).toMatchObject({ status: "closed" });
  expect(await open()).toEqual([]);
  expect(await terminal.report(unknown)).toBe(404);
  expect(await terminal.report(approval())).toBe(404);
  await expect.poll(open, { timeout: 30_000 }).toMatchObject([{ ...named, count: 3 }]);
});

it("a message on which every worker fails raises an alert and becomes a dead letter", async () => {
  const { stack, log } = troubled;
  troubled.decide(() => "pass");
  const { shown } = operatorOf(stack.file);
  const client = new ServiceBusClient(stack.file.serviceBus);
  try {
    await client.createSender("deadlines").sendMessages({
      body: { v: 7 },
      messageId: "Stray-1",
      applicationProperties: { unreadSince: "2026-01-01T00:00:00.000Z" }, // longer than any message waits
    });
    const alert = { alert: "deadLetter", platform: true, about: "deadlines~stray-1", status: "open", count: 1 };
    const ofPlatform = () => shown<unknown[]>("alert", "show", "platform").catch(() => []);
    await expect.poll(ofPlatform, { timeout: 30_000 }).toMatchObject([alert]);
    const buried = client.createReceiver("deadlines", { subQueueType: "deadLetter" });
    await expect.poll(() => buried.peekMessages(10)).toMatchObject([{ messageId: "Stray-1" }]);
  } finally {
    await client.close();
  }
  const raised = { event: "alertRaised", alert: "deadLetter", about: "deadlines~stray-1", cause: "stray-1" };
  const written = await log();
  expect(logLinesIn(written)).toContainEqual(expect.objectContaining(raised));
  expect(written).toContain("failed on message Stray-1: ZodError");
  expect(written).not.toContain("Invalid input"); // only the error's message could contain caller data
  const close = await shown("alert", "close", "platform", "deadLetter", "--by", "ada", "--why", "nobody's message");
  expect(close).toMatchObject({ status: "closed", platform: true });
  expect(JSON.stringify(await shown("alert", "list"))).not.toContain("stray-1");

  const letters = () => shown<{ sequenceNumber: string }[]>("dead-letter", "list");
  const [letter] = await letters();
  expect(letter).toMatchObject({ queue: "deadlines", reason: "MaxDeliveryCountExceeded", what: "not of this version" });
  const named = ["deadlines", letter?.sequenceNumber ?? ""];
  expect(await shown("dead-letter", "show", ...named)).toMatchObject({
    deliveries: 50,
    body: '{"v":7}',
    properties: { unreadSince: "2026-01-01T00:00:00.000Z" },
  });
  expect(await shown("dead-letter", "replay", ...named)).toMatchObject({ summary: "1 dead letter sent again" });
  const again = async () => (await letters()).filter(({ sequenceNumber }) => sequenceNumber !== letter?.sequenceNumber);
  await expect.poll(again, { timeout: 30_000 }).toHaveLength(1); // no worker can read the copy either
  await expect(shown("dead-letter", "purge", "deadlines", "--all")).rejects.toThrow("--yes");
  expect(await shown("dead-letter", "purge", "deadlines", "--all", "--yes")).toMatchObject({
    summary: "1 dead letter removed",
  });
  expect(await letters()).toEqual([]);
});
