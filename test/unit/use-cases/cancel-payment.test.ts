import { describe, expect, it } from "vitest";
import { cancelPayment } from "../../../shared/use-cases/payments/cancel-payment.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { callOf } from "../../support/calls.ts";
import { aPlatform, aRequest, aTerminal, callBy, caller, partnerId, terminalId } from "../../support/platform.ts";

const otherTerminal = "cccccccc-0000-4000-8000-00000000dead";

describe("a cancel", () => {
  it("of a session on a terminal beyond the key's reach is refused as if it did not exist, and leaves the payment and its message unchanged", async () => {
    const { deps } = await aPlatform();
    const request = aRequest();
    await requestPayment(deps, callBy(deps), request);
    const { sessionId } = request;
    const before = await deps.inboxes.unanswered(terminalId);

    const call = callOf(deps, { ...caller, terminalIds: [otherTerminal] });
    const cancelled = await cancelPayment(deps, call, { sessionId, terminalId: otherTerminal });

    expect(cancelled).toMatchObject({ ok: false, error: { code: "payment_not_found" } });
    expect(cancelled).not.toHaveProperty("error.detail");
    const stored = await deps.payments.find({ partnerId, ...request });
    expect(stored).toMatchObject({ payment: { status: "pending" } });
    expect(before).toMatchObject([{ message: { type: "payment" } }]);
    expect(await deps.inboxes.unanswered(terminalId)).toEqual(before);
  });

  it("of an unknown session can be repeated, and reports each time that it has an effect", async () => {
    const { deps } = await aPlatform();
    const target = { sessionId: aRequest().sessionId, terminalId };
    for (let i = 0; i < 2; i++) {
      const cancelled = await cancelPayment(deps, callBy(deps), target);
      expect(cancelled).toEqual({ ok: false, error: { code: "payment_never_requested" } });
    }
    const refused = await requestPayment(deps, callBy(deps), aRequest(target));
    expect(refused).toMatchObject({ ok: false, error: { code: "session_conflict" } });
  });

  it("of an unknown session stops its requests only for the terminals that cancels named", async () => {
    const { deps } = await aPlatform();
    const { sessionId } = aRequest();
    const other = aTerminal({ terminalId: otherTerminal });
    await deps.terminals.save(other, undefined);
    await deps.terminals.seen(otherTerminal, deps.clock.now());
    const callOfOther = callOf(deps, { ...caller, terminalIds: [otherTerminal] }); // a key for one till only
    await cancelPayment(deps, callOfOther, { sessionId, terminalId: otherTerminal });

    expect(await requestPayment(deps, callBy(deps), aRequest({ sessionId }))).toMatchObject({ ok: true });
    const late = await requestPayment(deps, callBy(deps), aRequest({ sessionId, terminalId: otherTerminal }));
    expect(late).toMatchObject({ ok: false, error: { code: "session_conflict" } });

    const unknown = "dddddddd-0000-4000-8000-0000000000aa";
    for (const named of [otherTerminal, terminalId])
      await cancelPayment(deps, callBy(deps), { sessionId: unknown, terminalId: named });
    for (const named of [otherTerminal, terminalId])
      expect(
        await requestPayment(deps, callBy(deps), aRequest({ sessionId: unknown, terminalId: named })),
      ).toMatchObject({ ok: false, error: { detail: expect.stringContaining("cancelled before it was requested") } });
  });
});
