import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { startAutopilot } from "../../../packages/terminal/simulated/autopilot.ts";
import { diskMemory } from "../../../packages/terminal/simulated/disk-memory.ts";
import type {
  TerminalClient,
  TerminalMessage,
  TerminalReport,
} from "../../../packages/terminal/simulated/terminal-client.ts";
import { toSettlementFile } from "../../../shared/contracts/objects/settlement-file.ts";
import { toTerminalMessage } from "../../../shared/contracts/objects/terminal-message.ts";
import { terminalReportBody } from "../../../shared/contracts/requests/terminal-report.ts";
import type { PaymentRequest } from "../../../shared/domain/payment/requests/create-payment.ts";
import { recordResolution } from "../../../shared/use-cases/operator/record-resolution.ts";
import { recordReport } from "../../../shared/use-cases/payments/record-report.ts";
import { fetchNext, requested } from "../../support/a-payment.ts";
import { aCall, callFrom } from "../../support/calls.ts";
import { aPlatform, aTerminal, callBy, type Platform } from "../../support/platform.ts";
import { hasPython, withoutPython } from "../../support/python.ts";
import { waitFor } from "../../support/wait-for.ts";
import { settlementOf } from "../../support/settlement.ts";

// A day of the simulated terminal on the platform in memory. The example program matches the platform's file with the acquirer's.

const day = "2026-11-21";
const [whole, bare, coded] = [1, 2, 3].map((last) => `aaaaaaaa-0000-4000-8000-00000000000${last}`);
/** A code that a spreadsheet could take for a formula. */
const CODE = "-00123";

/** The simulated terminal's line to the platform. It tells the references of some refunds only in part. */
function lineTo(platform: Platform): TerminalClient {
  const { deps } = platform;
  const partly = (report: TerminalReport): TerminalReport => {
    const { acquirer: _, ...without } = report;
    if (report.refundID === bare) return without;
    return report.refundID === coded ? { ...without, acquirer: { authorisationCode: CODE } } : report;
  };
  return {
    // It never says which message arrived: by a clock that stands still, two of them are each delivered after the other.
    async next(_, { signal } = {}) {
      const look = async () => (signal?.aborted ? "the power is cut" : fetchNext(platform));
      const row = await waitFor("a message", look);
      return typeof row === "string" ? undefined : (toTerminalMessage(row, deps.clock.now()) as TerminalMessage);
    },
    async report(report) {
      const read = terminalReportBody.parse(partly(report));
      if (read.of === "payment") await recordReport(deps, callFrom(deps, aTerminal()), read.sessionId, read.report);
      await platform.pass();
      return 200;
    },
    raiseActionRequest: async () => 202,
    closeDay: async () => 200,
  };
}

/** Takes payments, and returns money. */
async function live(platform: Platform): Promise<void> {
  const { deps } = platform;
  const payment = async (amount: number, status: string, more: Partial<PaymentRequest> = {}) => {
    const made = await requested(platform, aTerminal(), { amount, vat: 0, captureMode: "automatic", ...more });
    const becomes = (other: string) =>
      waitFor(`a payment that is ${other}`, made.now, { until: (now) => now.status === other });
    await becomes(status);
    return { ...made, becomes };
  };
  const sale = await payment(12_550, "captured");
  await payment(12_550, "captured"); // the same money on the same card
  await payment(9_901, "declined");
  const manual = { captureMode: "manual" } as const;
  const partial = await payment(8_018, "authorized", manual);
  await partial.capture();
  await platform.pass();
  await partial.becomes("captured"); // one minor unit less
  const cancelled = await payment(4_000, "authorized", manual);
  await cancelled.cancel();
  await platform.pass();
  await cancelled.becomes("voided");
  const twice = await payment(6_015, "captured");
  await waitFor("one of two charges that is given back", twice.now, {
    until: ({ charges }) => charges.some(({ status }) => status === "reversed"),
  });
  for (const [i, refundId = ""] of [whole, bare, coded].entries()) {
    await sale.refund(10 + i, { refundId });
    await waitFor("the refund", sale.now, { until: ({ refunds }) => refunds[i]?.status === "succeeded" });
  }
  const given = { of: "outside", outcome: "refunded", amount: 5, reference: "by hand" } as const;
  await recordResolution(deps, aCall(deps), await sale.now(), { ...given, by: "ada", why: "a bank transfer" });
}

