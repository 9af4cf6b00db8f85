import { describe, expect, it } from "vitest";
import { inspectPayment, type InspectedPayment } from "../../../shared/use-cases/operator/inspect/inspect-payment.ts";
import type { PaymentKey } from "../../../shared/ports/subjects.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { aPaymentOn, approval } from "../../support/a-payment.ts";
import { aCall } from "../../support/calls.ts";
import { aPlatform, aRequest, callBy, partnerId, terminalId, type Platform } from "../../support/platform.ts";

async function inspected({ deps }: Platform, key: PaymentKey): Promise<InspectedPayment> {
  const found = await inspectPayment(deps, aCall(deps), key);
  if (found === undefined || typeof found === "string") throw new Error("there is no such payment");
  return found;
}

/** The states of all effects, by their names. */
const effectsOf = ({ commands }: InspectedPayment) =>
  Object.fromEntries(commands.flatMap(({ effects }) => effects.map(({ effect, state }) => [effect, state])));

describe("an inspected payment", () => {
  it("has its message in the terminal's inbox, and the present state of its effects", async () => {
    const platform = await aPlatform();
    const request = aRequest();
    await requestPayment(platform.deps, callBy(platform.deps), request);
    const key = { partnerId, ...request };
    const held = await inspected(platform, key);
    expect(effectsOf(held)).toEqual({ message: "toDo" });
    expect(held.inbox).toMatchObject([{ isHeld: true, message: { type: "payment" } }]);
    await platform.pass();
    const found = await inspected(platform, key);
    expect(effectsOf(found)).toEqual({ message: "over" });
    expect(found.inbox).toMatchObject([{ isHeld: false, state: "waiting", message: { type: "payment" } }]);
    expect(found.history).toMatchObject([{ event: "request", to: "pending" }]);
  });

  it("has no pending work once it was paid", async () => {
    const platform = await aPlatform();
    const { key, fetch, sendReport } = await aPaymentOn(platform, { captureMode: "automatic" });
    await fetch();
    await sendReport("accepted");
    await sendReport("authorized", approval);
    const found = await inspected(platform, key);
    expect(effectsOf(found)).toMatchObject({
      message: "over",
      "webhook~payment.inProgress": "done",
      "webhook~payment.captured": "done",
    });
    expect(found.deliveries).toMatchObject([
      { type: "payment.inProgress", sequence: 2, state: "delivered", attempts: [{ status: 204 }] },
      { type: "payment.captured", sequence: 3, state: "delivered" },
    ]);
    expect(found.inbox).toEqual([]);
  });

  it("has overdue effects if its queues lost them", async () => {
    const platform = await aPlatform();
    const { key, sendReport } = await aPaymentOn(platform);
    await sendReport("declined", {}, "wait");
    platform.queued.splice(0);
    await platform.pass(599);
    expect(effectsOf(await inspected(platform, key))).toMatchObject({ "webhook~payment.declined": "toDo" });
    await platform.pass(1);
    expect(effectsOf(await inspected(platform, key))).toMatchObject({ "webhook~payment.declined": "overdue" });
  });

  it("has only the alerts of this payment", async () => {
    const platform = await aPlatform();
    const { sessionId, key, fetch } = await aPaymentOn(platform);
    const other = await aPaymentOn(platform);
    await fetch();
    await other.fetch();
    await platform.pass(25 * 3600);
    const found = await inspected(platform, key);
    expect(found.payment.status).toBe("reconciling");
    expect(found.alerts).toMatchObject([{ kind: "outcomeUnknown", status: "open", subject: { sessionId } }]);
  });

  it("is empty if there is none, and a tombstone if the session was cancelled first", async () => {
    const { deps } = await aPlatform();
    const key = { partnerId, terminalId, sessionId: "eeeeeeee-0000-4000-8000-999999999999" };
    expect(await inspectPayment(deps, aCall(deps), key)).toBeUndefined();
    await deps.payments.leaveTombstone(key, deps.clock.now());
    expect(await inspectPayment(deps, aCall(deps), key)).toBe("tombstone");
  });
});
