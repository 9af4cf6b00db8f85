import { describe, expect, it } from "vitest";
import { waitsOf } from "../../../live/waits.ts";
import { inspectPayment } from "../../../../../shared/use-cases/operator/inspect/inspect-payment.ts";
import { approval, aPayment, timings } from "../../../../../test/support/a-payment.ts";
import { callBy } from "../../../../../test/support/platform.ts";

/** An approved payment of 125.50 SEK, with what the page's server reads of it. */
async function anApproved(captureMode: "automatic" | "manual") {
  const paid = await aPayment({ captureMode });
  const { platform, key, fetch, sendReport } = paid;
  await fetch();
  await sendReport("authorized", approval);
  const read = async () => {
    const inspected = await inspectPayment(platform.deps, callBy(platform.deps), key);
    if (typeof inspected !== "object") throw new Error("the payment is gone");
    return inspected;
  };
  const waits = async () => waitsOf(await read());
  return { ...paid, read, waits, after: (seconds: number) => Date.parse(platform.deps.clock.now()) + seconds * 1000 };
}

describe("a message that waits for its terminal, on the live page", () => {
  it("is a capture until its outcome, and says whether the terminal may have it", async () => {
    const paid = await anApproved("manual");
    expect(await paid.waits()).toEqual([]);
    await paid.capture({ deliverWithinSeconds: 3_600 });
    await paid.platform.pass();
    const wait = { amount: 12_550, until: paid.after(3_600), isFetched: false };
    const fetched = { ...wait, isFetched: true };
    const { payment, inbox } = await paid.read();
    expect(waitsOf({ payment, inbox })).toEqual([wait]);
    expect(waitsOf({ payment: { ...payment, restored: 7 }, inbox })).toEqual([fetched]); // nobody knows
    expect(waitsOf({ payment: { ...payment, statusReason: "outcomeUnknown" }, inbox })).toEqual([]);
    await paid.fetch();
    expect(await paid.waits()).toEqual([fetched]);
    await paid.sendReport("captured", approval);
    expect(await paid.waits()).toEqual([]);
  });

  it("is each pending refund under its own name, until it is withdrawn", async () => {
    const { refund, withdraw, waits, after } = await anApproved("automatic");
    const [one, other] = ["AAAA0000-0000-4000-8000-000000000001", "aaaa0000-0000-4000-8000-000000000002"];
    await refund(20, { refundId: one });
    await refund(30, { refundId: other, deliverWithinSeconds: 86_400 });
    const first = { refundId: one, amount: 2_000, until: after(timings.outcomeSeconds), isFetched: false };
    expect(await waits()).toEqual([first, { refundId: other, amount: 3_000, until: after(86_400), isFetched: false }]);
    await withdraw(other);
    expect(await waits()).toEqual([first]);
  });
});
