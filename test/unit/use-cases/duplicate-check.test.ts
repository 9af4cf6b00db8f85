import { describe, expect, it } from "vitest";
import { toPaymentObject } from "../../../shared/contracts/objects/payment.ts";
import { MAX_HOLDERS } from "../../../shared/domain/payment/requests/duplicate.ts";
import type { PaymentKey } from "../../../shared/ports/subjects.ts";
import { aPlatform, partnerId, terminalId, type Platform } from "../../support/platform.ts";
import { aTill, aTillOfAnotherPartner } from "../../support/tills.ts";

const DAY = 24 * 3600;

const twoTills = async () => {
  const platform = await aPlatform();
  return { platform, tills: [await aTill(platform), await aTill(platform)] as const };
};
const refusedAs = (sessionId: string | undefined) => ({
  ok: false,
  error: { code: "possible_duplicate", sessionId },
});

describe("an order without a name", () => {
  it.each(["", " ", "\t \u00A0"])(
    "(%j) is not checked: another customer can pay the same amount at the same time",
    async (orderId) => {
      const { platform, tills } = await twoTills();
      const first = await tills[0].ask(orderId);
      await platform.pass();
      const second = await tills[1].ask(orderId);
      await platform.pass();
      expect(second.answer).toMatchObject({ ok: true });
      await tills[0].sendReport(first.sessionId, "authorized");
      expect((await tills[1].find(second.sessionId)).status).toBe("pending");
      expect((await tills[1].find(second.sessionId)).possibleDuplicateOf).toBeUndefined();
    },
  );

  it("is shown as received", async () => {
    const { tills } = await twoTills();
    const { sessionId } = await tills[0].ask("  ");
    expect(toPaymentObject(await tills[0].find(sessionId)).merchantReferences).toEqual({ orderId: "  " });
  });

  it("makes the same request as without an order", async () => {
    const { tills } = await twoTills();
    const { sessionId, answer } = await tills[0].ask("");
    expect(answer).toMatchObject({ ok: true, value: { replayed: false } });
    const asReceived = { sessionId, merchantId: "m", terminalId: "t" };
    expect(await tills[0].ask(undefined, { sessionId, asReceived })).toMatchObject({
      answer: { ok: true, value: { replayed: true } },
    });
    expect(await tills[0].ask("order", { sessionId, asReceived })).toMatchObject({ answer: { ok: false } });
  });
});

describe("an order that is paid again", () => {
  it("is marked within the horizon, and not after it", async () => {
    const { platform, tills } = await twoTills();
    const first = await tills[0].sell("order");
    const second = await tills[0].sell("order");
    expect(second.possibleDuplicateOf).toBe(first.sessionId);
    await platform.pass(7 * DAY + 1);
    await platform.deps.terminals.seen(second.terminalId, platform.deps.clock.now());
    expect((await tills[0].sell("order")).possibleDuplicateOf).toBeUndefined();
  });

  it("is marked with the newest payment that still counts", async () => {
    const { tills } = await twoTills();
    const first = await tills[0].sell("order");
    const second = await tills[0].sell("order");
    expect((await tills[0].sell("order")).possibleDuplicateOf).toBe(second.sessionId);
    await tills[0].giveBack(second.sessionId);
    const third = await tills[0].sell("order", { amount: 12_550 });
    expect(third.possibleDuplicateOf).not.toBe(second.sessionId);
    expect(third.possibleDuplicateOf).not.toBe(first.sessionId);
  });

  it("is another order in another currency", async () => {
    const { platform, tills } = await twoTills();
    await tills[0].ask("order");
    await platform.pass();
    expect((await tills[1].ask("order", { currency: "EUR" })).answer).toMatchObject({ ok: true });
  });

  it("is refused for a strict merchant until the payment is refunded in full", async () => {
    const platform = await aPlatform();
    const till = await aTill(platform, { strictOrders: true });
    const first = await till.sell("order");
    for (let week = 0; week < 60; week++) {
      await platform.pass(7 * DAY);
      await platform.deps.terminals.seen(first.terminalId, platform.deps.clock.now());
      expect((await till.ask("order")).answer).toMatchObject(refusedAs(first.sessionId));
    }
    await till.giveBack(first.sessionId);
    expect((await till.ask("order")).answer).toMatchObject({ ok: true });
  });
});

