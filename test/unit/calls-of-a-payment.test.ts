import { expect, it } from "vitest";
import { callsOfPayment } from "../bench/calls.ts";
import { bytesOf } from "../support/collected-log.ts";

// Each call costs money, and time at the till. An additional call is a decision: it needs a reason in docs/protocol.md, and a new number
// here.
it("an automatic payment with an Idempotency-Key and two webhooks makes exactly these table calls and messages", async () => {
  const steps = await callsOfPayment();
  const counts = Object.fromEntries(steps.map(({ step, calls, sends }) => [step, [calls.length, sends.length]]));
  expect(counts).toEqual({
    request: [5, 2],
    message: [2, 0],
    fetch: [2, 0],
    "report accepted": [2, 1],
    "webhook~payment.inProgress": [3, 0],
    "report authorized": [4, 1],
    "webhook~payment.captured": [3, 0],
    look: [1, 0],
  });
});

// A line costs more than all table calls of a payment.
it("it writes a line for each request and each attempt of a webhook, and a short one for its look", async () => {
  const lines = (await callsOfPayment()).flatMap((step) => step.lines);
  const counts = Object.groupBy(lines, ({ event }) => event);
  expect(Object.fromEntries(Object.entries(counts).map(([event, some]) => [event, some.length]))).toEqual({
    request: 4,
    webhookAttempt: 2,
    worker: 1,
  });
  expect(bytesOf(lines)).toBeLessThanOrEqual(2_700);
});
