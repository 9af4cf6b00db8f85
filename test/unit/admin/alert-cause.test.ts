import { expect, it } from "vitest";
import { causeOf } from "../../../infra/operator/admin/commands/alert-cause.ts";
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
  const start = `payment resolve --partner ${partnerId} --session ${sessionId} --charge charge-2`;
  expect(await causeOf(platform.deps, raised.alert)).toEqual({
    cause: expect.stringContaining("The charge charge-2 of 125.50 SEK is being reversed"),
    actions: [
      { command: `${start} --outcome reversed --why <text>` },
      { command: `${start} --outcome kept --why <text>` },
    ],
    isOver: false,
  });
  await sendReport("voided", { chargeId: "charge-2" });
  expect(await causeOf(platform.deps, raised.alert)).toEqual({
    cause: expect.stringContaining("Nothing is left to do: close the alert."),
    isOver: true,
  });
  expect(await causeOf(platform.deps, { ...raised.alert, status: "closed" })).toEqual({ isOver: true });
});

it("an alert about a terminal's day leads to the payments of that day on that terminal", async () => {
  const { platform, sessionId, sendReport } = await aPayment();
  await sendReport("declined");
  await sendReport("authorized", approval);
  const [raised] = await platform.deps.alerts.of(sessionId);
  if (!raised) throw new Error("no alert was raised");
  const subject = { kind: "terminal", partnerId, terminalId: "t", day: "2026-11-21" } as const;
  expect(await causeOf(platform.deps, { ...raised.alert, kind: "dayDiffers", subject })).toEqual({
    cause: undefined,
    actions: [{ command: "payment list --day 2026-11-21 --terminal t" }],
    isOver: false,
  });
});