describe("two partners of one merchant", () => {
  it("are refused each other's orders without the name of a session", async () => {
    const platform = await aPlatform();
    const [own, other] = [await aTill(platform), await aTillOfAnotherPartner(platform)];
    await own.ask("order");
    await platform.pass();
    const { answer } = await other.ask("order");
    expect(answer).toEqual({ ok: false, error: { code: "possible_duplicate" } });
  });

  it("get no mark that names a session of the other", async () => {
    const platform = await aPlatform();
    const [own, other] = [await aTill(platform), await aTillOfAnotherPartner(platform)];
    const first = await own.sell("order");
    const theirs = await other.sell("order");
    expect(theirs.possibleDuplicateOf).toBeUndefined();
    expect((await own.sell("order")).possibleDuplicateOf).toBe(first.sessionId);
    expect((await other.sell("order")).possibleDuplicateOf).toBe(theirs.sessionId);
  });
});

describe("a duplicate that the request could not see", () => {
  it("is marked by the worker, in the history, without a webhook", async () => {
    const { platform, tills } = await twoTills();
    const [first, second] = [await tills[0].ask("order"), await tills[1].ask("order")];
    expect(second.answer).toMatchObject({ ok: true, value: { payment: { possibleDuplicateOf: undefined } } });
    const late = platform.queued.splice(2);
    await platform.pass();
    await tills[0].sendReport(first.sessionId, "authorized");
    await platform.pass();
    const webhooksBefore = platform.webhooksSent.length;

    platform.queued.push(...late);
    await platform.pass();

    expect(await tills[1].find(second.sessionId)).toMatchObject({
      status: "pending",
      possibleDuplicateOf: first.sessionId,
      sequence: 2,
    });
    const marked = await tills[1].find(second.sessionId);
    expect(await platform.deps.payments.history(marked)).toMatchObject([
      { event: "request" },
      { event: "markedDuplicate", by: "platform", from: "pending", to: "pending" },
    ]);
    expect(platform.webhooksSent.length).toBe(webhooksBefore);
    expect(await platform.deps.inboxes.unanswered(marked.terminalId)).toMatchObject([
      { state: "waiting", message: { type: "payment" } },
    ]);
  });

  it("is marked once, wherever its worker crashes and however often it runs", async () => {
    for (let dies = 0; dies < 6; dies++) {
      const { platform, tills } = await twoTills();
      const [first, second] = [await tills[0].ask("order"), await tills[1].ask("order")];
      const late = platform.queued.splice(2);
      await platform.pass();
      await tills[0].sendReport(first.sessionId, "authorized");
      await platform.pass();

      const admission = late.find((m) => m.announcement.effect === "admission");
      if (!admission) throw new Error("nothing was announced");
      const { deps } = platform;
      const [save, commit, admit] = [deps.orders.save, deps.payments.commit, deps.inboxes.admit];
      let writes = 0;
      const mortal =
        <A extends unknown[]>(write: (...given: A) => Promise<void>) =>
        async (...given: A) => {
          const isItsTime = writes === Math.floor(dies / 2);
          if (isItsTime && dies % 2 === 0) throw new Error("the worker dies before it writes");
          await write(...given);
          writes++;
          if (isItsTime && dies % 2 === 1) throw new Error("the worker dies after it wrote");
        };
      Object.assign(deps.orders, { save: mortal(save.bind(deps.orders)) });
      Object.assign(deps.payments, { commit: mortal(commit.bind(deps.payments)) });
      Object.assign(deps.inboxes, { admit: mortal(admit.bind(deps.inboxes)) });
      await platform.handle(admission);
      expect(platform.log.of("effectFailed")).toMatchObject([{ effect: "admission", error: "Error" }]);
      Object.assign(deps.orders, { save });
      Object.assign(deps.payments, { commit });
      Object.assign(deps.inboxes, { admit });

      await platform.handle(admission);
      await platform.handle(admission);
      const payment = await tills[1].find(second.sessionId);
      expect(payment).toMatchObject({ status: "pending", possibleDuplicateOf: first.sessionId, sequence: 2 });
      expect(await deps.inboxes.unanswered(payment.terminalId)).toHaveLength(1);
    }
  });
});

