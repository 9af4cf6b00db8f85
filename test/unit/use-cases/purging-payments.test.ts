import { describe, expect, it } from "vitest";
import { retentionTable } from "../../../shared/domain/retention.ts";
import type { OrderHolder } from "../../../shared/domain/payment/requests/duplicate.ts";
import { cancelPayment } from "../../../shared/use-cases/payments/cancel-payment.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { createdEntryOf } from "../../../shared/use-cases/payments/enter-session.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { repair } from "../../../shared/use-cases/operator/repair/repair.ts";
import { aCall } from "../../support/calls.ts";
import { aPaymentOn, approval } from "../../support/a-payment.ts";
import { aRequest, callBy, merchantId, partnerId, terminalId, type Platform } from "../../support/platform.ts";
import { aTill } from "../../support/tills.ts";
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
    // Other tables have their own retention. The record of the purge's progress remains.
    const ofPayments = left.filter(
      (row) => /^((orders|sessions|listings) |terminals \S+ payment~)/.test(row) && !row.includes("~terminalDay~"),
    );
    expect(ofPayments).toEqual(["listings purge passed~payments"]);
    expect(await run(platform, "payments")).toMatchObject({ removed: 0, rows: 0 });
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

  it("leaves nothing of a session that moved to another terminal before its payment", async () => {
    const { rows, platform } = await aWorld();
    const { deps } = platform;
    const till = await aTill(platform);
    const request = aRequest();
    const { commit } = deps.payments;
    deps.payments.commit = () => Promise.reject(new Unavailable("the process ends"));
    await expect(requestPayment(deps, callBy(deps), request)).rejects.toThrow(Unavailable);
    deps.payments.commit = commit;
    const moved = await requestPayment(deps, callBy(deps), { ...request, terminalId: till.terminalId });
    expect(moved).toMatchObject({ ok: true });
    await platform.pass(SEVEN_YEARS + 2 * DAY);
    await run(platform, "payments");
    await repair(deps, aCall(deps), { all: false, dryRun: false }); // the dead request is still listed as open
    expect(rowsOf(await rows.all(), request.sessionId)).toEqual([]);
  });

  it("leaves nothing of a request that died in its order's list, and whose command was aborted for another one", async () => {
    const { rows, platform } = await aWorld();
    const { orders, clock } = platform.deps;
    const [sessionId, commandId] = ["eeeeeeee-0000-4000-8000-00000000dead", "dddddddd-0000-4000-8000-00000000dead"];
    const died = { partnerId, terminalId, sessionId, commandId, strict: false, hold: "living", since: clock.now() };
    await orders.save({ merchantId, orderId: "7", currency: "SEK", amount: 12_550 }, [died as OrderHolder], undefined);
    await platform.pass(20);
    expect((await (await aTill(platform)).ask("7")).answer).toMatchObject({ ok: true });
    expect(rowsOf(await rows.all(), sessionId)).toContainEqual(expect.stringContaining(commandId));
    await platform.pass(SEVEN_YEARS + 2 * DAY);
    await run(platform, "payments");
    expect(rowsOf(await rows.all(), sessionId)).toEqual([]);
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

  it.each([0, 1, 2])(
    "removes the tombstone of a session that was cancelled before it came, if that cancel ended after %i writes",
    async (writes) => {
      const { rows, platform } = await aWorld();
      const sessionId = "eeeeeeee-0000-4000-8000-00000000dead";
      rows.cutAfter(writes);
      await cancelPayment(platform.deps, callBy(platform.deps), { sessionId, terminalId }).catch(() => "cut");
      rows.cutAfter(Infinity);
      expect(rowsOf(await rows.all(), sessionId)).toHaveLength(writes);
      await platform.pass(SEVEN_YEARS + DAY);
      await run(platform, "payments");
      expect(rowsOf(await rows.all(), sessionId)).toEqual([]);
    },
  );

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
      const read = await platform.deps.payments.find(key);
      if (read) await platform.deps.payments.unlist(read);
      return removePayment(key, etag);
    };
    expect(await run(platform, "payments")).toMatchObject({ removed: 0, stay: 1 });
    expect((await payment.now()).status).toBe("captured");
    expect(rowsOf(await rows.all(), payment.sessionId).filter((row) => row.includes(" created~"))).toHaveLength(1);
    expect(await run(platform, "payments")).toMatchObject({ removed: 1, stay: 0 });
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

describe("purging a partner's list of payments", () => {
  it("removes a day's entries that name no payment, and keeps those whose payment changed later", async () => {
    const { rows, platform } = await aWorld();
    const { sessions } = platform.deps;
    const old = await aCaptured(platform);
    const kept = await aCaptured(platform);
    for (const { now } of [old, kept])
      await sessions.enterAgain({ ...createdEntryOf(await now()), requestedBy: "another" });
    await platform.pass(100 * DAY);
    await kept.refund(25);
    await kept.sendReport("refunded", { messageId: (await kept.fetch())?.messageId });
    await platform.pass(SEVEN_YEARS - 50 * DAY);
    await run(platform, "payments");
    const listed = (await rows.all()).filter((row) => row.includes(" created~"));
    expect(rowsOf(listed, old.sessionId)).toEqual([]);
    expect(rowsOf(listed, kept.sessionId)).toHaveLength(1);
    expect(rowsOf(listed, "another")).toEqual([]);
    expect((await kept.now()).status).toBe("captured");
  });
});

describe("purging webhook attempts", () => {
  it("removes attempts older than thirty days, leaves the payment unchanged, and does not read it twice", async () => {
    const { rows, platform } = await aWorld();
    const payment = await aCaptured(platform);
    const others = rowsOf(await rows.all(), payment.sessionId).filter((row) => !row.includes("~webhook~"));
    await platform.pass(37 * DAY);
    expect(await run(platform, "webhookAttempts")).toMatchObject({ removed: 0 });
    await platform.pass(3 * DAY);
    expect(await run(platform, "webhookAttempts")).toMatchObject({ removed: 1, rows: 2 });
    expect(rowsOf(await rows.all(), payment.sessionId)).toEqual(others);
    expect(await plan(platform, "webhookAttempts")).toMatchObject({ atMost: 0 });
  });

  it("keeps attempts of a payment that is still open", async () => {
    const { rows, platform } = await aWorld();
    const payment = await aPaymentOn(platform);
    await payment.fetch();
    await payment.sendReport("accepted");
    await platform.pass(60 * DAY);
    await run(platform, "webhookAttempts");
    expect(rowsOf(await rows.all(), payment.sessionId).filter((row) => row.includes("~webhook~"))).not.toEqual([]);
  });
});
