import { expect, it } from "vitest";
import { planPurge, purge } from "../../../shared/use-cases/operator/retention/purge.ts";
import { aPaymentOn, approval } from "../../support/a-payment.ts";
import { allRows } from "../../support/all-rows.ts";
import { aCall } from "../../support/calls.ts";
import { aPlatform } from "../../support/platform.ts";

const DAY = 24 * 3600;
const order = { kind: "receipts", days: 30 } as const;

it("Receipts leave thirty days after their reports, and their payments stay", async () => {
  const rows = allRows();
  const platform = await aPlatform({ open: rows.open });
  const { deps } = platform;
  const sell = async () => {
    const payment = await aPaymentOn(platform, { captureMode: "automatic" });
    await payment.sendReport("authorized", { ...approval, receipt: { customer: ["sale"] } });
    return payment;
  };
  const printed = async () => (await rows.all()).filter((row) => row.includes(" receipt~"));
  const old = await sell();
  await platform.pass(10 * DAY);
  const younger = await sell();
  await platform.pass(20 * DAY);
  expect(await purge(deps, aCall(deps), order)).toMatchObject({ removed: 0, rows: 0, stay: 0 });
  await platform.pass(DAY);
  expect(await planPurge(deps, aCall(deps), order)).toMatchObject({ atMost: 1 });
  expect(await printed()).toHaveLength(2);
  expect(await purge(deps, aCall(deps), order)).toMatchObject({ removed: 1, rows: 1, stay: 0 });
  expect(await printed()).toEqual([expect.stringContaining(younger.sessionId)]);
  expect((await old.now()).receipt).toEqual({ customer: ["sale"] });
});
