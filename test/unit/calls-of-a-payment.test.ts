import { expect, it } from "vitest";
import { callsOfPayment } from "../bench/calls.ts";

// Each call costs money, and time at the till. An additional call is a decision: it needs a reason in docs/protocol.md, and a new number
// here.
it("an automatic payment with two webhooks makes exactly these table calls and messages", async () => {
  const steps = await callsOfPayment();
  const counts = Object.fromEntries(steps.map(({ step, calls, sends }) => [step, [calls.length, sends.length]]));
  expect(counts).toEqual({
    request: [6, 2],
    admission: [4, 0],
    fetch: [2, 0],
    "report accepted": [3, 2],
    "webhook~payment.inProgress": [6, 0],
    "report authorized": [3, 2],
    booking: [6, 0],
    "webhook~payment.captured": [5, 0],
    "deadline~acceptance": [1, 0],
    "deadline~expiry": [1, 0],
  });
});
