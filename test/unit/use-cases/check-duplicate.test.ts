import { describe, expect, it } from "vitest";
import { toPaymentObject } from "../../../shared/contracts/objects/payment.ts";
import { MAX_HOLDERS, MAX_READ, type OrderHolder } from "../../../shared/domain/payment/requests/duplicate.ts";
import { aPlatform, merchantId, partnerId, terminalId, type Platform } from "../../support/platform.ts";
import { aTill, aTillOfAnotherPartner, type Till } from "../../support/tills.ts";

const DAY = 24 * 3600;

const twoTills = async () => {
  const platform = await aPlatform();
  return { platform, tills: [await aTill(platform), await aTill(platform)] as const };
};
const key = () => ({ merchantId, orderId: "order", currency: "SEK", amount: 12_550 });
const readList = async ({ deps }: Platform) => (await deps.orders.find(key()))?.holders ?? [];
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

  it("is marked in the response to its request", async () => {
    const { tills } = await twoTills();
    const { sessionId } = await tills[0].sell("order");
    const { answer } = await tills[1].ask("order");
    expect(answer).toMatchObject({ ok: true, value: { payment: { possibleDuplicateOf: sessionId } } });
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

/** A request whose commit is on its way. `arrive` lets it come to the tables. Until then it is as if its process had died. */
async function slowly({ deps }: Platform, ask: () => ReturnType<Till["ask"]>) {
  const { payments } = deps;
  const [reached, arrival] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  deps.payments = {
    ...payments,
    async commit(...given) {
      reached.resolve(undefined);
      await arrival.promise;
      return payments.commit(...given);
    },
  };
  const asked = ask();
  await reached.promise;
  deps.payments = payments;
  return async () => {
    arrival.resolve(undefined);
    return (await asked).answer;
  };
}
const noOutcomeYet = {
  ok: false,
  error: {
    code: "possible_duplicate",
    retryAfterSeconds: 5,
    detail: expect.stringContaining("no outcome yet") as string,
  },
};
const aSession = (sessionId: string) => ({ sessionId, asReceived: { sessionId, merchantId: "m", terminalId: "t" } });

describe("two requests for one order at once", () => {
  it("at two terminals: one is accepted, and the other is refused and leaves no trace", async () => {
    const { platform, tills } = await twoTills();
    const { deps } = platform;
    const all = await Promise.all(tills.map((till) => till.ask("order")));
    const won = all.findIndex(({ answer }) => answer.ok);
    const [winner, loser] = won === 0 ? all : all.toReversed();
    const losing = tills[1 - won];
    if (!winner || !loser || !losing) throw new Error("no request was accepted");
    expect(winner.answer).toMatchObject({ ok: true, value: { payment: { possibleDuplicateOf: undefined } } });
    expect(loser.answer).toMatchObject({ ok: false, error: { code: "possible_duplicate" } });
    await platform.pass();
    expect((await readList(platform)).map((holder) => holder.sessionId)).toEqual([winner.sessionId]);
    const listed = await deps.sessions.list({ partnerId, after: "", before: "~" }, 10);
    expect(listed.map(({ sessionId }) => sessionId)).toEqual([winner.sessionId]);
    expect(await deps.inboxes.unanswered(losing.terminalId)).toEqual([]);
    expect((await losing.ask(undefined)).answer).toMatchObject({ ok: true });
  });
});

describe("a request for an order that died before its commit", () => {
  it("blocks the order for 20 seconds; after that another is accepted, and its own late commit fails", async () => {
    const { platform, tills } = await twoTills();
    const died = aSession("the dead one");
    const arrive = await slowly(platform, () => tills[0].ask("order", died));
    expect((await tills[1].ask("order")).answer).toEqual(noOutcomeYet);
    await platform.pass(19.999);
    expect((await tills[1].ask("order")).answer).toEqual(noOutcomeYet);
    await platform.pass(0.001);
    const next = await tills[1].ask("order");
    expect(next.answer).toMatchObject({ ok: true, value: { payment: { possibleDuplicateOf: undefined } } });
    expect(await arrive()).toEqual(refusedAs(next.sessionId));
    await platform.pass();
    expect((await readList(platform)).map((holder) => holder.sessionId)).toEqual([next.sessionId]);
    await expect(tills[0].find(died.sessionId)).rejects.toThrow("the payment is gone");
  });

  it("does not block it for longer because the clock of its host was wrong", async () => {
    const { platform, tills } = await twoTills();
    const arrive = await slowly(platform, () => tills[0].ask("order"));
    const ahead = (await readList(platform)).map((holder) => ({ ...holder, since: "2026-11-21T11:00:00.000Z" }));
    await platform.deps.orders.save(key(), ahead, await platform.deps.orders.find(key()));
    const next = await tills[1].ask("order");
    expect(next.answer).toMatchObject({ ok: true });
    expect(await arrive()).toEqual(refusedAs(next.sessionId));
  });

  it("is not waited for by a request that confirms the duplicate, and may be committed beside it", async () => {
    const { platform, tills } = await twoTills();
    const arrive = await slowly(platform, () => tills[0].ask("order"));
    const { payments, commands } = platform.deps;
    const never = () => Promise.reject(new Error("somebody was judged"));
    platform.deps.payments = { ...payments, find: never, findOrTombstone: never };
    platform.deps.commands = { ...commands, abortCommand: never };
    const confirmed = await tills[1].ask("order", { confirmDuplicate: true });
    Object.assign(platform.deps, { payments, commands });
    expect(confirmed.answer).toMatchObject({ ok: true, value: { payment: { possibleDuplicateOf: undefined } } });
    expect(await arrive()).toMatchObject({ ok: true });
    expect((await readList(platform)).map((holder) => holder.terminalId)).toEqual(tills.map((till) => till.terminalId));
  });

  it("and is repeated: both are kept in the list, and another till that gives up the first does not lose the second", async () => {
    const { platform, tills } = await twoTills();
    const session = aSession("the repeated one");
    const first = await slowly(platform, () => tills[0].ask("order", session));
    await platform.pass(15);
    const second = await slowly(platform, () => tills[0].ask("order", session));
    const entered = await readList(platform);
    expect(entered.map((holder) => holder.sessionId)).toEqual([session.sessionId, session.sessionId]);
    await platform.pass(5);
    expect((await tills[1].ask("order")).answer).toEqual(noOutcomeYet);
    expect(await second()).toMatchObject({ ok: true, value: { replayed: false } });
    expect(await first()).toMatchObject({ ok: true, value: { replayed: true } });
    expect((await tills[1].ask("order")).answer).toEqual(refusedAs(session.sessionId));
    expect((await readList(platform)).map((holder) => holder.commandId)).toEqual([entered[1]?.commandId]);
  });

  it("is no rival of its own session at another terminal", async () => {
    const { platform, tills } = await twoTills();
    const session = aSession("the moved one");
    const first = await slowly(platform, () => tills[0].ask("order", session));
    expect((await tills[1].ask("order", session)).answer).toMatchObject({ ok: true, value: { replayed: false } });
    expect(await first()).toMatchObject({ ok: false, error: { code: "session_conflict" } });
    expect((await readList(platform)).map((holder) => holder.terminalId)).toEqual([tills[1].terminalId]);
  });
});

describe("an order's list", () => {
  it("is empty once none of its payments counts", async () => {
    const { platform, tills } = await twoTills();
    const { sessionId } = await tills[0].sell("order");
    expect((await platform.deps.orders.find(key()))?.holders).toHaveLength(1);
    await tills[0].giveBack(sessionId);
    expect((await platform.deps.orders.find(key()))?.holders).toEqual([]);
  });

  /** A full list of sessions that count as living. */
  const aFullList = (first?: Partial<OrderHolder>) =>
    Array.from({ length: MAX_HOLDERS }, (_, i) => ({
      partnerId,
      terminalId,
      sessionId: `living-${i}`,
      commandId: `command-${i}`,
      ...(i === 0 && first),
      strict: false,
      hold: "living" as const,
      since: "2026-11-21T10:00:00.000Z",
    }));
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

  it("that is full of requests that died gives up the oldest", async () => {
    const { platform, tills } = await twoTills();
    await platform.deps.orders.save(key(), aFullList(), undefined);
    await platform.pass(20);
    const { sessionId, answer } = await tills[0].ask("order", { confirmDuplicate: true });
    expect(answer).toMatchObject({ ok: true, value: { payment: { possibleDuplicateOf: undefined } } });
    expect((await readList(platform)).map((holder) => holder.sessionId)).toEqual([
      ...aFullList()
        .slice(MAX_READ)
        .map((holder) => holder.sessionId),
      sessionId,
    ]);
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
      aFullList((await readList(platform))[0]),
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

  it("keeps a payment that ends on its terminal until the next request for the order, which is not marked", async () => {
    const { platform, tills } = await twoTills();
    const { sessionId } = await tills[0].ask("order");
    await platform.pass();
    await tills[0].sendReport(sessionId, "failed");
    await platform.pass();
    expect(await readList(platform)).toMatchObject([{ sessionId, hold: "living" }]);
    const next = await tills[1].ask("order");
    expect(next.answer).toMatchObject({ ok: true, value: { payment: { possibleDuplicateOf: undefined } } });
    expect((await readList(platform)).map((holder) => holder.sessionId)).toEqual([next.sessionId]);
  });
});
