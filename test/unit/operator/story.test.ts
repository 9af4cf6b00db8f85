import { describe, expect, it } from "vitest";
import { storyOf } from "../../../infra/operator/common/story.ts";
import { inspectPayment } from "../../../shared/use-cases/operator/inspect/inspect-payment.ts";
import { cancelPayment } from "../../../shared/use-cases/payments/cancel-payment.ts";
import { recordResolution } from "../../../shared/use-cases/operator/record-resolution.ts";
import type { PaymentKey } from "../../../shared/ports/subjects.ts";
import { aCharge, aPaymentIn, aPaymentOn, approval, now } from "../../support/a-payment.ts";
import { aCall } from "../../support/calls.ts";
import { aPlatform, callBy, type Platform } from "../../support/platform.ts";

async function storyIn({ deps }: Platform, key: PaymentKey): Promise<readonly string[]> {
  const found = await inspectPayment(deps, aCall(deps), key);
  if (found === undefined || typeof found === "string") throw new Error("there is no such payment");
  return storyOf(found, undefined);
}

describe("the story of a payment", () => {
  it("describes a capture in the order in which it happened, with its money and its webhooks", async () => {
    const platform = await aPlatform();
    const { key, fetch, sendReport } = await aPaymentOn(platform, { captureMode: "automatic" });
    await fetch();
    await sendReport("accepted");
    await sendReport("authorized", approval);
    const lines = await storyIn(platform, key);
    expect(lines.filter((line) => line.startsWith("2026"))).toEqual([
      "2026-11-21T10:00:00.000Z  1. The partner requested the payment of 125.50 SEK: pending.",
      "2026-11-21T10:00:00.000Z  2. The terminal reported that it accepted the payment: pending → inProgress.",
      "2026-11-21T10:00:00.000Z  3. The terminal reported an approval of 125.50 SEK: inProgress → captured.",
    ]);
    expect(lines.map((line) => line.trim())).toEqual(
      expect.arrayContaining([
        "Webhook payment.captured: delivered, 1 attempt: delivered 204, 1 ms.",
        "Authorized 125.50 SEK, captured 125.50 SEK, refunded 0.00 SEK.",
        "Charge charge-1: 125.50 SEK, captured.",
      ]),
    );
    expect(lines.at(-1)).toBe(
      "It is captured: the terminal reported that it was approved and captured. The merchant has 125.50 SEK from this payment.",
    );
  });

  it("names the amount of each change of money, as it was requested, reported or recorded", async () => {
    const platform = await aPlatform();
    const payment = await aPaymentOn(platform);
    const [discountId, refundId] = ["discount-1", "refund-1"];
    await payment.fetch();
    await payment.reduce(5, { discountId });
    await platform.pass();
    await payment.sendReport("discountApplied", { discountId });
    const own = { ...approval, amount: 12_050 };
    await payment.sendReport("authorized", own);
    await payment.capture();
    await payment.sendReport("captured", own);
    await payment.refund(20, { refundId });
    await payment.sendReport("refunded", { refundId, amount: 1_900, currency: "SEK" });
    await payment.sendReport("authorized", { chargeId: "charge-2", amount: 700, currency: "EUR" });
    const other = await aPaymentOn(platform);
    await other.fetch();
    await other.sendReport("authorized", { ...approval, amount: 12_509 });
    const changes = [...(await storyIn(platform, payment.key)), ...(await storyIn(platform, other.key))]
      .flatMap((line) => /^2026\S+ {2}\d+\. (.*?)[:;]/.exec(line)?.[1] ?? [])
      .filter((change) => change.includes(" of "));
    expect(changes).toEqual([
      "The partner requested the payment of 125.50 SEK",
      "The partner requested a discount of 5.00 SEK",
      "The terminal reported that a discount of 5.00 SEK was applied",
      "The terminal reported an approval of 120.50 SEK",
      "The partner requested the capture of 120.50 SEK",
      "The terminal reported a capture of 120.50 SEK",
      "The partner requested a refund of 20.00 SEK",
      "The terminal reported a refund of 19.00 SEK",
      "The terminal reported an approval of 7.00 EUR",
      "The partner requested the payment of 125.50 SEK",
      "The terminal reported an approval of 125.09 SEK, another amount than the requested one",
    ]);
  });

  it("names the request, the key and the trace of a partner's change, and says that the partner ended the payment", async () => {
    const platform = await aPlatform();
    const { deps } = platform;
    const { sessionId, key, now } = await aPaymentOn(platform);
    const call = {
      ...callBy(deps),
      keyId: "0f3a91c2d4e5b6a7",
      requestId: "8d0a4c52-1f0d-4c37-b1d8-6a4f7c3e9b02",
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    };
    await cancelPayment(deps, call, { sessionId, terminalId: (await now()).terminalId });
    const lines = (await storyIn(platform, key)).map((line) => line.trim());
    expect(lines).toContain("request 8d0a4c52-1f0d-4c37-b1d8-6a4f7c3e9b02");
    expect(lines).toContain("key 0f3a91c2d4e5b6a7");
    expect(lines).toContain("trace 4bf92f3577b34da6a3ce929d0e0e4736");
    expect(lines.at(-1)).toBe(
      "It is cancelled because the partner cancelled it (cancelledByPartner). The merchant has no money from this payment.",
    );
  });

  it("quotes the terminal, and names what was given up and which alert is open", async () => {
    const platform = await aPlatform();
    platform.deps.webhooks.send = async () => ({
      kind: "failed",
      reason: "malformed",
      code: "HPE_CR_EXPECTED",
      ms: 87,
    });
    platform.deps.webhooks.nextAttemptAfter = () => undefined;
    const { key, sendReport } = await aPaymentOn(platform);
    await sendReport("declined", { detail: "Do not honour" });
    await sendReport("authorized", approval);
    const lines = (await storyIn(platform, key)).map((line) => line.trim());
    expect(lines).toContain("Webhook payment.declined: given up, 1 attempt: malformed HPE_CR_EXPECTED, 87 ms.");
    expect(lines.find((line) => line.startsWith("Alert unwantedApproval"))).toMatch(
      /is open, raised 1 time, last at 2026.*: The terminal reported a charge of 125\.50 SEK .*after the payment was declined\.$/,
    );
    expect(lines.at(-1)).toBe(
      'It is declined because the terminal reported this outcome (terminalReported). A charge of 125.50 SEK is being reversed. Apart from that, the merchant has 0.00 SEK from this payment. The terminal\'s words: "Do not honour".',
    );
  });

  it("shows changes that repeat as one, with their number and their last time", async () => {
    const platform = await aPlatform();
    const { key, sendReport } = await aPaymentOn(platform);
    await sendReport("authorized", approval);
    await platform.pass(36 * 3600 + 5 * 24 * 3600);
    const lines = await storyIn(platform, key);
    expect(lines.slice(lines.findIndex((line) => line.includes("  3. ")))).toEqual(
      expect.arrayContaining([
        "2026-11-23T04:00:00.000Z  4–23. The platform found that a charge was not returned yet, and goes on trying; it stays voidRequested, 20 times until 2026-11-27T22:00:00.000Z.",
        expect.stringMatching(/^ +Raised the alert reversalFailed of charge-1, 4 times\.$/),
      ]),
    );
    expect(lines.filter((line) => line.startsWith("2026"))).toHaveLength(4);
  });

  it("names what is still to come", async () => {
    const platform = await aPlatform();
    const { key, fetch, sendReport } = await aPaymentOn(platform);
    await fetch();
    await sendReport("authorized", approval);
    const lines = await storyIn(platform, key);
    expect(lines).toContain("Deadline capture is due at 2026-11-22T22:00:00.000Z.");
    expect(lines.at(-1)).toBe(
      "It is authorized: the terminal approved it, and the partner has not captured it yet. The merchant has 0.00 SEK from this payment; 125.50 SEK was authorized.",
    );
  });
});

