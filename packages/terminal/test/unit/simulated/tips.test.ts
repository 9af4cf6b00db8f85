import { expect, it, onTestFinished } from "vitest";
import { startAutopilot } from "../../../simulated/autopilot.ts";
import type { TerminalMessage } from "../../../simulated/terminal-client.ts";
import { aMessage, aPayment, aPlatform } from "./a-platform.ts";

/** The platform of a terminal on autopilot, which gets this payment. */
function paying(payment: TerminalMessage, paceMs = 1) {
  const platform = aPlatform();
  platform.give(payment);
  const autopilot = startAutopilot(platform.client, { paceMs });
  onTestFinished(() => autopilot.stop());
  return platform;
}

const tip = { percents: [5, 10], amounts: [20], custom: true, maximum: 30 };
const receiptOf = (report: object | undefined) => (report as { receipt?: { customer: string[] } }).receipt?.customer;

it("names its ability to ask for tips at its start", async () => {
  expect(await paying(aPayment(100)).until("started")).toMatchObject({ can: ["tips"] });
});

it.each([
  ["gives none", 100, tip, { amount: 100, tipAmount: 0 }],
  ["gives 10 %, rounded half up", 100.21, tip, { amount: 110.23, tipAmount: 10.02 }],
  ["gives at most the maximum", 100.21, { ...tip, maximum: 5 }, { amount: 105.21, tipAmount: 5 }],
  ["gives more than the maximum", 100.22, tip, { amount: 130.23, tipAmount: 30.01 }],
])("a customer who is asked for a tip %s", async (_, total, tip, report) => {
  expect(await paying(aPayment(total, { tip })).until("authorized")).toMatchObject(report);
});

it("neither asks for a tip nor names one if the message has no question", async () => {
  const report = await paying(aPayment(100.21)).until("authorized");
  expect(report).toMatchObject({ amount: 100.21 });
  expect(report).not.toHaveProperty("tipAmount");
});

it.each([
  [
    { ...tip, maximum: 3 },
    { amount: 53, tipAmount: 3 },
  ],
  [undefined, { amount: 50 }],
])("a discount replaces the question: by %o", async (after, report) => {
  const platform = paying(aPayment(100.21, { tip }), 20);
  await platform.until("accepted");
  const question = after && { tip: after };
  platform.give(aMessage("discount", { discountID: "a discount", amount: 50.21, totalAmountInclVat: 50, ...question }));
  const approved = await platform.until("authorized");
  expect(approved).toMatchObject(report);
  expect(approved["tipAmount"]).toBe(after && 3);
});

it("prints amount, tip and total, and names the tip whenever it reports the charge", async () => {
  const platform = paying(aPayment(100.23, { tip }));
  const approved = await platform.until("authorized");
  expect(receiptOf(approved)).toEqual(
    expect.arrayContaining(["Amount 100.23 SEK", "Tip 10.02 SEK", "Total 110.25 SEK"]),
  );
  platform.give(aMessage("statusQuery"));
  await expect.poll(() => platform.told("authorized").map(({ tipAmount }) => tipAmount)).toEqual([10.02, 10.02]);

  platform.give(aMessage("capture", { amount: 110.25, currency: "SEK" }));
  const captured = await platform.until("captured");
  expect(captured).toMatchObject({ amount: 110.24, tipAmount: 10.01 });
  expect(receiptOf(captured)).toEqual(expect.arrayContaining(["Tip 10.01 SEK", "Total 110.24 SEK"]));
});

it("a partial capture takes the sale first", async () => {
  const platform = paying(aPayment(100.21, { tip }));
  await platform.until("authorized");
  platform.give(aMessage("capture", { amount: 60, currency: "SEK" }));
  const captured = await platform.until("captured");
  expect(captured).toMatchObject({ amount: 60, tipAmount: 0 });
  expect(receiptOf(captured)).toContain("60.00 SEK");
});
