import { expect, inject, it } from "vitest";
import { partnerHeaders } from "../../packages/workbench/stack/stack-file.ts";
import { scripted } from "../../packages/workbench/try/amount.ts";
import type { Happening } from "../../packages/workbench/try/lines.ts";
import { tryPayment } from "../../packages/workbench/try/try-payment.ts";
import { partnerFor } from "../support/partner.ts";

const { partner, silent, request, pay } = partnerFor("trying");

/** The output of `npm run try` for a payment of this test's partner. */
async function tried(amount: number, terminal: "autopilot" | "silent" = "autopilot") {
  const stack = inject("stack");
  const headers = partnerHeaders(partner.apikey, stack.demo.subscriptionKey);
  const file = { ...stack, demo: { ...stack.demo, ...partner, headers } };
  const told: Happening[] = [];
  const wanted = { ...scripted(amount, { terminal }), terminal, webhookUrl: undefined };
  const telling = { show: (one: Happening) => void told.push(one), signal: new AbortController().signal };
  return { ...(await tryPayment(file, wanted, telling)), told };
}

it("npm run try shows a payment to its end, and why it ended like that", async () => {
  const paid = await tried(20);
  expect(paid.told.map(({ who, event }) => `${who} ${event}`)).toEqual([
    "partner request",
    "terminal accepted",
    "terminal authorized",
  ]);
  expect(paid).toMatchObject({
    status: "captured",
    hasEnded: true,
    requestID: expect.stringMatching(/^[\da-f-]{36}$/),
  });

  const declined = await tried(20.01);
  expect(declined.told.at(-1)?.text).toContain('inProgress → declined (terminalReported): "insufficient funds"');
  expect(declined.text).toBe(
    'It is declined because the terminal reported this outcome (terminalReported). The merchant has no money from this payment. The terminal\'s words: "insufficient funds".',
  );
});

it("npm run try plays the partner's part in the script", async () => {
  const { told, text } = await tried(20.09); // the cancel race
  expect(told.map(({ who, event }) => `${who} ${event}`)).toEqual(
    expect.arrayContaining(["partner cancel", "terminal authorized", "terminal reversed"]),
  );
  expect(text).toContain("It is voided because the approval came after a cancel or a deadline (lateApproval).");
});

it("npm run try asks for a tip if the script gives one, and captures it with the sale", async () => {
  const { text } = await tried(20.23); // captures one minor unit less
  expect(text).toContain("The merchant has 22.24 SEK from this payment");
});

it("npm run try names the session that keeps a terminal busy", async () => {
  await silent.online();
  const body = request();
  await pay(body);
  await silent.begin(body.sessionID);
  await expect(tried(20, "silent")).rejects.toThrow(`The terminal silent is busy with session ${body.sessionID}`);
});
