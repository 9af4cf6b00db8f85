import { describe, expect, it } from "vitest";
import type { Payment } from "../../../shared/domain/payment/payment.ts";
import type { PaymentQuery, TimeRange } from "../../../shared/domain/payment/payment-query.ts";
import { after, type Instant } from "../../../shared/domain/time.ts";
import { eachTable, tablePorts } from "../../../shared/tables/table-ports.ts";
import { createdEntryOf } from "../../../shared/use-cases/payments/enter-created.ts";
import { listPayments } from "../../../shared/use-cases/payments/list-payments.ts";
import { enterCreatedOfDay } from "../../../shared/use-cases/repair/enter-created-of-day.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { countingRows, type TableCall } from "../../bench/counting-ports.ts";
import { aPaymentIn, aPaymentOn, approval } from "../../support/a-payment.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { aPlatform, aRequest, callBy, caller, partnerId, terminalId, type Platform } from "../../support/platform.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const day = { from: "2026-11-21T00:00:00.000Z", before: "2026-11-22T00:00:00.000Z" };
const noon = "2026-11-21T12:00:00.000Z";

/** A partner's payments in tables of their own, read at a moment that a test chooses. */
function aList() {
  const calls: TableCall[] = [];
  const ports = tablePorts(eachTable((table) => countingRows(table, inMemoryRows(), (call) => void calls.push(call))));
  let made = 0;
  return {
    ports,
    calls,
    payment(createdAt: Instant, more: Partial<Payment> = {}): Payment {
      const number = String(++made).padStart(12, "0");
      const requestedBy = `dddddddd-0000-4000-8000-${number}`;
      return { ...aPaymentIn("pending"), createdAt, requestedBy, ...more };
    },
    enter: (payment: Payment) => ports.createdPayments.enter(createdEntryOf(payment)),
    async commit(payment: Payment) {
      const entry = { sequence: 1, at: payment.createdAt, by: "partner", event: "request", to: "pending" } as const;
      await ports.payments.commit(payment, { payment, etag: undefined, entry });
    },
    async page({ from, before, ...query }: Filter = {}, more: Partial<Reading> = {}) {
      const { now = after(noon, 3600), limit = 50, cursor, terminalIds } = more;
      const call = { caller: { ...caller, terminalIds }, now: () => now, newId: () => "" };
      const page = await listPayments(
        ports,
        call,
        { range: { from: from ?? day.from, before: before ?? day.before }, ...query },
        { limit, after: cursor },
      );
      if (!page.ok) throw new Error(JSON.stringify(page.error));
      return { sessions: page.value.payments.map(({ sessionId }) => sessionId), next: page.value.next };
    },
  };
}
type Filter = Partial<TimeRange> & Omit<PaymentQuery, "range">;
interface Reading {
  readonly now: Instant;
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly terminalIds: readonly string[];
}

async function filled(count: number, more: (i: number) => Partial<Payment> = () => ({})) {
  const list = aList();
  const sessions: string[] = [];
  for (let i = 0; i < count; i++) {
    const payment = list.payment(after(noon, i), more(i));
    await list.enter(payment);
    await list.commit(payment);
    sessions.push(payment.sessionId);
  }
  list.calls.length = 0;
  return { ...list, sessions };
}

