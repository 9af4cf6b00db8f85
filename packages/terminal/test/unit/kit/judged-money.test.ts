import { expect, it } from "vitest";
import { draftOf } from "../../../kit/received-report.ts";
import { brokenMoney } from "../../../kit/money.ts";
import type { Movement } from "../../../simulated/session.ts";

const ids = { sessionID: "s1", chargeID: "c1" };
const money = { amount: 100, currency: "SEK" };
const booked = (moved: "charge" | "capture", amount = 100): Movement => ({ moved, ...ids, ...money, amount });
const refunded = (refundID: string, amount: number): Movement => ({
  ...booked("capture", amount),
  moved: "refund",
  refundID,
});

/** The rule that the book breaks, next to one reported approval of 100. A message requests each refund, but no capture. */
function brokenBy(captureMode: "automatic" | "manual", ...moved: readonly Movement[]) {
  const message = { type: "payment", amount: 10_000, currency: "SEK", captureMode } as const;
  const slot = { createdAt: "2026-01-01T00:00:00.000Z", sessionId: "s1", sequence: 1 };
  const filed = { messageId: "m1", sessionId: "s1", message, slot, state: "fetched", isHeld: false } as const;
  const payment = { sessionID: "S1", filed, total: 10_000, currency: "SEK", charges: 1, once: "T15" } as const;
  const approval = { ...draftOf({ type: "authorized", reportID: "r1", ...ids, ...money }), index: 0, powerUp: 0 };
  const requests = moved.flatMap(({ refundID: refundId }) =>
    refundId === undefined
      ? []
      : [{ ...filed, message: { type: "refund", refundId, amount: 1, currency: "SEK", reason: "" } as const }],
  );
  const movements = [booked("charge"), ...moved];
  return brokenMoney({ reports: [approval], payments: [payment], filed: [filed, ...requests], movements })?.rule;
}

it("allows one capture of the charge of an automatic payment, with the approved amount", () => {
  expect(brokenBy("automatic", booked("capture"))).toBeUndefined();
  expect(brokenBy("automatic", booked("capture"), booked("capture"))).toBe("T16");
  expect(brokenBy("automatic", booked("capture", 60))).toBe("T16");
  expect(brokenBy("manual", booked("capture"))).toBe("T16");
});

it("allows refunds up to the captured amount, whether or not an automatic capture is booked", () => {
  const whole = [refunded("f1", 60), refunded("f2", 40)];
  expect(brokenBy("automatic", ...whole)).toBeUndefined();
  expect(brokenBy("automatic", booked("capture"), ...whole)).toBeUndefined();
  expect(brokenBy("automatic", booked("capture"), ...whole, refunded("f3", 0.01))).toBe("T24");
  expect(brokenBy("manual", refunded("f1", 0.01))).toBe("T24");
});
