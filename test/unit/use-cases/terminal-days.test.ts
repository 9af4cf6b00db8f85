import { describe, expect, it } from "vitest";
import type { Booking } from "../../../shared/domain/booking.ts";
import { closeAlert } from "../../../shared/domain/alert.ts";
import { dayOf, type Day } from "../../../shared/domain/time.ts";
import { movementsOf, totalsOf, type Totals } from "../../../shared/domain/terminal-day/totals.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import { updateDay } from "../../../shared/use-cases/terminal-days/compare-day.ts";
import { readDay } from "../../../shared/use-cases/terminal-days/read-day.ts";
import { recordTotals, type TotalsInput } from "../../../shared/use-cases/terminal-days/record-totals.ts";
import { replayWebhooks } from "../../../shared/use-cases/operator/replay-webhooks.ts";
import { aPayment, approval } from "../../support/a-payment.ts";
import { aBooking } from "../../support/a-booking.ts";
import { addBookings } from "../../support/add-bookings.ts";
import { aCall, callFrom } from "../../support/calls.ts";
import { aPlatform, aTerminal, callBy, partnerId, terminalId, type Platform } from "../../support/platform.ts";
import { settlementOf } from "../../support/settlement.ts";

const day = "2026-11-21";
const key = { partnerId, terminalId, day };
const oneCharge: Totals = [
  {
    currency: "SEK",
    capture: { count: 1, amount: 12_550 },
    refund: { count: 0, amount: 0 },
    reversal: { count: 0, amount: 0 },
  },
];

let closings = 0;
const aClosing = (more: Partial<TotalsInput> = {}): TotalsInput => ({
  closingId: `n${++closings}`,
  idAsReceived: `N${closings}`,
  day,
  totals: oneCharge,
  ...more,
});

/** A platform with a captured payment of 125.50 SEK on its terminal. */
async function paid() {
  const payment = await aPayment({ captureMode: "automatic" });
  const { messageId } = (await payment.fetch()) ?? {};
  await payment.sendReport("accepted", { messageId });
  await payment.sendReport("authorized", { ...approval, messageId });
  await payment.platform.pass();
  return payment;
}

const close = ({ deps }: Platform, closing: TotalsInput) => recordTotals(deps, callFrom(deps, aTerminal()), closing);
const read = async ({ deps }: Platform, of: Day = day) => {
  const found = await readDay(deps, callBy(deps), terminalId, of);
  if (!found.ok) throw new Error(found.error.code);
  return found.value;
};
/** The partner's file of the day. */
const filed = ({ deps }: Platform, of: Day) => settlementOf(deps, callBy(deps), of);
const eventsOf = ({ webhooksSent }: Platform) =>
  webhooksSent.map(({ body }) => (JSON.parse(body) as { type: string }).type).filter((type) => type.startsWith("day."));
const alertsOf = async ({ deps }: Platform) =>
  (await deps.alerts.listOpen()).map(({ kind, detail, count }) => ({ kind, detail, count }));

/** The log line that makes Azure Monitor notify an operator. */
const calling = (alert: string) => ({
  partner: partnerId,
  terminal: terminalId,
  day,
  alert,
  sequence: expect.any(Number) as number,
});

