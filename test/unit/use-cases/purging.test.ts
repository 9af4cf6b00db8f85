import { describe, expect, it } from "vitest";
import { retentionTable, type RetentionKind } from "../../../shared/domain/retention.ts";
import { toSettlementFile } from "../../../shared/contracts/objects/settlement-file.ts";
import { readSettlement } from "../../../shared/use-cases/bookings/read-settlement.ts";
import { addDiscount } from "../../../shared/use-cases/payments/add-discount.ts";
import { cancelPayment } from "../../../shared/use-cases/payments/cancel-payment.ts";
import { raiseActionRequest } from "../../../shared/use-cases/action-requests/raise-action-request.ts";
import { createdEntryOf } from "../../../shared/use-cases/payments/enter-created.ts";
import { recordTotals } from "../../../shared/use-cases/terminal-days/record-totals.ts";
import { checkedDays, planPurge, purge } from "../../../shared/use-cases/retention/purge.ts";
import { aBooking } from "../../support/a-booking.ts";
import { aPaymentOn, approval } from "../../support/a-payment.ts";
import { allRows } from "../../support/all-rows.ts";
import { aCall, callFrom } from "../../support/calls.ts";
import { aToken } from "../../support/consumer.ts";
import { aPlatform, aTerminal, callBy, partnerId, terminalId, type Platform } from "../../support/platform.ts";

const DAY = 24 * 3600;
const SEVEN_YEARS = retentionTable.payments.days * DAY;

async function aWorld() {
  const rows = allRows();
  const platform = await aPlatform({ open: rows.open });
  return { rows, platform };
}
const run = ({ deps }: Platform, kind: RetentionKind, days: number = retentionTable[kind].days) =>
  purge(deps, aCall(deps), { kind, days });
const plan = ({ deps }: Platform, kind: RetentionKind, days: number = retentionTable[kind].days) =>
  planPurge(deps, aCall(deps), { kind, days });

/** A payment of an order that was captured, with its webhooks delivered. */
async function aCaptured(platform: Platform) {
  const payment = await aPaymentOn(platform, { captureMode: "automatic", references: { orderId: "order 7" } });
  const { messageId } = (await payment.fetch()) ?? {};
  await payment.tell("accepted", { messageId });
  await payment.tell("authorized", { ...approval, messageId });
  await platform.pass(300);
  return payment;
}

/** The rows that name the session. Its terminal's claim does, too: it is checked against the payment, and stays; feed and bookings have their own days. */
const of = (all: readonly string[], id: string) =>
  all.filter((row) => row.includes(id) && !/^(feeds|bookings) /.test(row));

