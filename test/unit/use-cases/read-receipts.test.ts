import { expect, it } from "vitest";
import { toReceiptsObject } from "../../../shared/contracts/objects/receipts.ts";
import { readReceipts } from "../../../shared/use-cases/payments/read-receipts.ts";
import { aPayment, approval } from "../../support/a-payment.ts";
import { callBy } from "../../support/platform.ts";
import { authorized, captured, charge } from "./a-contradiction.ts";

const printed = (line: string) => ({ receipt: { customer: [line], merchant: [`${line}, merchant's copy`] } });

/** A page of the payment's receipts, as its partner reads it. */
async function page({ platform: { deps }, sessionId }: Awaited<ReturnType<typeof aPayment>>, after = 0, limit = 20) {
  const read = await readReceipts(deps, callBy(deps), sessionId, { after, limit });
  if (!read.ok) throw new Error(read.error.code);
  return toReceiptsObject(read.value);
}

const kindsOf = ({ receipts }: Awaited<ReturnType<typeof page>>) => receipts.map(({ of, customer }) => [of, customer]);

it("Each report's receipt is kept with its movement, both copies, page by page", async () => {
  const payment = await authorized({ ...approval, ...printed("sale") });
  await payment.capture();
  await payment.sendReport("captureFailed", { ...charge, ...printed("no capture") });
  await payment.capture();
  await payment.sendReport("captured", { ...approval, ...printed("capture") });
  await payment.refund(10, { refundId: "one" });
  await payment.sendReport("refunded", { refundId: "one", amount: 1_000, currency: "SEK", ...printed("refund") });
  const second = { chargeId: "charge-2", amount: 12_550, currency: "SEK" };
  await payment.sendReport("authorized", { ...second, ...printed("second card") });
  await payment.sendReport("voided", { chargeId: "charge-2", ...printed("back") });

  const whole = await page(payment);
  expect(kindsOf(whole)).toEqual([
    ["sale", ["sale"]],
    ["decline", ["no capture"]],
    ["capture", ["capture"]],
    ["refund", ["refund"]],
    ["sale", ["second card"]],
    ["reversal", ["back"]],
  ]);
  expect(whole.receipts[0]).toMatchObject({ chargeID: "charge-1", merchant: ["sale, merchant's copy"] });
  expect(whole.receipts[3]).toMatchObject({ refundID: "one" });
  expect(whole.next).toBeUndefined();
  expect((await payment.now()).receipt?.customer).toEqual(["capture"]);

  const first = await page(payment, 0, 4);
  expect(first.receipts).toEqual(whole.receipts.slice(0, 4));
  expect((await page(payment, first.next, 2)).receipts).toEqual(whole.receipts.slice(4));
  expect((await page(payment, first.next, 2)).next).toBeUndefined();
});

it("The first news of a charge is its sale, a decline has a receipt, and a repeated report none", async () => {
  const taken = await aPayment({ captureMode: "automatic" });
  const { requestedBy: messageId } = await taken.now();
  await taken.sendReport("captured", { ...approval, messageId, ...printed("sale") });
  expect(kindsOf(await page(taken))).toEqual([["sale", ["sale"]]]);

  const declined = await aPayment();
  const report = { reportId: "decline-1", ...printed("declined") };
  await declined.sendReport("declined", report);
  await declined.sendReport("declined", report);
  expect(kindsOf(await page(declined))).toEqual([["decline", ["declined"]]]);

  const plain = await captured();
  expect(await page(plain)).toEqual({ receipts: [], next: undefined });
});
