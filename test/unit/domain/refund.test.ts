import { describe, expect, it } from "vitest";
import type { Refund } from "../../../shared/domain/payment/record/payment.ts";
import { requestRefund } from "../../../shared/domain/payment/requests/refund.ts";
import { refundRequest } from "../../../shared/domain/payment/requests/refund-request.ts";
import { after } from "../../../shared/domain/time.ts";
import { aPaymentIn, now, timings } from "../../support/a-payment.ts";

const made: Refund = {
  refundId: "r1",
  idAsReceived: "r1",
  names: [],
  amount: 1_000,
  reason: "cold",
  status: "succeeded",
  commandId: "c1",
  sequence: 5,
  createdAt: now,
  updatedAt: now,
};

interface Requested {
  readonly amount?: number;
  readonly reason?: string;
  readonly names?: readonly string[];
}

/** Decides on a refund of 10.00 this many seconds after the first one was requested. */
function decideAfter(seconds: number, first: Partial<Refund>, requested: Requested = {}) {
  const payment = aPaymentIn("captured", { refunds: [{ ...made, ...first }] });
  const request = {
    refundId: "r2",
    idAsReceived: "r2",
    names: requested.names ?? [],
    amount: requested.amount ?? 1_000,
    reason: requested.reason ?? "cold",
  };
  return requestRefund(payment, request, { now: after(now, seconds), commandId: "c2", timings });
}

function askAfter(...asked: Parameters<typeof decideAfter>) {
  const decided = decideAfter(...asked);
  return decided.ok ? (decided.value === "unchanged" ? "unchanged" : "made") : decided.error.code;
}

describe("a repeated refund request without a name, with the same amount and reason", () => {
  it.each([
    ["while the first is pending", 0, "pending", "unchanged"],
    ["while the first is pending, however old", 86_400, "pending", "unchanged"],
    ["once the first has succeeded, however young", 0, "succeeded", "possible_duplicate"],
    ["just within a day of one that succeeded", 86_399, "succeeded", "possible_duplicate"],
    ["after a day", 86_400, "succeeded", "made"],
    ["once the first has failed, however young", 0, "failed", "made"],
    ["after a minute of one that failed", 60, "failed", "made"],
  ] as const)("%s (%i s, %s): %s", (_, seconds, status, outcome) => {
    expect(askAfter(seconds, { status })).toBe(outcome);
  });

  it("learns which refund was made, and when", () => {
    const updatedAt = after(now, 7);
    const first = { idAsReceived: "R1", updatedAt };
    expect(decideAfter(59, first)).toMatchObject({
      error: {
        refund: { idAsReceived: "R1", status: "succeeded", updatedAt },
        detail: expect.stringMatching(
          `^This refund was made at ${updatedAt}; if you repeat a request whose answer you lost, it is done\\..*refundID`,
        ),
      },
    });
  });

  it("is as old as its request, whenever its terminal answered", () => {
    expect(askAfter(86_400, { updatedAt: after(now, 60) })).toBe("made");
  });

  it("is a new refund with another amount, another reason or a name", () => {
    expect(askAfter(60, {}, { amount: 999 })).toBe("made");
    expect(askAfter(60, {}, { reason: "late" })).toBe("made");
    expect(askAfter(60, {}, { names: ["again"] })).toBe("made");
  });
});

describe("a repeated refund request under its name", () => {
  it("is replayed for ever, and refused with other contents", () => {
    const first = { names: ["mine"] };
    expect(askAfter(1_000_000, first, { names: ["mine"] })).toBe("unchanged");
    expect(askAfter(0, first, { names: ["mine"], amount: 999 })).toBe("idempotency_mismatch");
    expect(askAfter(0, first, { names: ["mine"], reason: "late" })).toBe("idempotency_mismatch");
  });
});

describe("the refundID of a refund that is requested without one", () => {
  const captured = aPaymentIn("captured");
  const input = { currency: captured.currency, refundAmount: 10, reason: "cold" };
  const refundIdOf = (refunds: readonly Refund[], request: Parameters<typeof refundRequest>[1] = input) => {
    const checked = refundRequest({ ...captured, refunds: [...refunds] }, request, (text) => text.toLowerCase());
    if (!checked.ok) throw new Error(checked.error.code);
    return checked.value.refundId;
  };

  it("is the same when books that lost the refund are requested to make it again", () => {
    const first = { ...made, refundId: refundIdOf([]) };
    expect(refundIdOf([first])).not.toBe(first.refundId);
    expect(refundIdOf([])).toBe(first.refundId);
  });

  it("is derived from its key, whichever other refunds the books lost", () => {
    const byKey = { ...input, idempotencyKey: "return 77" };
    const others = [
      { ...made, refundId: refundIdOf([]), amount: 1_000, reason: input.reason },
      { ...made, refundId: "other", amount: 1 },
    ];
    expect(refundIdOf(others, byKey)).toBe(refundIdOf([], byKey));
  });

  it("is not assigned a second time after a refund was requested again under it", () => {
    const again = { ...made, refundId: refundIdOf([]), names: [refundIdOf([])] };
    expect(refundIdOf([again])).not.toBe(again.refundId);
  });

  it("is different for another refund", () => {
    const first = { ...made, refundId: refundIdOf([]) };
    const others = [{ refundAmount: 9 }, { reason: "late" }, { idempotencyKey: "a" }, { idempotencyKey: "b" }];
    const all = [
      first.refundId,
      refundIdOf([{ ...first, status: "failed" }]),
      refundIdOf([first, { ...first, refundId: refundIdOf([first]) }]),
      ...others.map((other) => refundIdOf([], { ...input, ...other })),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
