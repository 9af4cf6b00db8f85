import { expect, it } from "vitest";
import { partnerFor } from "../support/partner.ts";

const { onAutopilot, pay, request, silent, status, until } = partnerFor("deadlines");

it("a deadline without an answer sends a status query, and frees a terminal that reports the outcome only then", async () => {
  const body = onAutopilot({ totalAmountInclVat: 100.08 });
  expect(await pay(body)).toMatchObject({ status: 202 });
  await until(body.sessionID, "reconciling");
  await until(body.sessionID, "declined");
  await expect.poll(() => status(body.pointOfServiceID)).toMatchObject({ canAcceptPayment: true });
});

it("a payment that its terminal never fetched expires with certainty, and frees the terminal", async () => {
  await silent.online();
  const body = request();
  expect(await pay(body)).toMatchObject({ status: 202 });
  expect(await until(body.sessionID, "expired")).toMatchObject({ final: true, statusReason: "terminalUnreachable" });
  expect(await silent.client.next(0)).toBeUndefined();
  expect(await status(body.pointOfServiceID)).toMatchObject({ canAcceptPayment: true });
});
