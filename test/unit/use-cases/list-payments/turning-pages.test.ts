import { describe, expect, it } from "vitest";
import { after, type Instant } from "../../../../shared/domain/time.ts";
import { listPayments } from "../../../../shared/use-cases/payments/list-payments.ts";
import { caller } from "../../../support/platform.ts";
import { seededRandom } from "../../../support/seeded-random.ts";
import { aFilledList, aPaymentList, noon } from "../../../support/payment-list.ts";

describe("a cursor", () => {
  const forged = (content: unknown) => Buffer.from(JSON.stringify(content)).toString("base64url");
  const contentOf = (cursor = "") => JSON.parse(Buffer.from(cursor, "base64url").toString()) as unknown[];

  it("is refused with another list, and so is an invalid text", async () => {
    const { page } = await aFilledList(3);
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

  it("keeps the day of a list that names none, even after midnight", async () => {
    const { ports, sessions } = await aFilledList(3);
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
  it("are shown on a later page if the commit, or the entry itself, came late", async () => {
    const { page, payment, enter, commit } = aPaymentList();
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

  it("end a page early if more than 200 of them were shown in one minute, and none is lost or duplicated", async () => {
    const { page, sessions } = await aFilledList(450, (i) => ({ createdAt: after(noon, i / 100) }));
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
    expect(later.next?.length).toBeLessThan(300); // a minute later the cursor need not name any payments
  });

  // Two hosts whose clocks differ by up to ten seconds, entries up to 20 s late, commits up to 25 s after them, and a reader that pauses.
  it.each(Array.from({ length: 100 }, (_, seed) => seed))(
    "are neither skipped nor shown twice (seed %i)",
    async (seed) => {
      const random = seededRandom(seed);
      const { page, payment, enter, commit } = aPaymentList();
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
