import { describe, expect, it } from "vitest";
import { retentionTable } from "../../../shared/domain/retention.ts";
import { createdEntryOf } from "../../../shared/use-cases/payments/enter-session.ts";
import { aPaymentOn, approval } from "../../support/a-payment.ts";
import { partnerId, type Platform } from "../../support/platform.ts";
import { DAY, aCaptured, aWorld, plan, rowsOf, run } from "../../support/purging.ts";

const SEVEN_YEARS = retentionTable.payments.days * DAY;

/** The method of a port. Something happens just before its first call. */
function after<In, Out>(happens: () => Promise<unknown>, act: (input: In) => Promise<Out>) {
  let first: Promise<unknown> | undefined;
  return async (input: In) => {
    if (!first) await (first = happens());
    return act(input);
  };
}

describe("purging payments", () => {
  it("removes a payment that ended seven years ago, with everything of it, and nothing a day before", async () => {
    const { rows, platform } = await aWorld();
    const payment = await aCaptured(platform);
    await platform.pass(SEVEN_YEARS - DAY);
    expect(await plan(platform, "payments")).toMatchObject({ atMost: 0 });
    expect(await run(platform, "payments")).toMatchObject({ removed: 0, rows: 0, stay: 0 });
    expect(rowsOf(await rows.all(), payment.sessionId).length).toBeGreaterThan(8);

    await platform.pass(2 * DAY);
    expect(await plan(platform, "payments")).toMatchObject({ atMost: 1 });
    expect(await run(platform, "payments")).toMatchObject({ removed: 1, stay: 0 });
    const left = await rows.all();
    expect(rowsOf(left, payment.sessionId)).toEqual([]);
    expect(left.filter((row) => row.startsWith("orders "))).toEqual([]);
    expect(
      left.filter((row) => /^((orders|sessions) |terminals \S+ (payment|(open|changed)~payment)~)/.test(row)),
    ).toEqual([]);
    expect(await run(platform, "payments")).toMatchObject({ removed: 0, rows: 0 });
  });

  it("removes a payment that changed on several days once, with the marks of each day, also on a retired terminal", async () => {
    const { rows, platform } = await aWorld();
    const { partners, clock } = platform.deps;
    const payment = await aCaptured(platform);
    await platform.pass(5 * DAY);
    await payment.refund(25);
    await payment.sendReport("refunded", { messageId: (await payment.fetch())?.messageId });
    await partners.retireTerminal(partnerId, payment.terminalId, clock.now());
    await platform.pass(SEVEN_YEARS + DAY);
    expect(await plan(platform, "payments")).toMatchObject({ atMost: 1 });
    expect(await run(platform, "payments")).toMatchObject({ removed: 1, stay: 0 });
    expect(rowsOf(await rows.all(), payment.sessionId)).toEqual([]);
  });

  it("keeps a payment whose money is in doubt, one with a pending effect, and one that an open alert names", async () => {
    const { rows, platform } = await aWorld();
    const doubtful = await aPaymentOn(platform);
    await doubtful.fetch();
    await doubtful.sendReport("accepted");
    const undone = await aPaymentOn(platform, { captureMode: "automatic" });
    await undone.sendReport("accepted");
    await undone.sendReport("authorized", approval, "wait");
    platform.queued.splice(0); // the queue was lost
    const contradicted = await aCaptured(platform);
    await contradicted.sendReport("declined");
    await platform.pass(SEVEN_YEARS + 30 * DAY);

    expect(await run(platform, "payments")).toMatchObject({ removed: 0 });
    for (const { sessionId } of [doubtful, undone, contradicted])
      expect(rowsOf(await rows.all(), sessionId).length).toBeGreaterThan(5);

    for (const { alert, etag } of await platform.deps.alerts.of(contradicted.sessionId))
      await platform.deps.alerts.save({ ...alert, status: "closed" }, { alert, etag });
    expect(await run(platform, "payments")).toMatchObject({ removed: 1 });
    expect(rowsOf(await rows.all(), contradicted.sessionId).filter((row) => !row.startsWith("alerts "))).toEqual([]);
  });

  it("counts the years from the last change, whatever the day of its request", async () => {
    const { rows, platform } = await aWorld();
    const payment = await aCaptured(platform);
    await platform.pass(100 * DAY);
    await payment.refund(25);
    const { messageId } = (await payment.fetch()) ?? {};
    await payment.sendReport("refunded", { messageId });
    await platform.pass(SEVEN_YEARS - DAY);
    expect(await run(platform, "payments")).toMatchObject({ removed: 0, stay: 0 });
    expect((await payment.now()).status).toBe("captured");
    await platform.pass(3 * DAY);
    expect(await run(platform, "payments")).toMatchObject({ removed: 1 });
    expect(rowsOf(await rows.all(), payment.sessionId)).toEqual([]);
  });

  it("keeps the entry of a session that is requested again while its old payment leaves", async () => {
    const { platform } = await aWorld();
    const { sessions, clock } = platform.deps;
    const payment = await aCaptured(platform);
    const entry = createdEntryOf(await payment.now());
    await platform.pass(SEVEN_YEARS + 2 * DAY);
    const { find } = sessions;
    const requestAgain = async () => sessions.enter({ ...entry, createdAt: clock.now() }, await find(entry));
    sessions.find = after(requestAgain, find);
    expect(await run(platform, "payments")).toMatchObject({ removed: 1 });
    expect(await find(entry)).toMatchObject({ createdAt: clock.now() });
  });

  it("leaves the place of another payment in the order's list", async () => {
    const { rows, platform } = await aWorld();
    const first = await aCaptured(platform);
    await platform.pass(SEVEN_YEARS);
    const second = await aCaptured(platform);
    await platform.pass(2 * DAY);
    expect(await run(platform, "payments")).toMatchObject({ removed: 1 });
    expect(rowsOf(await rows.all(), first.sessionId)).toEqual([]);
    const key = { merchantId: (await second.now()).merchantId, orderId: "order 7", currency: "SEK", amount: 12_550 };
    expect((await platform.deps.orders.find(key))?.holders).toMatchObject([{ sessionId: second.sessionId }]);
  });

  it("may be interrupted at any write and run again", async () => {
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
      expect(rowsOf(await rows.all(), payment.sessionId), `cut after ${writes}`).toEqual([]);
      if (ended === "by itself") break;
      expect(writes).toBeLessThan(20);
    }
  });

  it("keeps a payment that changes at the same moment", async () => {
    const { rows, platform } = await aWorld();
    const payment = await aCaptured(platform);
    await platform.pass(SEVEN_YEARS + DAY);
    const { removePayment } = platform.deps.retention;
    platform.deps.retention.removePayment = async (key, etag) => {
      platform.deps.retention.removePayment = removePayment;
      await payment.refund(25);
      return removePayment(key, etag);
    };
    expect(await run(platform, "payments")).toMatchObject({ removed: 0, stay: 1 });
    expect(await payment.now()).toMatchObject({ status: "captured", refunds: [{ status: "pending" }] });
    expect(rowsOf(await rows.all(), payment.sessionId).filter((row) => row.includes(" created~"))).toHaveLength(1);
  });

  it.each<[string, (deps: Platform["deps"], happens: () => Promise<unknown>) => void]>([
    ["its effects are read", ({ commands }, happens) => (commands.ofSubject = after(happens, commands.ofSubject))],
    [
      "its messages are removed",
      ({ retention }, happens) => (retention.removeMessages = after(happens, retention.removeMessages)),
    ],
  ])("keeps the void of a charge that is reported just before %s", async (_, before) => {
    const { platform } = await aWorld();
    const payment = await aCaptured(platform);
    await platform.pass(SEVEN_YEARS + DAY);
    before(platform.deps, () => payment.sendReport("authorized", { ...approval, chargeId: "late" }));
    await run(platform, "payments");
    expect((await payment.fetch())?.message).toMatchObject({ type: "void", chargeId: "late" });
  });
});