describe("purging payments", () => {
  it("removes one that ended seven years ago, with everything of it, and nothing a day before", async () => {
    const { rows, platform } = await aWorld();
    const payment = await aCaptured(platform);
    await platform.pass(SEVEN_YEARS - DAY);
    expect(await plan(platform, "payments")).toMatchObject({ atMost: 0 });
    expect(await run(platform, "payments")).toMatchObject({ removed: 0, rows: 0, stay: 0 });
    expect(of(await rows.all(), payment.sessionId).length).toBeGreaterThan(8);

    await platform.pass(2 * DAY);
    expect(await plan(platform, "payments")).toMatchObject({ atMost: 1 });
    expect(await run(platform, "payments")).toMatchObject({ removed: 1, stay: 0 });
    const left = await rows.all();
    expect(of(left, payment.sessionId)).toEqual([]);
    expect(left.filter((row) => row.startsWith("orders "))).toEqual([]);
    // Other tables hold what has days of its own; and there is the note of how far the purge came.
    const ofPayments = left.filter((row) => /^(payments|orders|listings) /.test(row) && !row.includes("~terminalDay~"));
    expect(ofPayments).toEqual(["listings purge passed~payments"]);
    expect(await run(platform, "payments")).toMatchObject({ removed: 0, rows: 0 });
  });

  it("keeps one whose money is in doubt, one with an effect that is not carried out, and one that an open alert names", async () => {
    const { rows, platform } = await aWorld();
    const doubtful = await aPaymentOn(platform);
    await doubtful.fetch();
    await doubtful.tell("accepted");
    const undone = await aPaymentOn(platform, { captureMode: "automatic" });
    await undone.tell("accepted");
    await undone.tell("authorized", approval, "wait");
    platform.queued.splice(0); // the queue was lost
    const contradicted = await aCaptured(platform);
    await contradicted.tell("declined");
    await platform.pass(SEVEN_YEARS + 30 * DAY);

    expect(await run(platform, "payments")).toMatchObject({ removed: 0 });
    for (const { sessionId } of [doubtful, undone, contradicted])
      expect(of(await rows.all(), sessionId).length).toBeGreaterThan(5);

    for (const { alert, etag } of await platform.deps.alerts.of(contradicted.sessionId))
      await platform.deps.alerts.save({ ...alert, status: "closed" }, { alert, etag });
    expect(await run(platform, "payments")).toMatchObject({ removed: 1 });
    expect(of(await rows.all(), contradicted.sessionId).filter((row) => !row.startsWith("alerts "))).toEqual([]);
  });

  it("counts the years from the last change, whatever day it was requested on", async () => {
    const { rows, platform } = await aWorld();
    const payment = await aCaptured(platform);
    await platform.pass(100 * DAY);
    await payment.refund(25);
    const { messageId } = (await payment.fetch()) ?? {};
    await payment.tell("refunded", { messageId });
    await platform.pass(SEVEN_YEARS - DAY);
    expect(await run(platform, "payments")).toMatchObject({ removed: 0, stay: 0 });
    expect((await payment.now()).status).toBe("captured");
    await platform.pass(3 * DAY);
    expect(await run(platform, "payments")).toMatchObject({ removed: 1 });
    expect(of(await rows.all(), payment.sessionId)).toEqual([]);
  });

  it("leaves the place of another payment in the order's list", async () => {
    const { rows, platform } = await aWorld();
    const first = await aCaptured(platform);
    await platform.pass(SEVEN_YEARS);
    const second = await aCaptured(platform);
    await platform.pass(2 * DAY);
    expect(await run(platform, "payments")).toMatchObject({ removed: 1 });
    expect(of(await rows.all(), first.sessionId)).toEqual([]);
    const key = { merchantId: (await second.now()).merchantId, orderId: "order 7", currency: "SEK", amount: 12_550 };
    expect((await platform.deps.orders.find(key))?.holders).toMatchObject([{ sessionId: second.sessionId }]);
  });

  it("removes the tombstone of a session that was cancelled before it came", async () => {
    const { rows, platform } = await aWorld();
    const sessionId = "eeeeeeee-0000-4000-8000-00000000dead";
    await cancelPayment(platform.deps, callBy(platform.deps), { sessionId, terminalId });
    expect(of(await rows.all(), sessionId)).not.toEqual([]);
    await platform.pass(SEVEN_YEARS + DAY);
    await run(platform, "payments");
    expect(of(await rows.all(), sessionId)).toEqual([]);
  });

  it("may be ended at any write and run again", async () => {
    for (let writes = 0; ; writes++) {
      const { rows, platform } = await aWorld();
      const payment = await aCaptured(platform);
      await platform.pass(SEVEN_YEARS + DAY);
      rows.cutAfter(writes);
      const ended = await run(platform, "payments").then(
        () => "by itself",
        () => "by the cut",
      );
      rows.cutAfter(Infinity);
      await run(platform, "payments");
      expect(of(await rows.all(), payment.sessionId), `cut after ${writes}`).toEqual([]);
      if (ended === "by itself") break;
      expect(writes).toBeLessThan(20);
    }
  });

  it("lets one stay that changes at the same moment", async () => {
    const { rows, platform } = await aWorld();
    const payment = await aCaptured(platform);
    await platform.pass(SEVEN_YEARS + DAY);
    const { removePayment } = platform.deps.retention;
    platform.deps.retention.removePayment = async (key, etag) => {
      platform.deps.retention.removePayment = removePayment;
      const read = await platform.deps.payments.find(key);
      if (read) await platform.deps.payments.unlist(read);
      return removePayment(key, etag);
    };
    expect(await run(platform, "payments")).toMatchObject({ removed: 0, stay: 1 });
    expect((await payment.now()).status).toBe("captured");
    expect(of(await rows.all(), payment.sessionId).filter((row) => row.includes(" created~"))).toHaveLength(1);
    expect(await run(platform, "payments")).toMatchObject({ removed: 1, stay: 0 });
  });
});