it("names who resolved it and why, and quotes the note as the operator's", async () => {
  const platform = await aPlatform();
  const { deps } = platform;
  const { key, fetch, sendReport, now } = await aPaymentOn(platform);
  await fetch();
  await sendReport("authorized", approval);
  const said = { of: "payment", outcome: "paid", amount: 80 } as const;
  const words = { by: "ada", why: "Mr Berg phoned", note: "found at the acquirer", businessDay: "2026-11-21" };
  expect(await recordResolution(deps, aCall(deps), await now(), { ...said, ...words })).toMatchObject({ ok: true });
  const lines = (await storyIn(platform, key)).map((line) => line.trim());
  expect(lines.join("\n")).toContain(
    "An operator recorded that the payment is paid with 80.00 SEK: authorized → captured",
  );
  expect(lines).toContain('Decided by ada: "Mr Berg phoned".');
  expect(lines).toContain('Note for the partner: "found at the acquirer".');
  expect(lines).toContain("A correction of 80.00 SEK to the merchant counts in the comparison of the day 2026-11-21.");
  expect(lines.at(-1)).toBe(
    "It is captured because an operator recorded the outcome (settledByOperator). " +
      "The merchant has 80.00 SEK from this payment; the amount to pay was 125.50 SEK. " +
      `The operator's note for the partner: "found at the acquirer".`,
  );
});

