import { describe, expect, it } from "vitest";
import { after } from "../../../../shared/domain/time.ts";
import { aPayment, now } from "../../../support/a-payment.ts";
import { alertsOf, authorized, captured, charge, HOUR } from "../a-contradiction.ts";

type AnyPayment = Awaited<ReturnType<typeof aPayment>>;

/** Moves the clock to this many hours after the request. */
const until = async ({ platform }: AnyPayment, hours: number) =>
  platform.pass((Date.parse(after(now, hours * HOUR)) - Date.parse(platform.deps.clock.now())) / 1000);

/** The terminal fetches its next message that moves money. */
async function fetchMoney(payment: AnyPayment) {
  for (;;) {
    const next = await payment.fetch();
    if (next?.message.type !== "statusQuery") return next;
    await payment.sendReport("acknowledged", { messageId: next.messageId });
  }
}

/** The terminal fetches a requested capture and reports that it failed. */
async function failCapture(payment: AnyPayment) {
  expect(await payment.capture()).toMatchObject({ ok: true });
  await payment.platform.pass();
  const fetched = await fetchMoney(payment);
  await payment.sendReport("captureFailed", { ...charge, messageId: fetched?.messageId });
}

/** The terminal fetches a requested capture and does not answer, so that its outcome is unknown ten minutes later. */
async function doubtCapture(payment: AnyPayment) {
  await payment.capture();
  await payment.platform.pass();
  expect((await fetchMoney(payment))?.message.type).toBe("capture");
  await payment.platform.pass(601);
  expect(await payment.now()).toMatchObject({ status: "captureRequested", statusReason: "outcomeUnknown" });
}

/** The terminal fetches a requested refund and does not answer, so that its outcome is unknown ten minutes later. */
async function doubtRefund(payment: AnyPayment, refundId: string) {
  await payment.refund(10, { refundId });
  expect((await fetchMoney(payment))?.message.type).toBe("refund");
  await payment.platform.pass(601);
}

describe("the time to capture an authorization", () => {
  it("ends six hours after the last failed capture: a query, one void, then its tries, whatever failed before", async () => {
    const payment = await authorized();
    for (const hours of [31, 31.5, 32, 32.5, 33, 33.5, 34, 35]) {
      await until(payment, hours);
      await failCapture(payment);
    }
    expect(await payment.now()).toMatchObject({ captureBefore: after(now, 41 * HOUR) });
    await until(payment, 40.9);
    expect(await payment.open()).toEqual([]);

    const voids: number[] = [];
    for (let hours = 41; hours <= 41 + 24; hours++) {
      await until(payment, hours);
      if (hours === 41)
        await payment.sendReport("captureFailed", { ...charge, messageId: (await payment.fetch())?.messageId });
      await payment.platform.pass();
      const fetched = await payment.fetch();
      if (fetched?.message.type !== "void") continue;
      voids.push(hours);
      await payment.sendReport("voidFailed", { ...charge, messageId: fetched.messageId });
    }
    expect(voids).toEqual([41, 47, 59]);
  });

  it("does not become shorter by a capture that fails early", async () => {
    const payment = await authorized();
    await until(payment, 1);
    await failCapture(payment);
    expect(await payment.now()).toMatchObject({ captureBefore: after(now, 36 * HOUR) });
    await until(payment, 36);
    expect(await payment.open()).toEqual(["statusQuery"]);
  });
});

describe("a day of doubt calls an operator once", () => {
  it("although the terminal has said for an hour that the payment runs", async () => {
    const payment = await aPayment();
    await payment.fetch();
    for (let minutes = 1; minutes < 59; minutes++) {
      await payment.platform.pass(61);
      await payment.sendReport("accepted");
    }
    await until(payment, 26);
    expect(await payment.now()).toMatchObject({ status: "reconciling" });
    expect(await alertsOf(payment)).toEqual(["outcomeUnknown  1"]);
  });

  it("for a capture, counted from its own doubt and not from that of an earlier capture", async () => {
    const payment = await authorized();
    await doubtCapture(payment);
    await payment.sendReport("captureFailed", charge);
    await until(payment, 23);
    await doubtCapture(payment);
    await until(payment, 47);
    expect(await alertsOf(payment)).toEqual([]);
    await until(payment, 47.5);
    expect(await alertsOf(payment)).toEqual(["outcomeUnknown  1"]);
  });

  it("for a refund, counted from its own doubt and not from that of an earlier refund", async () => {
    const payment = await captured();
    await doubtRefund(payment, "first");
    await payment.sendReport("refunded", { refundId: "first", amount: 1_000, currency: "SEK" });
    await until(payment, 23);
    await doubtRefund(payment, "second");
    await until(payment, 47);
    expect(await alertsOf(payment)).toEqual([]);
    await until(payment, 47.5);
    expect(await alertsOf(payment)).toEqual(["outcomeUnknown second 1"]);
  });
});
