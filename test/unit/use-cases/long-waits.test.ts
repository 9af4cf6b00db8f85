import { describe, expect, it } from "vitest";
import { after } from "../../../shared/domain/time.ts";
import { standardTimings } from "../../../shared/domain/timings.ts";
import { now } from "../../support/a-payment.ts";
import { alertsOf, authorized, HOUR } from "./a-contradiction.ts";

const DAY = 24 * HOUR;
const { authorizationSeconds } = standardTimings;

const onlyAlert = async ({ platform, sessionId }: Awaited<ReturnType<typeof authorized>>) =>
  (await platform.deps.alerts.of(sessionId))[0]?.alert;

describe("a capture that waits for its terminal", () => {
  it("calls an operator after a day, and says when the terminal has fetched it", async () => {
    const payment = await authorized();
    await payment.capture();
    await payment.platform.pass(DAY - 1);
    expect(await alertsOf(payment)).toEqual([]);
    await payment.platform.pass(6 * HOUR);
    const { terminalId, merchantId } = await payment.now();
    const detail = `125.50 SEK since ${now}, until ${after(now, authorizationSeconds)}. Terminal ${terminalId}, merchant ${merchantId}.`;
    expect(await onlyAlert(payment)).toMatchObject({ kind: "captureWaits", detail });
    expect((await payment.fetch())?.message.type).toBe("capture");
    await payment.platform.pass();
    expect(await onlyAlert(payment)).toMatchObject({ detail: "the terminal has fetched the capture", status: "open" });
    const lines = payment.platform.log.lines.filter(({ alert }) => alert === "captureWaits").map(({ event }) => event);
    expect(lines).toEqual(["alertRaised", "alertMended"]);
    await payment.platform.pass(DAY);
    expect((await alertsOf(payment))[0]).toBe("captureWaits  2");
  });

  it("calls nobody if it is fetched within a day", async () => {
    const payment = await authorized();
    await payment.capture();
    await payment.platform.pass(DAY - 1);
    await payment.fetch();
    await payment.platform.pass();
    expect(await alertsOf(payment)).toEqual([]);
  });
});