describe("purging a partner's list of payments", () => {
  it("removes with a day what names no payment, and keeps what names one that changed later", async () => {
    const { rows, platform } = await aWorld();
    const { createdPayments, payments } = platform.deps;
    const old = await aCaptured(platform);
    const kept = await aCaptured(platform);
    for (const { sessionId } of [old, kept]) {
      const stored = await payments.find({ partnerId, sessionId });
      if (stored) await createdPayments.enter({ ...createdEntryOf(stored.payment), requestedBy: "another" });
    }
    await platform.pass(100 * DAY);
    await kept.refund(25);
    await kept.tell("refunded", { messageId: (await kept.fetch())?.messageId });
    await platform.pass(SEVEN_YEARS - 50 * DAY);
    await run(platform, "payments");
    const listed = (await rows.all()).filter((row) => row.includes(" created~"));
    expect(of(listed, old.sessionId)).toEqual([]);
    expect(of(listed, kept.sessionId)).toHaveLength(1);
    expect(of(listed, "another")).toEqual([]);
    expect((await kept.now()).status).toBe("captured");
  });
});

describe("purging webhook attempts", () => {
  it("removes those older than thirty days, with the payment as it is, and does not look at it twice", async () => {
    const { rows, platform } = await aWorld();
    const payment = await aCaptured(platform);
    const others = of(await rows.all(), payment.sessionId).filter((row) => !row.includes(" webhook~"));
    await platform.pass(37 * DAY);
    expect(await run(platform, "webhookAttempts")).toMatchObject({ removed: 0 });
    await platform.pass(3 * DAY);
    expect(await run(platform, "webhookAttempts")).toMatchObject({ removed: 1, rows: 2 });
    expect(of(await rows.all(), payment.sessionId)).toEqual(others);
    expect(await plan(platform, "webhookAttempts")).toMatchObject({ atMost: 0 });
  });

  it("keeps those of a payment that is still open", async () => {
    const { rows, platform } = await aWorld();
    const payment = await aPaymentOn(platform);
    await payment.fetch();
    await payment.tell("accepted");
    await platform.pass(60 * DAY);
    await run(platform, "webhookAttempts");
    expect(of(await rows.all(), payment.sessionId).filter((row) => row.includes(" webhook~"))).not.toEqual([]);
  });
});

it("purging removes an action request that has ended, with its webhooks and its answer", async () => {
  const { rows, platform } = await aWorld();
  const { deps } = platform;
  const actionRequestId = "abababab-0000-4000-8000-000000000001";
  const requested = { actionRequestId, idAsReceived: actionRequestId, actionCode: "openGate", withdraw: false };
  await raiseActionRequest(deps, callFrom(deps, aTerminal()), requested);
  await platform.pass(300);
  expect(of(await rows.all(), actionRequestId).length).toBeGreaterThan(4);
  await platform.pass((retentionTable.actionRequests.days + 1) * DAY);
  expect(await run(platform, "actionRequests")).toMatchObject({ removed: 1 });
  expect(of(await rows.all(), actionRequestId)).toEqual([]);
});

