import { describe, expect, it } from "vitest";
import { leaseNextMessage } from "../../../shared/use-cases/terminals/lease-next-message.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { resolvePayment } from "../../../shared/use-cases/payments/resolve-payment.ts";
import { aCall } from "../../support/calls.ts";
import { aPlatform, aRequest, partnerId, terminalId, callBy } from "../../support/platform.ts";

/** A payment that its terminal fetched and never spoke of again. */
async function inDoubt() {
  const platform = await aPlatform();
  const request = aRequest();
  const { sessionId } = request;
  await requestPayment(platform.deps, callBy(platform.deps), request);
  await platform.pass();
  const view = await platform.deps.terminals.find(terminalId);
  if (view) await leaseNextMessage(platform.deps, { caller: view }, 0);
  await platform.pass(31);
  return { platform, key: { partnerId, sessionId } };
}

describe("an operator who settles a payment in doubt", () => {
  it.each([
    ["paid", "captured", 12_550],
    ["unpaid", "failed", 0],
  ] as const)(
    "as %s: it is %s, told to the partner, recorded with who and why, and the terminal is free",
    async (outcome, status, captured) => {
      const { platform, key } = await inDoubt();
      const settled = await resolvePayment(platform.deps, aCall(platform.deps), key, {
        outcome,
        by: "ada",
        why: "the acquirer's list",
      });
      await platform.pass();

      expect(settled).toMatchObject({
        ok: true,
        value: { payment: { status, statusReason: "settledByOperator", amounts: { captured } } },
      });
      const history = await platform.deps.payments.history(key);
      expect(history.at(-1)).toMatchObject({ by: "operator", detail: "ada: the acquirer's list" });
      expect(platform.webhooksSent.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toContain(
        `payment.${status}`,
      );
      expect((await platform.deps.terminals.find(terminalId))?.claim).toBeUndefined();
    },
  );

  it("cannot settle one that is not in doubt, or not there", async () => {
    const { platform, key } = await inDoubt();
    const settlement = { outcome: "unpaid", by: "ada", why: "gone" } as const;
    await resolvePayment(platform.deps, aCall(platform.deps), key, settlement);
    const again = await resolvePayment(platform.deps, aCall(platform.deps), key, settlement);
    expect(again).toMatchObject({ ok: false, error: { code: "invalid_state", currentStatus: "failed" } });
    const absent = await resolvePayment(
      platform.deps,
      aCall(platform.deps),
      { partnerId, sessionId: "nobody" },
      settlement,
    );
    expect(absent).toMatchObject({ ok: false, error: { code: "payment_not_found" } });
  });
});