describe("a terminal's day", () => {
  it("is open with its first booking, and shows its bookings", async () => {
    const { platform } = await paid();
    expect(await read(platform)).toMatchObject({ status: "open", booked: oneCharge, sequence: 1 });
  });

  it("without any movement is open, and is closed by totals of nothing", async () => {
    const platform = await aPlatform();
    expect(await read(platform)).toMatchObject({ status: "open", booked: [], sequence: 0 });
    await close(platform, aClosing({ totals: [] }));
    await platform.pass();
    expect(await read(platform)).toMatchObject({ status: "closed" });
  });

  it("accepts totals during a burst of other writers, which compare the previous state", async () => {
    const { deps } = await aPlatform();
    let others = 20;
    const commit: typeof deps.terminalDays.commit = async (change) => {
      if (others-- > 0) throw new Conflict("another writer was first");
      return deps.terminalDays.commit(change);
    };
    const crowded = { ...deps, terminalDays: { ...deps.terminalDays, commit } };
    expect(await recordTotals(crowded, callFrom(deps, aTerminal()), aClosing())).toEqual({
      ok: true,
      value: { replayed: false },
    });
  });

  it("is closed by equal totals: the partner is notified, and its books accept no more bookings", async () => {
    const { platform } = await paid();
    expect(await close(platform, aClosing())).toEqual({ ok: true, value: { replayed: false } });
    await platform.pass();
    expect(await read(platform)).toMatchObject({ status: "closed", differences: [] });
    expect(eventsOf(platform)).toEqual(["day.closed"]);
    expect(await platform.deps.terminalDays.find(key)).toMatchObject({ closedAt: expect.any(String) as string });
    await platform.pass(24 * 3600);
    expect(eventsOf(platform)).toEqual(["day.closed"]);
    expect(await alertsOf(platform)).toEqual([]);
  });

  it("delivers its events again if an operator replays them, and no payment's", async () => {
    const { platform } = await paid();
    await close(platform, aClosing());
    await platform.pass();
    const original = platform.webhooksSent.splice(0);
    const replayed = await replayWebhooks(platform.deps, { kind: "terminalDay", ...key });
    expect(replayed).toMatchObject([{ type: "day.closed", attempts: 1 }]);
    await platform.pass();
    expect(platform.webhooksSent).toHaveLength(1);
    expect(original).toContainEqual(expect.objectContaining({ body: platform.webhooksSent[0]?.body }));
  });

  it("of a terminal that leaves a charge out differs after the grace time, and names the charge", async () => {
    const { platform } = await paid();
    await close(platform, aClosing({ totals: [] }));
    await platform.pass(600);
    expect(await read(platform)).toMatchObject({ status: "comparing" });
    expect(eventsOf(platform)).toEqual([]);
    await platform.pass(600);
    expect(await read(platform)).toMatchObject({
      status: "differs",
      differences: [{ more: "books", names: ["charge-1"] }],
    });
    expect(eventsOf(platform)).toEqual(["day.differs"]);
    const [alert] = await alertsOf(platform);
    expect(alert).toMatchObject({ kind: "dayDiffers", count: 1 });
    expect(alert?.detail).toContain("charge-1");
    expect(platform.log.of("alertRaised")).toMatchObject([calling("dayDiffers")]);
  });

  it("whose terminal names one charge in two payments differs, although counts and sums are equal", async () => {
    const { platform } = await paid();
    await addBookings(platform.deps, [aBooking({ terminalId, chargeId: "charge-1" })], day);
    const both = { count: 2, amount: 25_100 };
    await close(platform, aClosing({ totals: oneCharge.map((one) => ({ ...one, capture: both })) }));
    await platform.pass(1_200);
    expect(await read(platform)).toMatchObject({
      status: "differs",
      differences: [{ kind: "sharedCharge", terminal: both, booked: both, names: ["charge-1"] }],
    });
  });

  it("that differs is closed by corrected totals, and its alert says so", async () => {
    const { platform } = await paid();
    await close(platform, aClosing({ totals: [] }));
    await platform.pass(1_200);
    await close(platform, aClosing());
    await platform.pass();
    expect(await read(platform)).toMatchObject({ status: "closed" });
    expect(eventsOf(platform)).toEqual(["day.differs", "day.closed"]);
    expect(await alertsOf(platform)).toMatchObject([
      { kind: "dayDiffers", count: 2, detail: "the day is closed: terminal and books are equal" },
    ]);
    expect(platform.log.of("alertRaised")).toMatchObject([calling("dayDiffers")]); // only from the first difference
    expect(platform.log.of("alertMended")).toMatchObject([{ ...calling("dayDiffers") }]);
  });

  it("that is closed by corrected totals does not reopen an alert that its operator had closed", async () => {
    const { platform } = await paid();
    const { alerts } = platform.deps;
    await close(platform, aClosing({ totals: [] }));
    await platform.pass(1_200);
    for (const stored of await alerts.of(terminalId)) {
      const closed = closeAlert(stored.alert, { by: "ada", why: "corrected tomorrow", at: platform.deps.clock.now() });
      if (closed) await alerts.save(closed, stored);
    }
    await close(platform, aClosing());
    await platform.pass();
    expect(await read(platform)).toMatchObject({ status: "closed" });
    expect(await alertsOf(platform)).toEqual([]);
    expect((await alerts.of(terminalId)).map(({ alert }) => alert)).toMatchObject([
      { kind: "dayDiffers", status: "closed", count: 2, detail: "the day is closed: terminal and books are equal" },
    ]);
  });

  it("that is closed before a charge is reported differs at once when the report comes", async () => {
    const { platform, fetch, sendReport } = await aPayment({ captureMode: "automatic" });
    const { messageId } = (await fetch()) ?? {};
    await sendReport("accepted", { messageId });
    await close(platform, aClosing({ totals: [] }));
    await platform.pass();
    expect(await read(platform)).toMatchObject({ status: "closed" });
    await sendReport("authorized", { ...approval, messageId });
    await platform.pass();
    expect(await read(platform)).toMatchObject({ status: "differs", booked: oneCharge });
    expect(eventsOf(platform)).toEqual(["day.closed", "day.differs"]);
    expect((await filed(platform, day)).bookings).toEqual([]);
    expect((await filed(platform, "2026-11-22")).bookings).toMatchObject([{ businessDay: day, amount: 12_550 }]);
  });

  it("whose totals come before the report of its charge is closed by that report", async () => {
    const { platform, fetch, sendReport } = await aPayment({ captureMode: "automatic" });
    const { messageId } = (await fetch()) ?? {};
    await sendReport("accepted", { messageId });
    await close(platform, aClosing());
    await platform.pass();
    expect(await read(platform)).toMatchObject({ status: "comparing" });
    await sendReport("authorized", { ...approval, messageId });
    await platform.pass();
    expect(await read(platform)).toMatchObject({ status: "closed" });
    expect((await filed(platform, day)).bookings).toMatchObject([{ amount: 12_550 }]);
  });

  it("with totals alone is closed by money that comes days later", async () => {
    const platform = await aPlatform();
    await close(platform, aClosing());
    await platform.pass(5 * 24 * 3600);
    expect(await read(platform)).toMatchObject({ status: "differs" });
    expect(await filed(platform, day)).toMatchObject({ isClosed: false, bookings: [] });
    const today = dayOf(platform.deps.clock.now());
    expect(await addBookings(platform.deps, [aBooking({ terminalId, chargeId: "charge-1" })], today)).toEqual([day]);
    await updateDay(platform.deps, aCall(platform.deps), key);
    expect(await read(platform)).toMatchObject({ status: "closed", booked: oneCharge });
    await platform.pass(60);
    expect(await filed(platform, day)).toMatchObject({ isClosed: true, bookings: [{ businessDay: day }] });
  });

  it("that the terminal never closes raises an alert once, twelve hours after its end", async () => {
    const { platform } = await paid();
    await platform.pass(26 * 3600 - 60);
    expect(await alertsOf(platform)).toEqual([]);
    await platform.pass(120);
    expect(await read(platform)).toMatchObject({ status: "missing" });
    expect(await alertsOf(platform)).toMatchObject([{ kind: "dayMissing", count: 1 }]);
    expect(platform.log.of("alertRaised")).toMatchObject([calling("dayMissing")]);
    await close(platform, aClosing());
    await platform.pass();
    expect(await read(platform)).toMatchObject({ status: "closed" });
    expect(await alertsOf(platform)).toMatchObject([{ kind: "dayMissing", detail: "the totals have come" }]);
    expect(platform.log.of("alertRaised")).toHaveLength(1);
    expect(platform.log.of("alertMended")).toMatchObject([{ ...calling("dayMissing") }]);
  });
});