/** Lives a day and closes it. Returns the platform's file and the acquirer's. */
async function aDay() {
  const platform = await aPlatform();
  const folder = mkdtempSync(join(tmpdir(), "a-day-"));
  const { memory, save } = diskMemory(folder);
  const terminal = startAutopilot(lineTo(platform), { paceMs: 0, memory, save, today: () => day });
  try {
    await live(platform);
    await terminal.closeDay(day);
    const { deps } = platform;
    const settlement = toSettlementFile(await settlementOf(deps, callBy(deps), day));
    const acquirers = readFileSync(join(folder, `acquirer-${day}.csv`), "utf8");
    const own = memory.movements.find(({ refundID }) => refundID === coded)?.acquirer?.authorisationCode ?? "";
    return { settlement, acquirers: acquirers.replaceAll(own, CODE) };
  } finally {
    await terminal.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Runs the example on the two files. */
function matched(settlement: string, acquirers: string) {
  const folder = mkdtempSync(join(tmpdir(), "match-"));
  const paths = Object.entries({ settlement, acquirers }).map(([name, text]) => {
    writeFileSync(join(folder, `${name}.csv`), text);
    return join(folder, `${name}.csv`);
  });
  const { status, stdout, stderr } = spawnSync("python3", ["examples/settlement-match/match.py", ...paths], {
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  return { status, lines: stdout.split("\n").slice(0, -1), stderr };
}

describe.skipIf(!hasPython)(`the files of a day${withoutPython}`, () => {
  let files: Awaited<ReturnType<typeof aDay>>;
  beforeAll(async () => {
    files = await aDay();
  });

  it("match line by line, with and without references, and the correction is for a person", () => {
    const types = files.acquirers
      .split("\r\n")
      .slice(1, -1)
      .map((line) => line.split(",")[1]);
    expect(types).toEqual(["sale", "sale", "sale", "sale", "sale", "reversal", "refund", "refund", "refund"]);
    expect(files.settlement).toContain(`,visa,4242,'${CODE},,00471100,`);
    expect(files.settlement).toContain(",visa,4242,,,00471100,");
    const { status, lines, stderr } = matched(files.settlement, files.acquirers);
    expect(stderr).toBe("");
    expect(lines.slice(1)).toEqual([
      "9 lines match.",
      expect.stringMatching(/^Correction, for a person: 2026-11-21 correction debit SEK 500 /),
    ]);
    expect(status).toBe(0);
  });

  it("leave a line over, by its name, if the other file lacks it", () => {
    const without = (file: string, part: string) =>
      file
        .split("\r\n")
        .filter((line) => !line.includes(part))
        .join("\r\n");
    const reversal = files.acquirers.split("\r\n").find((line) => line.includes(",reversal,")) ?? "";
    const [, , , , , last4, code, rrn] = reversal.split(",");
    const only = (where: string) =>
      expect.stringMatching(`^${where}: .* reversal SEK 6015 mastercard ${last4} ${code} ${rrn} `) as string;
    const here = matched(files.settlement, without(files.acquirers, ",reversal,"));
    expect(here).toMatchObject({
      status: 1,
      lines: expect.arrayContaining([only("Only in the settlement")]) as string[],
    });

    const shorter = without(files.settlement, ",reversal,");
    expect(matched(shorter, files.acquirers)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("is not complete") as string,
    });
    const there = matched(shorter.replace(/,10(,+)\r\n$/, ",9$1\r\n"), files.acquirers);
    expect(there).toMatchObject({
      status: 1,
      lines: expect.arrayContaining([only("Only at the acquirer")]) as string[],
    });
  });
});
