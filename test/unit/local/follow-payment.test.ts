import { describe, expect, it } from "vitest";
import { samplePayment } from "../../../infra/documents/openapi/samples/samples.ts";
import type { PaymentObject } from "../../../shared/contracts/objects/payment.ts";
import type { TimelineObject } from "../../../shared/contracts/objects/timeline.ts";
import { followPayment, type Happening } from "../../../infra/local/try/follow.ts";
import { Refused } from "../../../infra/local/try/partner.ts";

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
  return {
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

const follow = async (partner: ReturnType<typeof platform>, hasWebhooks: boolean) => {
  const told: Happening[] = [];
  const following = { payment: samplePayment(), show: (one: Happening) => void told.push(one), hasWebhooks };
  const ended = await followPayment({ ...following, partner, signal: new AbortController().signal });
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
      [95, "webhook", "payment.declined"],
    ]);
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
});