describe("a page of a partner's payments", () => {
  it("has what was created in the range, in order, and names the next page only while there is more", async () => {
    const { page, sessions } = await filled(5);
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

  it("shows no payment for an entry whose request came to nothing, or came twice", async () => {
    const { page, payment, enter, commit } = aList();
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

  it("filters by terminal, merchant, order and status, and by what the key reaches", async () => {
    const { page, sessions } = await filled(6, (i) => ({
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

  it("makes one query, and reads the payments that it shows and no other", async () => {
    const { page, calls } = await filled(120);
    const { sessions } = await page({}, { limit: 50 });
    expect(sessions).toHaveLength(50);
    expect(calls.map(({ method, keys }) => `${method} ${keys}`).toSorted()).toEqual([
      ...Array.from({ length: 50 }, () => "get session"),
      "query created…",
    ]);
  });

  it("makes 6 queries and reads 200 payments at most, whatever the filter leaves out, and may be empty with a next one", async () => {
    const { page, calls, sessions } = await filled(2_600, (i) => ({
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
      expect(calls.length).toBeLessThanOrEqual(206 * pages);
      if (next === undefined) break;
      cursor = next;
    }
    expect(found).toEqual([sessions[450]]);
  });

  it("reads over the ends of two months with 6 queries at most", async () => {
    const list = aList();
    const sessions: string[] = [];
    for (const createdAt of ["2026-01-30T12:00:00.000Z", "2026-02-14T12:00:00.000Z", "2026-03-01T12:00:00.000Z"]) {
      const payment = list.payment(createdAt);
      await list.enter(payment);
      await list.commit(payment);
      sessions.push(payment.sessionId);
    }
    list.calls.length = 0;
    const range = { from: "2026-01-30T00:00:00.000Z", before: "2026-03-02T00:00:00.000Z" };
    expect(await list.page(range, { limit: 2 })).toMatchObject({ sessions: sessions.slice(0, 2) });
    expect(await list.page(range)).toEqual({ sessions, next: undefined });
    expect(list.calls.filter(({ method }) => method === "query").length).toBeLessThanOrEqual(6);
  });
});

describe("a cursor", () => {
  const forged = (content: unknown) => Buffer.from(JSON.stringify(content)).toString("base64url");
  const contentOf = (cursor = "") => JSON.parse(Buffer.from(cursor, "base64url").toString()) as unknown[];

  it("is refused with another list, and so is a text that is none", async () => {
    const { page } = await filled(3);
    const { next = "" } = await page({}, { limit: 1 });
    for (const other of [{ status: "pending" }, { terminalId: "t" }, { before: after(noon, 60) }] as const)
      await expect(page(other, { cursor: next })).rejects.toThrow(/must be `next` of a page of the same list/);
    const [form, digest, from, to, position, seen] = contentOf(next);
    for (const text of [
      "x",
      "%%%",
      `${next}AAAA`,
      forged({}),
      forged([2, digest, from, to, position, seen]),
      forged([form, digest, from, "2026-11-23T00:00:00.000Z", position, seen]),
      forged([form, digest, from, to, "not a moment", seen]),
      forged([form, digest, from, to, "2026-11-20T23:59:59.999Z", seen]),
      forged([form, digest, from, to, `${String(position)}' or '1' eq '1`, seen]),
      forged([form, digest, from, to, position, "half"]),
      forged([form, digest, from, to, position, "x".repeat(11 * 201)]),
    ])
      await expect(page({}, { cursor: text })).rejects.toThrow(/validation_failed/);
    expect((await page({}, { cursor: forged([form, digest, from, to, position, seen]) })).sessions).toHaveLength(2);
  });

  it("holds the day of a list that names none, also after midnight", async () => {
    const { ports, sessions } = await filled(3);
    const at = (now: Instant, cursor?: string) =>
      listPayments(ports, { caller, now: () => now, newId: () => "" }, {}, { limit: 2, after: cursor });
    const first = await at("2026-11-21T23:59:59.999Z");
    expect(first).toMatchObject({ ok: true, value: { payments: [{}, {}] } });
    expect(await at("2026-11-22T00:10:00.000Z", first.ok ? first.value.next : undefined)).toMatchObject({
      ok: true,
      value: { payments: [{ sessionId: sessions[2] }], next: undefined },
    });
    const [form, digest, from, , position, seen] = contentOf(first.ok ? first.value.next : undefined);
    const endless = forged([form, digest, from, "9999-11-22T00:00:00.000Z", position, seen]);
    expect(await at(noon, endless)).toMatchObject({ ok: false, error: { code: "validation_failed" } });
    expect(await at("2026-11-22T00:10:00.000Z")).toEqual({ ok: true, value: { payments: [], next: undefined } });
  });
});

describe("payments that come while a reader turns pages", () => {
  it("are shown on a later page where the commit, or the entry itself, came late", async () => {
    const { page, payment, enter, commit } = aList();
    const [shown, slow, late, last] = [
      payment(noon),
      payment(after(noon, 1)),
      payment(after(noon, 2)),
      payment(after(noon, 3)),
    ];
    for (const one of [shown, slow, last]) await enter(one);
    for (const one of [shown, last]) await commit(one);
    const first = await page({}, { now: after(noon, 4), limit: 2 });
    expect(first.sessions).toEqual([shown.sessionId, last.sessionId]);

    const more = payment(after(noon, 5));
    for (const one of [late, more]) await enter(one);
    for (const one of [late, slow, more]) await commit(one);
    const rest = await page({}, { now: after(noon, 7), limit: 9, cursor: first.next });
    expect(rest).toEqual({ sessions: [slow.sessionId, late.sessionId, more.sessionId], next: undefined });
  });

  it("end a page early where more than 200 of them were shown in one minute, and none is lost or doubled", async () => {
    const { page, sessions } = await filled(450, (i) => ({ createdAt: after(noon, i / 100) }));
    const read: string[] = [];
    let now = after(noon, 5);
    let cursor: string | undefined;
    let emptyPages = 0;
    let longest = "";
    do {
      const one = await page({}, { now, limit: 100, cursor });
      read.push(...one.sessions);
      if (one.sessions.length === 0) emptyPages++;
      cursor = one.next;
      if ((cursor ?? "").length > longest.length) longest = cursor ?? "";
      now = after(now, 10);
    } while (cursor !== undefined);
    expect(read).toEqual(sessions);
    expect(emptyPages).toBeGreaterThan(0);
    expect(longest.length).toBeGreaterThan(2_000);
    expect(longest.length).toBeLessThan(4_000);
    const later = await page({}, { now: after(noon, 600), limit: 100, cursor: longest });
    expect(later.sessions).toHaveLength(100);
    expect(later.next?.length).toBeLessThan(300); // a minute later nothing need be named any more
  });

  // Two hosts whose clocks differ by up to ten seconds; entries up to 20 s late, and commits up to 25 s after them; a reader that rests.
  it.each(Array.from({ length: 100 }, (_, seed) => seed))(
    "are neither skipped nor shown twice (seed %i)",
    async (seed) => {
      const random = seededRandom(seed);
      const { page, payment, enter, commit } = aList();
      const at = (seconds: number) => after(noon, seconds);
      const skews = [random.realBetween(-5, 5), random.realBetween(-5, 5)];
      const skew = () => random.pick(...(skews as [number, number]));
      const events = Array.from({ length: random.between(20, 150) }, () => {
        const createdAt = random.realBetween(-200, 200);
        const enteredAt = createdAt + random.pick(0, 1, 20) * random.next();
        const committedAt = enteredAt + random.pick(0, 1, 25) * random.next();
        const one = payment(at(createdAt + skew()), { terminalId: random.pick("t1", "t2") });
        return { one, enteredAt, committedAt: random.chance(0.1) ? Infinity : committedAt };
      });
      const queue = events
        .flatMap(({ one, enteredAt, committedAt }) => [
          { time: enteredAt, happen: () => enter(one) },
          { time: committedAt, happen: () => commit(one) },
        ])
        .toSorted((a, b) => a.time - b.time);
      const query = random.pick({}, {}, { terminalId: "t1" });
      const limit = random.pick(1, 3, 10, 100);
      const pause = random.pick(0.1, 2, 20, 70);
      const read: string[] = [];
      let cursor: string | undefined;
      let time = random.realBetween(-200, 100);
      for (;;) {
        while (queue[0] && queue[0].time <= time) await queue.shift()?.happen();
        const turned = await page(query, { now: at(time + skew()), limit, cursor });
        read.push(...turned.sessions);
        if (turned.next === undefined) break;
        cursor = turned.next;
        time += pause * random.next();
      }
      expect(read.length).toBe(new Set(read).size);
      const there = events.filter(
        ({ one, committedAt }) => committedAt <= time && (query.terminalId ?? one.terminalId) === one.terminalId,
      );
      expect(read.toSorted()).toEqual(there.map(({ one }) => one.sessionId).toSorted());
    },
  );
});

describe("a payment's entry", () => {
  const listOf = async ({ deps }: Platform) =>
    deps.createdPayments.list({ partnerId, after: day.from, before: day.before }, 1_000);

  it("is there with the payment, and shows it as it stands", async () => {
    const platform = await aPlatform();
    const payment = await aPaymentOn(platform, { captureMode: "automatic", references: { orderId: "order 7" } });
    const { messageId } = (await payment.fetch()) ?? {};
    await payment.tell("accepted", { messageId });
    await payment.tell("authorized", { ...approval, messageId });
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

  it("is entered later for a payment of a release that had no list, and the same again", async () => {
    const platform = await aPlatform();
    const [one, other] = [await aPaymentOn(platform), await aPaymentOn(platform)];
    const before = await listOf(platform);
    for (const entry of before) await platform.deps.createdPayments.withdraw(entry);
    expect(await listOf(platform)).toEqual([]);
    for (let times = 0; times < 2; times++) {
      expect(await enterCreatedOfDay(platform.deps, "2026-11-21")).toBe(2);
      expect(await listOf(platform)).toEqual(before);
    }
    expect(before.map(({ sessionId }) => sessionId)).toEqual([one.sessionId, other.sessionId]);
    expect(await enterCreatedOfDay(platform.deps, "2026-11-22")).toBe(0);
  });

  it("is late where its host was held up, and then the payment is not made: readers have passed the place", async () => {
    const platform = await aPlatform();
    const { createdPayments, payments, clock } = platform.deps;
    const held = {
      ...createdPayments,
      enter: async (...given: Parameters<typeof createdPayments.enter>) => {
        await clock.sleep(21_000);
        return createdPayments.enter(...given);
      },
    };
    const request = aRequest();
    await expect(
      requestPayment({ ...platform.deps, createdPayments: held }, callBy(platform.deps), request),
    ).rejects.toThrow(Unavailable);
    await platform.pass(60);
    expect(await payments.find({ partnerId, sessionId: request.sessionId })).toBeUndefined();
    expect(await platform.deps.inboxes.unanswered(terminalId)).toEqual([]);
  });
});
