import { expect, onTestFinished } from "vitest";
import type { partnerFor } from "./partner.ts";

/**
 * Begins a payment of 125.50 SEK, 25.10 of it VAT, that waits for a card on the partner's silent terminal until its test ends. Such tests
 * run one after the other, because a terminal handles one payment at a time.
 */
export async function aRunningPayment(
  { pay, request, silent }: Pick<ReturnType<typeof partnerFor>, "pay" | "request" | "silent">,
  more: Record<string, unknown> = {},
) {
  await silent.online();
  const body = request({ expiresInSeconds: 60, ...more });
  expect(await pay(body)).toMatchObject({ status: 202 });
  const message = await silent.begin(body.sessionID);
  onTestFinished(async () => void (await silent.sendReport(message, "cancelled"))); // no effect if it has already ended
  return { ...body, message };
}