describe("purging a terminal's day", () => {
  const closed = { closingId: "n1", idAsReceived: "N1", day: "2026-11-21", totals: [] };

  it("removes one that is closed, with its closings, and nothing a day before", async () => {
    const { rows, platform } = await aWorld();
    await recordTotals(platform.deps, callFrom(platform.deps, aTerminal()), closed);
    await platform.pass(1_200); // past the grace time
    const ofDays = async () => (await rows.all()).filter((row) => row.startsWith("terminalDays "));
    expect((await ofDays()).length).toBeGreaterThan(3);
    await platform.pass(retentionTable.terminalDays.days * DAY - DAY);
    expect(await run(platform, "terminalDays")).toMatchObject({ removed: 0, stay: 0 });
    await platform.pass(2 * DAY);
    expect(await run(platform, "terminalDays")).toMatchObject({ removed: 1 });
    expect(await ofDays()).toEqual([]);
  });

  it("keeps one that an open alert names", async () => {
    const { platform } = await aWorld();
    await aCaptured(platform);
    await platform.pass((retentionTable.terminalDays.days + 2) * DAY);
    const [alert] = await platform.deps.alerts.listOpen();
    expect(alert).toMatchObject({ kind: "dayMissing" });
    expect(await run(platform, "terminalDays")).toMatchObject({ removed: 0, rows: 0 });
    const read = alert && (await platform.deps.alerts.find(alert));
    if (read) await platform.deps.alerts.save({ ...read.alert, status: "closed" }, read);
    expect(await run(platform, "terminalDays")).toMatchObject({ removed: 1 });
  });
});

describe("purging bookings", () => {
  const days = retentionTable.bookings.days;
  const booked = "2026-11-21";
  const next = "2026-11-22";
  const ofBookings = (all: readonly string[]) => all.filter((row) => row.startsWith("bookings "));
  const fileOf = async (platform: Platform, date: string) =>
    toSettlementFile(await readSettlement(platform.deps, callBy(platform.deps), date));

  it("removes a day that is as old as its kind, with late bookings and their notes, and nothing of the day after it", async () => {
    const { rows, platform } = await aWorld();
    const { bookings } = platform.deps;
    await bookings.record([aBooking()], booked);
    await platform.pass(5 * DAY);
    await fileOf(platform, booked); // closes it
    await bookings.record([aBooking()], booked); // late, under the day after it
    const kept = await fileOf(platform, next);
    expect(kept).toContain("\r\nbooking,2026-11-22,,2026-11-21,capture,");

    await platform.pass((days - 5) * DAY);
    expect(await plan(platform, "bookings")).toMatchObject({ atMost: 0 });
    expect(await run(platform, "bookings")).toMatchObject({ removed: 0, rows: 0 });
    await platform.pass(DAY);
    expect(await plan(platform, "bookings")).toMatchObject({ atMost: 1 });
    expect(await run(platform, "bookings")).toMatchObject({ removed: 1, stay: 0 });
    const left = ofBookings(await rows.all());
    expect(left.length).toBeGreaterThan(2);
    expect(left.filter((row) => !row.includes(next))).toEqual([]);
    expect(await fileOf(platform, next)).toBe(kept);

    await platform.pass(DAY);
    expect(await run(platform, "bookings")).toMatchObject({ removed: 1, stay: 0 });
    expect(ofBookings(await rows.all())).toEqual([]);
  });

  it("may be ended at any write and run again, also of a day that takes several groups", async () => {
    for (let writes = 0; ; writes++) {
      const { rows, platform } = await aWorld();
      for (let i = 0; i < 3; i++)
        await platform.deps.bookings.record(
          Array.from({ length: 60 }, () => aBooking()),
          booked,
        );
      await platform.pass((days + 1) * DAY);
      rows.cutAfter(writes);
      const ended = await run(platform, "bookings").then(
        () => "by itself",
        () => "by the cut",
      );
      rows.cutAfter(Infinity);
      await run(platform, "bookings");
      expect(ofBookings(await rows.all()), `cut after ${writes}`).toEqual([]);
      if (ended === "by itself") break;
      expect(writes).toBeLessThan(20);
    }
  });

  it("refuses fewer days than the books need", () => {
    expect(() => checkedDays("bookings", 365)).toThrow(/books|Books/);
  });
});

