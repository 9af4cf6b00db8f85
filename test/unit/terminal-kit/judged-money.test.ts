import { expect, it } from "vitest";
import { draftOf } from "../../../infra/terminal/kit/received-report.ts";
import { brokenMoney } from "../../../infra/terminal/kit/money.ts";
import type { Movement } from "../../../infra/terminal/simulated/session.ts";

const ids = { sessionID: "s1", chargeID: "c1" };
const money = { amount: 100, currency: "SEK" };
const booked = (moved: "charge" | "capture", amount = 100): Movement => ({ moved, ...ids, ...money, amount });

/** The rule that the book breaks, next to one reported approval of 100. */
function brokenBy(captureMode: "automatic" | "manual", ...captures: readonly Movement[]) {
  const message = { type: "payment", amount: 10_000, currency: "SEK", captureMode } as const;
  const slot = { createdAt: "2026-01-01T00:00:00.000Z", sessionId: "s1", sequence: 1 };
  const filed = { messageId: "m1", sessionId: "s1", message, slot, state: "fetched" } as const;
  const payment = { sessionID: "S1", filed, total: 10_000, currency: "SEK", charges: 1, once: "T15" } as const;
  const approval = { ...draftOf({ type: "authorized", reportID: "r1", ...ids, ...money }), index: 0, powerUp: 0 };
  const movements = [booked("charge"), ...captures];
  return brokenMoney({ reports: [approval], payments: [payment], filed: [filed], movements })?.rule;
}

it("allows one capture of the charge of an automatic payment, with the approved amount", () => {
  expect(brokenBy("automatic", booked("capture"))).toBeUndefined();
  expect(brokenBy("automatic", booked("capture"), booked("capture"))).toBe("T16");
  expect(brokenBy("automatic", booked("capture", 60))).toBe("T16");
  expect(brokenBy("manual", booked("capture"))).toBe("T16");
});
