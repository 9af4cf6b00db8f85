import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../../shared/domain/payment/operator/resolution.ts";
import type { Totals } from "../../../../shared/domain/terminal-day/totals.ts";
import type { Day } from "../../../../shared/domain/time.ts";
import { recordResolution } from "../../../../shared/use-cases/operator/record-resolution.ts";
import { readDay } from "../../../../shared/use-cases/terminal-days/read-day.ts";
import { recordTotals } from "../../../../shared/use-cases/terminal-days/record-totals.ts";
import { aPayment, approval } from "../../../support/a-payment.ts";
import { aCall, callFrom } from "../../../support/calls.ts";
import { aTerminal, callBy, terminalId } from "../../../support/platform.ts";

const day = "2026-11-21";
const nothing = { count: 0, amount: 0 };
const totals = (capture = nothing, more: object = {}): Totals => [
  { currency: "SEK", capture, refund: nothing, reversal: nothing, ...more },
];
const oneCharge = { count: 1, amount: 12_550 };
const paid = { of: "payment", outcome: "paid" } as const;
const back = { of: "charge", outcome: "reversed", chargeId: "charge-1" } as const;

/** A payment that its terminal has fetched, with the actions of an operator and the terminal. */
async function aFetchedPayment() {
  const payment = await aPayment({ captureMode: "automatic" });
  const { platform } = payment;
  const { deps } = platform;
  const messageId = (await payment.fetch())?.messageId;
  let closings = 0;
  return {
    ...payment,
    sendReport: (type: Parameters<typeof payment.sendReport>[0], more: object = {}) =>
      payment.sendReport(type, { messageId, businessDay: day, ...more }),
    /** The terminal closes its day with its totals, and the grace time passes. */
    async close(said: Totals, lastChargeId?: string, of: Day = day) {
      const closingId = `n${++closings}`;
      const input = { closingId, idAsReceived: closingId, day: of, totals: said, lastChargeId };
      await recordTotals(deps, callFrom(deps, aTerminal()), input);
      await platform.pass(1_200);
    },
    /** The operator resolves the payment in its present state, and the workers carry out the effects. */
    async resolve(said: Outcome, businessDay?: Day) {
      const { sequence } = await payment.now();
      const resolution = { ...said, by: "ada", why: "the acquirer's list", businessDay };
      const resolved = await recordResolution(deps, aCall(deps), { ...payment.key, sequence }, resolution);
      await platform.pass();
      return resolved.ok ? "ok" : resolved.error.code;
    },
    async status(of: Day = day) {
      const found = await readDay(deps, callBy(deps), terminalId, of);
      return found.ok ? found.value.status : found.error.code;
    },
    alert: async () => (await deps.alerts.of(terminalId)).map((stored) => stored.alert.detail).join(),
  };
}

const equal = "the day is closed: terminal and books are equal";