describe("an order's list", () => {
  const key = (amount = 12_550) => ({
    merchantId: "bbbbbbbb-0000-4000-8000-000000000001",
    orderId: "order",
    currency: "SEK",
    amount,
  });

  it("is empty once none of its payments counts", async () => {
    const { platform, tills } = await twoTills();
    const { sessionId } = await tills[0].sell("order");
    expect((await platform.deps.orders.find(key()))?.holders).toHaveLength(1);
    await tills[0].giveBack(sessionId);
    expect((await platform.deps.orders.find(key()))?.holders).toEqual([]);
  });

  /** A full list of sessions that count as living. */
  const aFullList = (first?: Partial<PaymentKey>) =>
    Array.from({ length: MAX_HOLDERS }, (_, i) => ({
      partnerId,
      terminalId,
      sessionId: `living-${i}`,
      ...(i === 0 && first),
      strict: false,
      hold: "living" as const,
      since: "2026-11-21T10:00:00.000Z",
    }));
  const readList = async ({ deps }: Platform) => (await deps.orders.find(key()))?.holders ?? [];

  it("that is full of living payments admits another one nevertheless, and marks it with the newest", async () => {
    const { platform, tills } = await twoTills();
    await platform.deps.orders.save(key(), aFullList(), undefined);
    const { sessionId } = await tills[0].ask("order", { confirmDuplicate: true });
    await platform.pass();
    const payment = await tills[0].find(sessionId);
    expect(payment).toMatchObject({ status: "pending", possibleDuplicateOf: `living-${MAX_HOLDERS - 1}` });
    expect(await platform.deps.inboxes.unanswered(payment.terminalId)).toMatchObject([{ state: "waiting" }]);
    expect(await readList(platform)).toEqual(aFullList());
  });

  it("that is full marks with the partner's own newest payment, and never with another partner's", async () => {
    const { platform, tills } = await twoTills();
    const theirs = aFullList().map((holder, i) => (i < 2 ? holder : { ...holder, partnerId: "another" }));
    await platform.deps.orders.save(key(), theirs, undefined);
    const { sessionId } = await tills[0].ask("order", { confirmDuplicate: true });
    await platform.pass();
    expect((await tills[0].find(sessionId)).possibleDuplicateOf).toBe("living-1");
  });

  it("that is full drops a payment whose release was lost", async () => {
    const { platform, tills } = await twoTills();
    const lost = await tills[0].ask("order");
    await platform.pass();
    await tills[0].sendReport(lost.sessionId, "failed");
    await platform.pass();
    await platform.deps.orders.save(
      key(),
      aFullList({ sessionId: lost.sessionId, terminalId: tills[0].terminalId }),
      await platform.deps.orders.find(key()),
    );
    const { sessionId } = await tills[1].ask("order", { confirmDuplicate: true });
    await platform.pass();
    expect((await tills[1].find(sessionId)).possibleDuplicateOf).toBeUndefined();
    expect((await readList(platform)).map((h) => h.sessionId)).toEqual([
      ...aFullList()
        .slice(1)
        .map((h) => h.sessionId),
      sessionId,
    ]);
  });

  /** The payment ends, with its release, just before the worker calls a port. */
  it.each(["before the worker reads the list", "before the worker writes the list"])(
    "lists no payment that ends %s",
    async (moment) => {
      const { platform, tills } = await twoTills();
      const { sessionId } = await tills[0].ask("order");
      const { deps, queued } = platform;
      const admission = queued.shift();
      if (!admission) throw new Error("nothing was announced");
      const end = async () => {
        deps.orders = orders;
        await tills[0].sendReport(sessionId, "failed");
        await platform.pass();
      };
      const { orders } = deps;
      deps.orders = {
        find: async (key) => (moment.includes("reads") && (await end()), orders.find(key)),
        save: async (...given) => (await end(), orders.save(...given)),
      };
      await platform.handle(admission);
      expect((await tills[0].find(sessionId)).status).toBe("failed");
      expect((await deps.orders.find(key()))?.holders).toEqual([]);
    },
  );
});