describe("purging token requests", () => {
  const days = retentionTable.tokenRequests.days;
  const tokenRows = (all: readonly string[]) =>
    all.filter((row) => /^(accessTokens (?!codekeys)|landingPages .* (request|same|command)~)/.test(row));

  it("removes one with its token, its code and what is stored of its address", async () => {
    const { rows, platform } = await aWorld();
    await aToken(platform);
    await platform.pass(60);
    expect(tokenRows(await rows.all()).length).toBeGreaterThan(6);
    await platform.pass(days * DAY);
    await run(platform, "tokenRequests"); // the token was good for a day, from which its time is counted
    expect(tokenRows(await rows.all()).length).toBeGreaterThan(6);
    await platform.pass(2 * DAY);
    expect(await run(platform, "tokenRequests")).toMatchObject({ removed: 1, stay: 0 });
    expect(tokenRows(await rows.all())).toEqual([]);
  });

  it("keeps one while a payment holds its voucher, and what the voucher paid stays known of the payment", async () => {
    const { rows, platform } = await aWorld();
    const { code, tokenId } = await aToken(platform);
    const payment = await aPaymentOn(platform);
    const { sessionId } = payment;
    await payment.fetch();
    await payment.tell("accepted");
    await addDiscount(platform.deps, callBy(platform.deps), { sessionId, voucherCode: code });
    await platform.pass((days + 3) * DAY);
    const held = await platform.deps.accessTokens.find(tokenId);
    expect(held?.token.status).toBe("reserved");
    expect(await run(platform, "tokenRequests")).toMatchObject({ removed: 0 });
    expect(await platform.deps.accessTokens.find(tokenId)).toBeDefined();
    expect((await payment.now()).discounts).toMatchObject([{ voucherTokenId: tokenId }]);
    expect(tokenRows(await rows.all())).not.toEqual([]);
  });

  it("may be ended at any write and run again", async () => {
    for (let writes = 0; ; writes++) {
      const { rows, platform } = await aWorld();
      await aToken(platform);
      await platform.pass((days + 2) * DAY);
      rows.cutAfter(writes);
      const ended = await run(platform, "tokenRequests").then(
        () => "by itself",
        () => "by the cut",
      );
      rows.cutAfter(Infinity);
      await run(platform, "tokenRequests");
      expect(tokenRows(await rows.all()), `cut after ${writes}`).toEqual([]);
      if (ended === "by itself") break;
      expect(writes).toBeLessThan(20);
    }
  });
});

it("purging removes an alert that was closed long ago, and none that is open", async () => {
  const { platform } = await aWorld();
  const { alerts } = platform.deps;
  const payments = [await aCaptured(platform), await aCaptured(platform)];
  for (const payment of payments) await payment.tell("declined");
  const [first] = await alerts.of(payments[0]?.sessionId ?? "");
  if (!first) throw new Error("there is no alert");
  const closing = { by: "ada", why: "seen to", at: platform.deps.clock.now() };
  await alerts.save({ ...first.alert, status: "closed", closings: [closing] }, first);
  await platform.pass(retentionTable.alerts.days * DAY - 60);
  expect(await plan(platform, "alerts")).toMatchObject({ atMost: 0 });
  await platform.pass(DAY);
  expect(await run(platform, "alerts")).toMatchObject({ removed: 1, rows: 1 });
  const left = (await alerts.all()).filter(({ kind }) => kind !== "dayMissing"); // no terminal closed its day
  expect(left.map(({ subject, status }) => [subject, status])).toEqual([
    [{ kind: "payment", partnerId, sessionId: payments[1]?.sessionId }, "open"],
  ]);
});
