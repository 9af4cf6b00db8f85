import { describe, expect, it } from "vitest";
import { dayOf } from "../../../shared/domain/time.ts";
import { paymentKeyOf } from "../../../shared/ports/subjects.ts";
import { cancelPayment } from "../../../shared/use-cases/payments/cancel-payment.ts";
import { capturePayment } from "../../../shared/use-cases/payments/capture-payment.ts";
import {
  paymentsChangedBy,
  paymentsChangedByKey,
  paymentsOfSession,
} from "../../../shared/use-cases/operator/inspect/find-payment.ts";
import { refundPayment } from "../../../shared/use-cases/payments/refund-payment.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { aPaymentOn, approval } from "../../support/a-payment.ts";
import { aPlatform, aRequest, callBy, partnerId, terminalId, type Platform } from "../../support/platform.ts";
import { aTillOfAnotherPartner } from "../../support/tills.ts";

const DAY = 24 * 3600;
const [saturday, sunday] = ["2026-11-21", "2026-11-22"];
const trace = "4bf92f3577b34da6a3ce929d0e0e4736";

/** A call by the partner, in a request with this identifier. */
const callNamed = ({ deps }: Platform, requestId: string) => ({
  ...callBy(deps),
  requestId,
  traceparent: `00-${trace}-00f067aa0ba902b7-01`,
});

/** A payment that was authorized on one day, and captured on the next by a request with an identifier. */
async function capturedOnSunday() {
  const platform = await aPlatform();
  const payment = await aPaymentOn(platform);
  await payment.fetch();
  await payment.sendReport("authorized", approval);
  await platform.pass(DAY);
  const captured = await capturePayment(platform.deps, callNamed(platform, "capture-0001"), payment.key);
  expect(captured.ok).toBe(true);
  return { platform, key: payment.key };
}

describe("the payments that a request changed", () => {
  it("are the payment that it created, with that change and its trace", async () => {
    const platform = await aPlatform();
    await aPaymentOn(platform);
    const request = aRequest();
    const requested = await requestPayment(platform.deps, callNamed(platform, "request-0001"), request);
    expect(requested.ok).toBe(true);
    expect(await paymentsChangedBy(platform.deps, "request-0001", [saturday])).toMatchObject([
      {
        key: { partnerId, sessionId: request.sessionId },
        change: { sequence: 1, event: "request", requestId: "request-0001", traceId: trace },
      },
    ]);
  });

  it("are the payment that it changed, on the day of that change", async () => {
    const { platform, key } = await capturedOnSunday();
    const found = [{ key, change: { event: "capture" } }];
    expect(await paymentsChangedBy(platform.deps, "capture-0001", [sunday])).toMatchObject(found);
    expect(await paymentsChangedBy(platform.deps, "capture-0001", ["2026-11-23", sunday])).toMatchObject(found);
    expect(await paymentsChangedBy(platform.deps, "capture-0001", ["2026-11-23"])).toEqual([]);
  });

  it("are empty if it changed nothing", async () => {
    const { platform, key } = await capturedOnSunday();
    const again = await capturePayment(platform.deps, callNamed(platform, "capture-0002"), key);
    expect(again).toMatchObject({ ok: true, value: { replayed: true } });
    expect(await paymentsChangedBy(platform.deps, "capture-0002", [sunday, saturday])).toEqual([]);
  });

  it("are found with one read of each payment, even if it changed on several days", async () => {
    const { platform } = await capturedOnSunday();
    await aPaymentOn(platform);
    let readings = 0;
    const { history } = platform.deps.payments;
    platform.deps.payments.history = (key) => {
      readings++;
      return history(key);
    };
    expect(await paymentsChangedBy(platform.deps, "unknown-0001", [sunday, saturday])).toEqual([]);
    expect(readings).toBe(2);
  });
});

describe("the payments that a key changed", () => {
  it("are listed once with all its changes on these days, among the payments of its partner", async () => {
    const platform = await aPlatform();
    const { deps } = platform;
    const call = { ...callBy(deps), keyId: "k2" };
    const other = await aPaymentOn(platform);
    const payment = await aPaymentOn(platform, { captureMode: "automatic" });
    await payment.fetch();
    await payment.sendReport("authorized", approval);
    const { sessionId, terminalId } = await payment.now();
    const refund = { sessionId, terminalId, currency: "SEK", refundAmount: 10, reason: "a return" };
    expect(await refundPayment(deps, call, refund)).toMatchObject({ ok: true });
    await platform.pass(DAY);
    await other.sendReport("authorized", approval);
    expect(await refundPayment(deps, call, refund)).toMatchObject({ ok: true });
    const key = { keyId: "k2", partnerId };
    const changedFrom = async (from: string, to: string, by = key) => {
      const { read, changed } = await paymentsChangedByKey(deps, by, { from, to });
      return [
        read,
        ...changed.map(({ payment: { sessionId: of }, changes }) => [of, ...changes.map(({ at }) => dayOf(at))]),
      ];
    };
    expect(await changedFrom(saturday, sunday)).toEqual([2, [sessionId, saturday, sunday]]);
    expect(await changedFrom("2026-11-01", saturday)).toEqual([2, [sessionId, saturday]]);
    expect(await changedFrom(sunday, "2026-12-01")).toEqual([2, [sessionId, sunday]]);
    expect(await changedFrom("2026-11-23", "2026-12-01")).toEqual([0]);
    expect(await changedFrom(saturday, sunday, { ...key, keyId: "k3" })).toEqual([2]);
    expect(await changedFrom(saturday, sunday, { ...key, partnerId: "another partner" })).toEqual([0]);
  });
});

describe("the payments of a session", () => {
  it("are found by its name in any case, for each partner that has one with it, however old", async () => {
    const { platform, key } = await capturedOnSunday();
    const { deps } = platform;
    await platform.pass(400 * DAY);
    const name = key.sessionId.toUpperCase();
    expect(await paymentsOfSession(deps, name)).toEqual([{ key, change: undefined }]);
    const till = await aTillOfAnotherPartner(platform);
    const { sessionId } = await till.ask(undefined, { sessionId: key.sessionId });
    const other = paymentKeyOf(await till.find(sessionId));
    expect((await paymentsOfSession(deps, name)).map((one) => one.key)).toEqual([key, other]);
  });

  it("are empty if it was never requested, even if it was cancelled", async () => {
    const { deps } = await aPlatform();
    const { sessionId } = aRequest();
    await cancelPayment(deps, callBy(deps), { sessionId, terminalId });
    expect(await paymentsOfSession(deps, sessionId)).toEqual([]);
  });
});
