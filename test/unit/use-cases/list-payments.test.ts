import { describe, expect, it } from "vitest";
import { after } from "../../../shared/domain/time.ts";
import { listPayments } from "../../../shared/use-cases/payments/list-payments.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { aPaymentOn, approval } from "../../support/a-payment.ts";
import { aPlatform, aRequest, callBy, partnerId, terminalId, type Platform } from "../../support/platform.ts";
import { aFilledList, aPaymentList, day, noon } from "../../support/payment-list.ts";

describe("a page of a partner's payments", () => {
  it("has the payments that were created in the range, in order, and names the next page only while there are more", async () => {
    const { page, sessions } = await aFilledList(5);
    const first = await page({}, { limit: 2 });
    expect(first.sessions).toEqual(sessions.slice(0, 2));
    const second = await page({}, { limit: 2, cursor: first.next });
    expect(second.sessions).toEqual(sessions.slice(2, 4));
    expect(await page({}, { limit: 2, cursor: second.next })).toEqual({ sessions: sessions.slice(4), next: undefined });
    expect(await page({}, { limit: 5 })).toEqual({ sessions, next: undefined });
    expect(await page({ from: after(noon, 1), before: after(noon, 3) })).toMatchObject({
      sessions: sessions.slice(1, 3),
    });
  });

  it("shows no payment for an entry whose request created none, or came twice", async () => {
    const { page, payment, enter, commit } = aPaymentList();
    const real = payment(noon);
    for (const entry of [
      real,
      { ...real, createdAt: after(noon, 5) },
      { ...real, requestedBy: "other" },
      payment(noon),
    ])
      await enter(entry);
    await commit(real);
    expect(await page()).toEqual({ sessions: [real.sessionId], next: undefined });
  });

  it("filters by terminal, merchant, order and status, and by the reach of the key", async () => {
    const { page, sessions } = await aFilledList(6, (i) => ({
      terminalId: `t${i % 2}`,
      merchantId: `m${i % 3}`,
      references: { orderId: `o ${i}` },
      status: i === 4 ? "captured" : "pending",
    }));
    const at = (...numbers: number[]) => ({ sessions: numbers.map((i) => sessions[i]), next: undefined });
    expect(await page({ terminalId: "t1" })).toEqual(at(1, 3, 5));
    expect(await page({ merchantId: "m0" })).toEqual(at(0, 3));
    expect(await page({ orderId: "o 2" })).toEqual(at(2));
    expect(await page({ orderId: "O 2" })).toEqual(at());
    expect(await page({ status: "captured" })).toEqual(at(4));
    expect(await page({ terminalId: "t1", merchantId: "m0" })).toEqual(at(3));
    expect(await page({}, { terminalIds: ["t0"] })).toEqual(at(0, 2, 4));
    expect(await page({ terminalId: "t1" }, { terminalIds: ["t0"] })).toEqual(at());
  });

  it("makes one query, and reads only the payments that it shows", async () => {
    const { page, calls } = await aFilledList(120);
    const { sessions } = await page({}, { limit: 50 });
    expect(sessions).toHaveLength(50);
    expect(calls.map(({ method, keys }) => `${method} ${keys}`).toSorted()).toEqual([
      ...Array.from({ length: 50 }, () => "get payment~now"),
      "query created…",
    ]);
  });

  it("makes 6 queries and reads at most 20 payments more than it may show, whatever the filter leaves out, and may be empty with a next page", async () => {
    const { page, calls, sessions } = await aFilledList(2_600, (i) => ({
      terminalId: i === 2_500 ? "rare" : "usual",
      status: i === 450 ? "captured" : "pending",
    }));
    const queries = () => calls.filter(({ method }) => method === "query").length;
    const one = await page({ terminalId: "rare" });
    expect(one).toMatchObject({ sessions: [], next: expect.any(String) as string });
    expect([queries(), calls.length]).toEqual([4, 4]);
    expect(await page({ terminalId: "rare" }, { cursor: one.next })).toEqual({
      sessions: [sessions[2_500]],
      next: undefined,
    });

    calls.length = 0;
    const found: string[] = [];
    let cursor: string | undefined;
    for (let pages = 1; ; pages++) {
      const { sessions, next } = await page({ status: "captured", before: after(noon, 500) }, { cursor });
      found.push(...sessions);
      expect(calls.length).toBeLessThanOrEqual(76 * pages);
      if (next === undefined) break;
      cursor = next;
    }
    expect(found).toEqual([sessions[450]]);
  });
});

describe("a payment's entry", () => {
  const listOf = async ({ deps }: Platform) =>
    deps.sessions.list({ partnerId, after: day.from, before: day.before }, 1_000);

  it("exists with the payment, and shows its present state", async () => {
    const platform = await aPlatform();
    const payment = await aPaymentOn(platform, { captureMode: "automatic", references: { orderId: "order 7" } });
    const { messageId } = (await payment.fetch()) ?? {};
    await payment.sendReport("accepted", { messageId });
    await payment.sendReport("authorized", { ...approval, messageId });
    const page = await listPayments(platform.deps, callBy(platform.deps), { range: day }, { limit: 10 });
    expect(page).toMatchObject({
      ok: true,
      value: { payments: [{ sessionId: payment.sessionId, status: "captured" }], next: undefined },
    });
    expect(await listOf(platform)).toMatchObject([{ sessionId: payment.sessionId, orderId: "order 7" }]);
  });

  it("is not left by a request that is repeated after the payment's end", async () => {
    const platform = await aPlatform();
    const request = aRequest();
    await requestPayment(platform.deps, callBy(platform.deps), request);
    await platform.pass(600); // the terminal never fetches it
    await platform.deps.terminals.seen(terminalId, platform.deps.clock.now());
    const again = await requestPayment(platform.deps, callBy(platform.deps), request);
    expect(again).toMatchObject({ ok: true, value: { replayed: true } });
    expect(await listOf(platform)).toHaveLength(1);
  });

  it("is late if its host was delayed, and then the payment is not created: readers have passed its place", async () => {
    const platform = await aPlatform();
    const { sessions, payments, clock } = platform.deps;
    const held = {
      ...sessions,
      enter: async (...given: Parameters<typeof sessions.enter>) => {
        await clock.sleep(21_000);
        return sessions.enter(...given);
      },
    };
    const request = aRequest();
    await expect(requestPayment({ ...platform.deps, sessions: held }, callBy(platform.deps), request)).rejects.toThrow(
      Unavailable,
    );
    await platform.pass(60);
    expect(await payments.find({ partnerId, ...request })).toBeUndefined();
    expect(await platform.deps.inboxes.unanswered(terminalId)).toEqual([]);
  });
});