describe("two concurrent comparisons of a closed day", () => {
  it("do not close it by the older one, which fails on the ETag and reads again", async () => {
    const { platform } = await paid();
    const { deps } = platform;
    const books = (of: Partial<Booking>) =>
      addBookings(deps, [aBooking({ terminalId, chargeId: "charge-2", amount: 12_550, ...of })], day);
    const compared = (by: Platform["deps"]) => updateDay(by, aCall(deps), key);
    await close(platform, aClosing());
    await platform.pass();
    await books({});
    await compared(deps); // charge 2 is late: the day differs
    await books({ kind: "reversal", direction: "debit" });
    let isFirst = true;
    const ofBusinessDay: typeof deps.bookings.ofBusinessDay = async (of) => {
      const found = await deps.bookings.ofBusinessDay(of);
      if (!isFirst) return found;
      isFirst = false;
      await books({ chargeId: "charge-3" });
      await compared(deps); // the newer comparison has the same result as before
      return found;
    };
    await compared({ ...deps, bookings: { ...deps.bookings, ofBusinessDay } });
    await platform.pass();
    expect(await read(platform)).toMatchObject({ status: "differs", booked: [{ capture: { count: 3 } }] });
    expect(eventsOf(platform)).toEqual(["day.closed", "day.differs"]);
  });
});

