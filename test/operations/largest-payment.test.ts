import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { terminalReportBody } from "../../shared/contracts/requests/terminal-report.ts";
import { toColumns } from "../../shared/stores/record.ts";
import type { Columns } from "../../shared/ports/rows.ts";
import { aPayment, approval } from "../support/a-payment.ts";
import { largestEvent, widest } from "../support/largest-event.ts";
import { partnerId, terminalId } from "../support/platform.ts";

const KIB = 1024;

const character = widest.ofPartner;

/** A terminal's texts, of more than their greatest length where they are cut. */
const longestWords = () => {
  const words = widest.ofTerminal.repeat(300);
  const lines = Array.from({ length: 120 }, () => words);
  const word = "x".repeat(32);
  const name = "x".repeat(64);
  return {
    detail: words,
    declineCode: "issuerUnavailable",
    hostCode: "9999",
    card: { brand: word, last4: "4242", entryMode: word },
    acquirer: { authorisationCode: name, rrn: name, stan: name, tid: name, mid: name },
    receipt: { customer: lines, merchant: lines },
  };
};

/** The row as it is stored in its table: each text in UTF-16. */
function checkRow(columns: Columns): void {
  for (const value of Object.values(columns)) expect(String(value).length * 2).toBeLessThanOrEqual(64 * KIB);
  const size = Object.entries(columns).reduce(
    (sum, [name, value]) => sum + (name.length + String(value).length) * 2,
    0,
  );
  expect(size).toBeLessThanOrEqual(1024 * KIB - 4 * KIB);
}

/** As the row is sent in a group: JSON in UTF-8. */
const sentSize = (columns: Columns): number => Buffer.byteLength(JSON.stringify(columns));

async function aLivedPayment() {
  const payment = await aPayment({
    captureMode: "automatic",
    merchantName: character.repeat(128),
    terminalName: character.repeat(128),
    webhookUrl: `https://partner.example/${"x".repeat(2_000)}`,
    references: { orderId: character.repeat(64), paymentId: character.repeat(64) },
    metadata: Object.fromEntries(
      Array.from({ length: 10 }, (_, i) => [`${i}`.padStart(40, "n"), character.repeat(200)]),
    ),
  });
  const words = longestWords();
  const sendReport = async (type: string, more: Record<string, unknown>) => {
    const ids = { reportID: randomUUID(), sessionID: payment.sessionId };
    const read = terminalReportBody.parse({ ...ids, type, ...words, ...more });
    if (read.of !== "payment") throw new Error("the report is refused");
    expect(await payment.sendReport(read.report.type, read.report)).toMatchObject({ ok: true });
  };
  return { payment, sendReport };
}

describe("a payment of the largest size", () => {
  it("fits its row, and so does each of its commands and events, with any report", async () => {
    const { payment, sendReport } = await aLivedPayment();
    const { deps } = payment.platform;
    for (let i = 0; i < 12; i++) {
      const discountId = randomUUID();
      await payment.reduce(0.01, { discountId, reason: character.repeat(128) });
      await sendReport("discountApplied", { discountID: discountId });
    }
    const money = { amount: 125.5 - 0.12, currency: "SEK" };
    for (let i = 0; i < 25; i++) {
      const acquirer = { ...longestWords().acquirer, rrn: `${i}`.padEnd(64, "x") };
      await sendReport("authorized", { ...money, chargeID: randomUUID(), acquirer });
    }
    expect((await payment.now()).charges).toHaveLength(20);

    for (let i = 0; i < 100; i++) {
      const names = { refundId: randomUUID(), idempotencyKey: `${i}${'"'.repeat(250)}` };
      expect(await payment.refund(0.01, names, character.repeat(192))).toMatchObject({ code: "ok" });
    }
    for (const [i, { refundId }] of (await payment.now()).refunds.entries()) {
      const made = { amount: 0.01, currency: "SEK" };
      await (i % 2 === 0
        ? sendReport("refundFailed", { refundID: refundId })
        : sendReport("refunded", { refundID: refundId, ...made }));
    }
    const ended = Map.groupBy((await payment.now()).refunds, ({ status }) => status);
    expect([ended.get("failed")?.length, ended.get("succeeded")?.length]).toEqual([50, 50]);

    const row = toColumns(await payment.now());
    checkRow(row);
    const key = { kind: "payment", partnerId, terminalId, sessionId: payment.sessionId } as const;
    const commands = (await deps.commands.ofSubject(key)).map(({ etag: _, ...command }) => toColumns(command));
    commands.forEach(checkRow);
    const largest = Math.max(...commands.map(sentSize));
    expect(sentSize(row) + largest).toBeLessThanOrEqual(4 * KIB * KIB - 100 * KIB);

    await payment.platform.pass(10);
    const events = await deps.feeds.after(partnerId, 0, 1_000);
    expect(events.length).toBeGreaterThan(payment.platform.webhooksSent.length); // the requests of refunds and discounts too
    for (const event of events) checkRow(toColumns(event));
    const bodies = events.map(({ body }) => Buffer.byteLength(body));
    expect(Math.max(...bodies)).toBeLessThanOrEqual(Buffer.byteLength(JSON.stringify(largestEvent())));
  });
});

it("a payment whose texts leave no room refuses another refund or discount, and stays unchanged", async () => {
  const payment = await aPayment({ captureMode: "automatic", webhookUrl: "x".repeat(380_000) });
  expect(await payment.reduce(0.01)).toMatchObject({ ok: false, error: { code: "invalid_state" } });
  await payment.sendReport("authorized", approval);
  const before = await payment.now();
  const detail = "The texts of this payment's refunds and discounts leave no room for another one.";
  expect(await payment.refund(1)).toMatchObject({ code: "invalid_state", currentStatus: "captured", detail });
  expect(await payment.now()).toEqual(before);
});