describe("a day that differs", () => {
  it("because of a charge that is only in its totals is closed by a correction on that day", async () => {
    const { sendReport, close, resolve, status, now, alert } = await aFetchedPayment();
    await sendReport("declined");
    await close(totals(oneCharge), "charge-9");
    expect(await status()).toBe("differs");
    expect(await resolve(paid, day)).toBe("ok");
    expect(await now()).toMatchObject({ status: "declined", amounts: { captured: 12_550 } });
    expect(await status()).toBe("closed");
    expect(await alert()).toBe(equal);
  });

  it("is not closed by a correction without a day, until the day is named", async () => {
    const { sendReport, close, resolve, status } = await aFetchedPayment();
    await sendReport("declined");
    await close(totals(oneCharge));
    expect(await resolve(paid)).toBe("ok");
    expect(await status()).toBe("differs");
    expect(await resolve(paid, day)).toBe("ok");
    expect(await status()).toBe("closed");
  });

  it("because of a charge that the terminal does not count is closed by a correction on that day", async () => {
    const { sendReport, close, resolve, status, now } = await aFetchedPayment();
    await sendReport("authorized", approval);
    await close(totals());
    expect(await status()).toBe("differs");
    expect(await resolve(back, day)).toBe("ok");
    expect(await now()).toMatchObject({ amounts: { captured: 0 }, charges: [{ status: "reversed" }] });
    expect(await status()).toBe("closed");
  });

  it("because of a refund that is only in its totals is closed by a correction on that day", async () => {
    const { sendReport, close, resolve, status, refund, now } = await aFetchedPayment();
    await sendReport("authorized", approval);
    await refund(50);
    const refundId = (await now()).refunds[0]?.refundId ?? "";
    await sendReport("refundFailed", { refundId, messageId: undefined });
    await close(totals(oneCharge, { refund: { count: 1, amount: 5_000 } }));
    expect(await status()).toBe("differs");
    expect(await resolve({ of: "refund", outcome: "succeeded", refundId }, day)).toBe("ok");
    expect(await status()).toBe("closed");
  });

  it("because more was captured or refunded than requested is closed once the whole is recorded on that day", async () => {
    const { sendReport, close, resolve, status, refund, now } = await aFetchedPayment();
    const whole = { count: 1, amount: 13_000 };
    await sendReport("authorized", approval);
    await sendReport("captured", { ...approval, amount: 13_000 });
    await close(totals(whole));
    expect(await status()).toBe("differs");
    expect(await resolve({ ...paid, amount: 130, chargeId: "charge-1" }, day)).toBe("ok");
    expect(await status()).toBe("closed");
    await refund(50);
    const refundId = (await now()).refunds[0]?.refundId ?? "";
    await sendReport("refunded", { refundId, messageId: undefined, amount: 6_000, currency: "SEK" });
    await close(totals(whole, { refund: { count: 1, amount: 6_000 } }));
    expect(await status()).toBe("differs");
    expect(await resolve({ of: "refund", outcome: "succeeded", refundId, amount: 60 }, day)).toBe("ok");
    expect(await status()).toBe("closed");
  });

  it("permits no correction of a payment of another day", async () => {
    const { sendReport, close, resolve, status } = await aFetchedPayment();
    await sendReport("declined");
    await close(totals(oneCharge), undefined, "2026-11-19");
    expect(await status("2026-11-19")).toBe("differs");
    expect(await resolve(paid)).toBe("invalid_state");
    await close(totals(oneCharge), undefined, "2026-11-22"); // the terminal's day began after midnight
    expect(await resolve(paid, "2026-11-22")).toBe("ok");
    expect(await status("2026-11-22")).toBe("closed");
  });

  it("is closed again after a wrong correction is reversed, on the day of the correction", async () => {
    const { sendReport, close, resolve, status, now } = await aFetchedPayment();
    await sendReport("declined");
    await close(totals(oneCharge));
    expect(await resolve({ ...paid, amount: 100 }, day)).toBe("ok");
    expect(await status()).toBe("differs");
    expect(await resolve({ ...paid, amount: 125.5 }, day)).toBe("ok");
    expect(await status()).toBe("closed");
    await close(totals());
    expect(await status()).toBe("differs");
    expect(await resolve({ of: "payment", outcome: "unpaid" })).toBe("ok");
    expect(await now()).toMatchObject({ amounts: { captured: 0 } });
    expect(await status()).toBe("closed");
  });
});

it("an undone correction does not stand for the terminal's last charge", async () => {
  const { sendReport, close, resolve, status } = await aFetchedPayment();
  await sendReport("declined");
  await close(totals(oneCharge), "charge-1");
  expect(await resolve(paid, day)).toBe("ok");
  expect(await resolve({ of: "payment", outcome: "unpaid" })).toBe("ok");
  await close(totals(), "charge-1");
  expect(await status()).toBe("differs");
});

describe("a terminal's later report of money that an operator recorded", () => {
  it.each([undefined, day])(
    "replaces the correction, so that its true totals close the day (named: %s)",
    async (named) => {
      const { sendReport, close, resolve, status, now, platform } = await aFetchedPayment();
      await platform.pass(48 * 3600);
      expect(await resolve(paid, named)).toBe("ok");
      await sendReport("authorized", approval);
      expect(await now()).toMatchObject({ amounts: { captured: 12_550 }, charges: [{ status: "captured" }] });
      await close(totals(oneCharge), "charge-1");
      expect(await status()).toBe("closed");
    },
  );

  it("of a capture does so, too", async () => {
    const payment = await aPayment({ captureMode: "manual" });
    await payment.sendReport("authorized", { ...approval, messageId: (await payment.fetch())?.messageId });
    await payment.capture();
    await payment.platform.pass();
    const { messageId } = (await payment.fetch()) ?? {};
    await payment.platform.pass(48 * 3600);
    const { deps } = payment.platform;
    const seen = await payment.now();
    const said = { ...paid, by: "ada", why: "the acquirer's list" };
    expect(await recordResolution(deps, aCall(deps), seen, said)).toMatchObject({ ok: true });
    await payment.platform.pass();
    await payment.sendReport("captured", { ...approval, messageId, businessDay: day });
    const bookings = await deps.bookings.ofBusinessDay({ terminalId, day });
    expect(bookings.map(({ kind, direction }) => `${kind} ${direction}`)).toEqual(["capture credit"]);
    const closing = { closingId: "n1", idAsReceived: "n1", day, totals: totals(oneCharge) };
    await recordTotals(deps, callFrom(deps, aTerminal()), closing);
    await payment.platform.pass(1_200);
    expect(await readDay(deps, callBy(deps), terminalId, day)).toMatchObject({ value: { status: "closed" } });
  });
});