it("names the acquirer's reference of money that was returned outside, with the change and with the refund", async () => {
  const platform = await aPlatform();
  const { key, sendReport, now } = await aPaymentOn(platform, { captureMode: "automatic" });
  await sendReport("authorized", approval);
  const said = { of: "outside", outcome: "refunded", amount: 20, reference: "ARN 74027" } as const;
  await recordResolution(platform.deps, callBy(platform.deps), await now(), { ...said, by: "ada", why: "a dead till" });
  await platform.pass();
  const story = (await storyIn(platform, key)).join("\n");
  expect(story).toContain("An operator recorded a refund of 20.00 SEK; it stays captured");
  expect(story).toContain('The acquirer\'s reference: "ARN 74027".');
  expect(story).toContain(
    '20.00 SEK, succeeded (an operator recorded the outcome; returned outside the platform as "ARN 74027").',
  );
});

it("names the tip in a charge, in a refund and in the merchant's money, and says whether it was asked for", async () => {
  const platform = await aPlatform();
  const { key } = await aPaymentOn(platform);
  const found = await inspectPayment(platform.deps, aCall(platform.deps), key);
  if (found === undefined || typeof found === "string") throw new Error("there is no such payment");
  const asking = { percents: [10], amounts: [], custom: true, maximumPercent: 30 };
  const refund = { refundId: "r1", idAsReceived: "r1", names: [], amount: 12_650, tip: 100, reason: "a return" };
  const made = {
    ...refund,
    status: "succeeded",
    commandId: "c4",
    sequence: 6,
    createdAt: now,
    updatedAt: now,
  } as const;
  const amounts = { requested: 12_550, discounted: 0, authorized: 13_550, captured: 13_550 };
  const charges = [aCharge("captured", { amount: 13_550, tip: 1_000 })];
  const tipped = aPaymentIn("captured", { tip: { ...asking, asked: true }, amounts, charges, refunds: [made] });
  const lines = storyOf({ ...found, payment: tipped }, undefined);
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/125.50 SEK requested, manual capture, asks for a tip\.$/) as string,
      "Charge charge-1: 135.50 SEK, 10.00 SEK of it tip, captured.",
      "Refund r1: 126.50 SEK, 1.00 SEK of it tip, succeeded.",
    ]),
  );
  expect(lines.at(-1)).toContain(
    "The merchant has 9.00 SEK from this payment, 9.00 SEK of it tip: 135.50 SEK was captured, and 126.50 SEK refunded.",
  );
  const unasked = aPaymentIn("pending", { tip: { ...asking, asked: false } });
  expect(storyOf({ ...found, payment: unasked }, undefined).join("\n")).toContain(
    "a tip is requested but not asked for.",
  );
});