describe("a repeated closing", () => {
  it("is a replay and changes nothing, even after another one corrected it", async () => {
    const { platform } = await paid();
    const first = aClosing({ totals: [] });
    await close(platform, first);
    expect(await close(platform, first)).toEqual({ ok: true, value: { replayed: true } });
    await close(platform, aClosing());
    await platform.pass();
    expect(await close(platform, first)).toEqual({ ok: true, value: { replayed: true } });
    await platform.pass(1_200);
    expect(await read(platform)).toMatchObject({ status: "closed" });
  });

  it.each([
    ["other totals", { totals: [] }],
    ["another last charge", { lastChargeId: "c9" }],
  ])("with %s is refused", async (_, more) => {
    const { platform } = await paid();
    const first = aClosing();
    await close(platform, first);
    expect(await close(platform, { ...first, ...more })).toMatchObject({ error: { code: "idempotency_mismatch" } });
  });

  it.each(["2025-11-19", "2026-11-25"])(
    "of %s, in the distant past or future, is refused, and nothing is stored",
    async (of) => {
      const platform = await aPlatform();
      expect(await close(platform, aClosing({ day: of }))).toMatchObject({ error: { code: "validation_failed" } });
      expect(await platform.deps.terminalDays.find({ terminalId, day: of })).toBeUndefined();
    },
  );
});

describe("a partner that reads a day", () => {
  it.each([
    ["of another partner's terminal", { partnerId: "other", keyId: "k" }, terminalId],
    ["of a terminal that its key does not reach", { partnerId, keyId: "k", terminalIds: ["t2"] }, terminalId],
    ["of no terminal", { partnerId, keyId: "k" }, "t9"],
  ])("%s gets the same refusal", async (_, caller, of) => {
    const { deps } = await aPlatform();
    expect(await readDay(deps, { ...callBy(deps), caller }, of, day)).toMatchObject({
      error: { code: "terminal_not_found" },
    });
  });

  it("is refused an invalid day", async () => {
    const { deps } = await aPlatform();
    expect(await readDay(deps, callBy(deps), terminalId, "2026-02-30")).toMatchObject({
      error: { code: "validation_failed" },
    });
  });
});

it("compares only the bookings of the day that the terminal names", async () => {
  const { platform } = await paid();
  const bookings = await platform.deps.bookings.ofBusinessDay(key);
  expect(totalsOf(movementsOf(bookings))).toEqual(oneCharge);
  expect(dayOf(platform.deps.clock.now())).toBe(day);
});
