import { describe, expect, it } from "vitest";
import { cancelPayment } from "../../../shared/use-cases/payments/cancel-payment.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { callOf } from "../../support/calls.ts";
import { aPlatform, aRequest, callBy, caller, partnerId, terminalId } from "../../support/platform.ts";

const otherTerminal = "cccccccc-0000-4000-8000-00000000dead";

describe("a cancel", () => {
  it("of a session on a terminal beyond the key's reach is refused as if it did not exist, and leaves the payment unchanged", async () => {
    const { deps } = await aPlatform();
    const request = aRequest();
    await requestPayment(deps, callBy(deps), request);
    const { sessionId } = request;

    const call = callOf(deps, { ...caller, terminalIds: [otherTerminal] });
    const cancelled = await cancelPayment(deps, call, { sessionId, terminalId: otherTerminal });

    expect(cancelled).toMatchObject({ ok: false, error: { code: "payment_not_found" } });
    expect(cancelled).not.toHaveProperty("error.detail");
    expect(await deps.payments.find({ partnerId, sessionId })).toMatchObject({ payment: { status: "pending" } });
  });

  it("of an unknown session can be repeated, and says each time that it has an effect", async () => {
    const { deps } = await aPlatform();
    const target = { sessionId: aRequest().sessionId, terminalId };
    for (let i = 0; i < 2; i++) {
      const cancelled = await cancelPayment(deps, callBy(deps), target);
      expect(cancelled).toMatchObject({
        ok: false,
        error: { code: "payment_not_found", detail: "It was never requested, and cannot be requested any more." },
      });
    }
    expect(await deps.payments.findOrTombstone({ partnerId, sessionId: target.sessionId })).toBe("tombstone");
  });
});
