import { describe, expect, it } from "vitest";
import { retentionTable } from "../../../shared/domain/retention.ts";
import { toSettlementFile } from "../../../shared/contracts/objects/settlement-file.ts";
import { readSettlement } from "../../../shared/use-cases/bookings/read-settlement.ts";
import { addDiscount } from "../../../shared/use-cases/payments/add-discount.ts";
import { raiseActionRequest } from "../../../shared/use-cases/action-requests/raise-action-request.ts";
import { recordTotals } from "../../../shared/use-cases/terminal-days/record-totals.ts";
import { checkedDays } from "../../../shared/use-cases/operator/retention/purge.ts";
import { aBooking } from "../../support/a-booking.ts";
import { addBookings } from "../../support/add-bookings.ts";
import { aPaymentOn } from "../../support/a-payment.ts";
import { callFrom } from "../../support/calls.ts";
import { aTemplate, aToken } from "../../support/consumer.ts";
import { aTerminal, callBy, type Platform } from "../../support/platform.ts";
import { DAY, aCaptured, aWorld, plan, rowsOf, run } from "../../support/purging.ts";

it("purging removes an action request that has ended, with its webhooks and its answer", async () => {
  const { rows, platform } = await aWorld();
  const { deps } = platform;
  const actionRequestId = "abababab-0000-4000-8000-000000000001";
  const requested = { actionRequestId, idAsReceived: actionRequestId, actionCode: "openGate", withdraw: false };
  await raiseActionRequest(deps, callFrom(deps, aTerminal()), requested);
  await platform.pass(300);
  expect(rowsOf(await rows.all(), actionRequestId).length).toBeGreaterThan(4);
  await platform.pass((retentionTable.actionRequests.days + 1) * DAY);
  expect(await run(platform, "actionRequests")).toMatchObject({ removed: 1 });
  expect(rowsOf(await rows.all(), actionRequestId)).toEqual([]);
});

describe("purging a terminal's day", () => {
  const closed = { closingId: "n1", idAsReceived: "N1", day: "2026-11-21", totals: [] };

  it("removes a closed day, with its closings, and nothing a day before", async () => {
    const { rows, platform } = await aWorld();
    await recordTotals(platform.deps, callFrom(platform.deps, aTerminal()), closed);
    await platform.pass(1_200); // past the grace time
    const ofDays = async () =>
      (await rows.all()).filter((row) => /^terminals \S+ (day|open~terminalDay|changed~terminalDay)~/.test(row));
    expect((await ofDays()).length).toBeGreaterThan(3);
    await platform.pass(retentionTable.terminalDays.days * DAY - DAY);
    expect(await run(platform, "terminalDays")).toMatchObject({ removed: 0, stay: 0 });
    await platform.pass(2 * DAY);
    expect(await run(platform, "terminalDays")).toMatchObject({ removed: 1 });
    expect(await ofDays()).toEqual([]);
  });

  it("keeps a day that an open alert names", async () => {
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
  const ofBookings = (all: readonly string[]) =>
    all.filter((row) => /^(days|terminals \S+ (booking|late|day)~)/.test(row));
  const fileOf = async (platform: Platform, date: string) =>
    toSettlementFile(await readSettlement(platform.deps, callBy(platform.deps), date));

  it("removes a day at the retention age of its kind, with late bookings, and nothing of the day after it", async () => {
    const { rows, platform } = await aWorld();
    const { deps } = platform;
    await addBookings(deps, [aBooking()], booked);
    await platform.pass(5 * DAY);
    await fileOf(platform, booked); // closes it
    await addBookings(deps, [aBooking()], booked); // late, under the day after it
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
    const ofLate = expect.stringMatching(` late~${booked}~`) as string; // leaves with its booking
    expect(left.filter((row) => !row.includes(next))).toEqual([ofLate]);
    expect(await fileOf(platform, next)).toBe(kept);

    await platform.pass(DAY);
    expect(await run(platform, "bookings")).toMatchObject({ removed: 1, stay: 0 });
    expect(ofBookings(await rows.all())).toEqual([]);
  });

  it("may be interrupted at any write and run again, even for a day that takes several groups", async () => {
    for (let writes = 0; ; writes++) {
      const { rows, platform } = await aWorld();
      for (let i = 0; i < 3; i++)
        await addBookings(
          platform.deps,
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
    expect(() => checkedDays("bookings", 365)).toThrow(/Bookings/);
  });
});

describe("purging token requests", () => {
  const days = retentionTable.tokenRequests.days;
  const tokenRows = (all: readonly string[]) =>
    all.filter((row) => /^(accessTokens (?!codekeys)|landingPages .* (request|same|command|open|changed)~)/.test(row));

  it("removes a request with its token, its code and the stored data of its address", async () => {
    const { rows, platform } = await aWorld();
    await aToken(platform);
    await platform.pass(60);
    expect(tokenRows(await rows.all()).length).toBeGreaterThan(6);
    await platform.pass(days * DAY);
    await run(platform, "tokenRequests"); // the token was valid for a day, and its retention counts from then
    expect(tokenRows(await rows.all()).length).toBeGreaterThan(6);
    await platform.pass(2 * DAY);
    expect(await run(platform, "tokenRequests")).toMatchObject({ removed: 1, stay: 0 });
    expect(tokenRows(await rows.all())).toEqual([]);
  });

  it("keeps a request while its token is valid, and does not look at it again before the token has had its days", async () => {
    const { rows, platform } = await aWorld();
    await aToken(platform, aTemplate({ validSeconds: 30 * DAY }));
    await platform.pass((days + 5) * DAY);
    expect(await plan(platform, "tokenRequests")).toMatchObject({ atMost: 1 });
    expect(await run(platform, "tokenRequests")).toMatchObject({ removed: 0 });
    expect(await plan(platform, "tokenRequests")).toMatchObject({ atMost: 0 });
    await platform.pass(30 * DAY);
    expect(await run(platform, "tokenRequests")).toMatchObject({ removed: 1 });
    expect(tokenRows(await rows.all())).toEqual([]);
  });

  it("keeps a request while a payment holds its voucher, and the payment keeps the voucher's amount", async () => {
    const { rows, platform } = await aWorld();
    const { code, tokenId } = await aToken(platform);
    const payment = await aPaymentOn(platform);
    const { sessionId } = payment;
    await payment.fetch();
    await payment.sendReport("accepted");
    await addDiscount(platform.deps, callBy(platform.deps), { sessionId, voucherCode: code });
    await platform.pass((days + 3) * DAY);
    const held = await platform.deps.accessTokens.find(tokenId);
    expect(held?.token.status).toBe("reserved");
    expect(await run(platform, "tokenRequests")).toMatchObject({ removed: 0 });
    expect(await platform.deps.accessTokens.find(tokenId)).toBeDefined();
    expect((await payment.now()).discounts).toMatchObject([{ voucherTokenId: tokenId }]);
    expect(tokenRows(await rows.all())).not.toEqual([]);
  });

  it("may be interrupted at any write and run again", async () => {
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
  for (const payment of payments) await payment.sendReport("declined");
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
    [{ kind: "payment", ...payments[1]?.key }, "open"],
  ]);
});
