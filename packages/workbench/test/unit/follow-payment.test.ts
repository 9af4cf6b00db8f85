import { describe, expect, it, onTestFinished, vi } from "vitest";
import { samplePayment } from "../../../../infra/documents/openapi/samples/samples.ts";
import type { PaymentObject } from "../../../../shared/contracts/objects/payment.ts";
import type { TimelineObject } from "../../../../shared/contracts/objects/timeline.ts";
import { followPayment } from "../../try/follow.ts";
import { newLines, type Happening } from "../../try/lines.ts";
import { Refused } from "../../try/partner.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 10, 23, 10) + ms).toISOString();
const entry = (ms: number, by: "partner" | "terminal", event: "request" | "accepted" | "declined") => ({
  sequence: ms + 1,
  at: at(ms),
  by,
  event,
  to: "pending" as const,
  recordedOnly: false,
  latencyMs: 0,
});

/** The platform's responses in order. The last one is repeated. */
function platform(...responses: readonly ((() => never) | Pick<TimelineObject, "entries" | "webhooks">)[]) {
  const calls = { count: 0 };
  const next = () => responses[Math.min(calls.count, responses.length - 1)] ?? responses[0];
  const never = (): never => {
    throw new Error("never called");
  };
  return {
    calls,
    day: never,
    cancel: never,
    capture: never,
    refund: never,
    async timeline(): Promise<TimelineObject> {
      const response = next();
      calls.count++;
      if (typeof response !== "object") throw new Refused("busy", { code: "dependency_unavailable", isPassing: true });
      return { sessionID: "", status: "pending", ...response };
    },
    payment: async (): Promise<PaymentObject> => {
      const isOver = calls.count >= responses.length;
      return samplePayment(isOver ? { status: "declined", final: true } : { status: "pending", final: false });
    },
  };
}

const follow = async (
  partner: ReturnType<typeof platform>,
  hasWebhooks: boolean,
  mayHaveChanged: () => boolean = () => true,
) => {
  const told: Happening[] = [];
  const ended = await followPayment({
    partner,
    payment: samplePayment(),
    script: undefined,
    hasWebhooks,
    lines: { tell: (one) => void told.push(one), has: () => false },
    changes: { within: async () => mayHaveChanged() },
    signal: new AbortController().signal,
  });
  return { told, ended };
};

describe("a payment that is followed", () => {
  const requested = entry(0, "partner", "request");
  const declined = entry(90, "terminal", "declined");
  const webhook = {
    webhookID: "1_2",
    type: "payment.declined",
    attempt: 1,
    at: at(95),
    outcome: "delivered" as const,
    statusCode: 200,
    latencyMs: 4,
  };

  it("is printed change by change, each once, to its end and the webhook of that", async () => {
    const early = { entries: [requested], webhooks: [] };
    const late = { entries: [requested, declined], webhooks: [webhook] };
    const { told, ended } = await follow(platform(early, early, late), true);
    expect(told.map(({ ms, who, event }) => [ms, who, event])).toEqual([
      [0, "partner", "request"],
      [90, "terminal", "declined"],
      [99, "webhook", "payment.declined"],
    ]);
    expect(told[0]?.text).toBe("The partner requested the payment of 125.50 SEK: pending");
    expect(told.at(-1)?.text).toBe("Webhook payment.declined: delivered, 200 in 4 ms");
    expect(ended).toMatchObject({ status: "declined", final: true });
  });

  it("is followed further if the platform cannot respond for a moment", async () => {
    const refuse = (): never => {
      throw new Error("never called");
    };
    const { told } = await follow(
      platform({ entries: [requested], webhooks: [] }, refuse, { entries: [requested, declined], webhooks: [] }),
      false,
    );
    expect(told.map(({ event }) => event)).toEqual(["request", "declined"]);
  });

  it("is not read again after its end if nothing has changed", async () => {
    const partner = platform(
      { entries: [requested], webhooks: [] },
      { entries: [requested, declined], webhooks: [webhook] },
    );
    await follow(partner, true, () => partner.calls.count < 2);
    expect(partner.calls.count).toBe(2);
  });
});

it("npm run try shows the lines of all its sources in the order of their times", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const shown: number[] = [];
  const lines = newLines(({ ms }) => void shown.push(ms));
  const tell = (ms: number) => lines.tell({ ms, who: "platform", event: "alert", text: "" });
  tell(20);
  vi.advanceTimersByTime(400);
  tell(10);
  tell(700);
  vi.advanceTimersByTime(200);
  expect(shown).toEqual([10, 20]);
  tell(600);
  lines.flush();
  expect(shown).toEqual([10, 20, 600, 700]);
});
