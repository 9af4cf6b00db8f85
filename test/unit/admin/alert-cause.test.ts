import { expect, it } from "vitest";
import { alert } from "../../../infra/operator/admin/commands/alert.ts";
import { causeOf, paymentOf } from "../../../infra/operator/admin/commands/alert-cause.ts";
import { shownResult } from "../../../infra/operator/admin/show.ts";
import { alertKinds } from "../../../shared/domain/alert-kinds.ts";
import type { Alert } from "../../../shared/domain/alert.ts";
import { aPayment, approval } from "../../support/a-payment.ts";
import { partnerId } from "../../support/platform.ts";

it("an alert about a second card offers commands for that charge, until it was reversed", async () => {
  const { platform, sessionId, fetch, sendReport } = await aPayment({ captureMode: "automatic" });
  await fetch();
  await sendReport("authorized", approval);
  await sendReport("authorized", { ...approval, chargeId: "charge-2" });
  const { alerts } = platform.deps;
  const [raised] = await alerts.of(sessionId);
  if (!raised) throw new Error("no alert was raised");
  const start = `npm run admin -- payment resolve --partner ${partnerId} --session ${sessionId} --charge charge-2`;
  const shownCause = async (alert: Alert) => causeOf(platform.deps, alert, await paymentOf(platform.deps, alert));
  expect(await shownCause(raised.alert)).toEqual({
    cause: expect.stringContaining(" (charge-2) is being reversed"),
    actions: [
      { command: `${start} --outcome reversed --why "<text>"` },
      { command: `${start} --outcome kept --why "<text>"` },
    ],
    isOver: false,
  });
  await sendReport("voided", { chargeId: "charge-2" });
  expect(await shownCause(raised.alert)).toEqual({
    cause: expect.stringContaining("Nothing is left to do: close the alert. The charge of 125.50 SEK"),
    isOver: true,
  });
  expect(await shownCause({ ...raised.alert, status: "closed" })).toEqual({ isOver: true });
});

it("an alert about a capture or refund above the request offers the command that records the whole", async () => {
  const { platform, sessionId, refund, sendReport } = await aPayment({ captureMode: "automatic" });
  await sendReport("authorized", approval);
  await sendReport("captured", { ...approval, amount: 13_000 });
  await refund(20, { refundId: "r1" });
  await sendReport("refunded", { refundId: "r1", amount: 2_050, currency: "SEK" });
  const start = `npm run admin -- payment resolve --partner ${partnerId} --session ${sessionId}`;
  const shown = (await platform.deps.alerts.of(sessionId)).map(async ({ alert }) => {
    const { actions } = await causeOf(platform.deps, alert, await paymentOf(platform.deps, alert));
    return actions?.map(({ command }) => command);
  });
  expect(await Promise.all(shown)).toEqual([
    [`${start} --outcome paid --charge charge-1 --amount 130 --why "<text>"`],
    [`${start} --refund r1 --outcome succeeded --amount 20.5 --why "<text>"`],
  ]);
});

it("an alert about a terminal's day leads to the payments of that day on that terminal", async () => {
  const { platform, sessionId, sendReport } = await aPayment();
  await sendReport("declined");
  await sendReport("authorized", approval);
  const [raised] = await platform.deps.alerts.of(sessionId);
  if (!raised) throw new Error("no alert was raised");
  const subject = { kind: "terminal", partnerId, terminalId: "t", day: "2026-11-21" } as const;
  expect(await causeOf(platform.deps, { ...raised.alert, kind: "dayDiffers", subject }, undefined)).toEqual({
    cause: undefined,
    actions: [{ command: "npm run admin -- payment list --day 2026-11-21 --terminal t" }],
    isOver: false,
  });
});

it("the list of alerts of any kind fits in a terminal of 100 columns", () => {
  const [list] = alert.commands;
  const now = "The charge of 125.50 SEK on visa ···· 4242 (8c7e3e22) is being reversed, since 2026-11-21T10:00:00Z.";
  const rows = Object.keys(alertKinds).map((kind) => ({ alert: kind, name: crypto.randomUUID(), now }));
  const lines = shownResult(rows, list ?? {}, 100).split("\n");
  expect(lines.length).toBeGreaterThan(rows.length);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
});
