import { describe, expect, it } from "vitest";
import {
  asHolder,
  corrected,
  duplicateAmong,
  MAX_HOLDERS,
  MAX_READ,
  refuseDuplicate,
  rivalsToRead,
  holdersAfter,
  withinHorizon,
  withNewcomer,
  type Holders,
  type OrderHolder,
} from "../../../shared/domain/payment/requests/duplicate.ts";
import { orderHold, orderHolds } from "../../../shared/domain/payment/record/order.ts";
import { paymentStates, type Payment } from "../../../shared/domain/payment/record/payment.ts";
import { after } from "../../../shared/domain/time.ts";
import { aCharge, aPaymentIn, now, timings } from "../../support/a-payment.ts";
import { fc } from "../../support/drawn.ts";

const DAY = 24 * 3600;
const partners = ["own", "other"] as const;

const aHolder = fc
  .record({
    partnerId: fc.constantFrom(...partners),
    strict: fc.boolean(),
    hold: fc.constantFrom(...orderHolds),
    daysAgo: fc.integer({ min: 0, max: 30 }),
  })
  .map(({ daysAgo, ...holder }) => ({ ...holder, terminalId: "t", since: after(now, -daysAgo * DAY) }));
const aList = (max: number) =>
  fc
    .array(aHolder, { maxLength: max, size: "max" })
    .map((holders): Holders => holders.map((holder, i) => ({ sessionId: `s${i}`, commandId: `c${i}`, ...holder })));
/** About as many as a list holds, mostly of one kind. */
const aFullList = fc
  .record({
    total: fc.integer({ min: MAX_HOLDERS - 3, max: MAX_HOLDERS + 20 }),
    living: fc.nat(30),
    lenient: fc.nat(30),
    filler: fc.constantFrom("living", "lenient", "strict"),
  })
  .chain(({ total, living, lenient, filler }) => {
    const kinds = Array.from({ length: total }, (_, i) =>
      i < living ? "living" : i < living + lenient ? "lenient" : filler,
    );
    return fc.shuffledSubarray(kinds, { minLength: total, maxLength: total });
  })
  .map((kinds): Holders =>
    kinds.map((kind, i) => ({
      partnerId: "own",
      terminalId: "t",
      sessionId: `s${i}`,
      commandId: `c${i}`,
      strict: kind === "strict",
      hold: kind === "living" ? "living" : "approved",
      since: now,
    })),
  );
const newcomer: OrderHolder = {
  partnerId: "own",
  terminalId: "t",
  sessionId: "new",
  commandId: "c",
  strict: false,
  hold: "living",
  since: now,
};
const paymentOf = (
  { partnerId, terminalId, sessionId, commandId, strict }: OrderHolder,
  status: Payment["status"],
): Payment =>
  aPaymentIn(status, {
    partnerId,
    terminalId,
    sessionId,
    requestedBy: commandId,
    strictOrder: strict,
    asReceived: { sessionId: sessionId.toUpperCase(), merchantId: "M", terminalId: "T" },
  });
const isLiving = ({ hold }: OrderHolder) => hold === "living";
const earliestStrict = (holders: Holders) => holders.find((h) => h.strict && h.hold === "approved");

describe("an order's list", () => {
  it("keeps the approved payment of a strict merchant forever, living payments and those that give money back, and others up to the horizon", () => {
    fc.assert(
      fc.property(aList(60), (holders) => {
        const kept = new Set(withinHorizon(holders, now, timings));
        for (const holder of holders) {
          const isRecent = holder.since >= after(now, -7 * DAY);
          expect(kept.has(holder)).toBe(holder.strict || holder.hold !== "approved" || isRecent);
        }
      }),
    );
  });

  it("adds a newcomer as its newest; a full list drops no living holder, and not the strict one that holds the order forever", () => {
    fc.assert(
      fc.property(fc.oneof(aFullList, aList(60)), (holders) => {
        const next = withNewcomer(holders, newcomer);
        const living = holders.filter(isLiving);
        const staying = living.length + (earliestStrict(holders) ? 1 : 0);
        expect(next === undefined).toBe(staying >= MAX_HOLDERS);
        if (!next) return;
        expect(next.length).toBeLessThanOrEqual(MAX_HOLDERS);
        expect(next.at(-1)).toBe(newcomer);
        const kept = new Set(next);
        expect(living.filter((h) => !kept.has(h))).toEqual([]);
        const strict = earliestStrict(holders);
        if (strict) expect(kept.has(strict)).toBe(true);
        const lost = holders.filter((h) => !kept.has(h));
        expect(lost.length).toBe(Math.max(0, holders.length + 1 - MAX_HOLDERS));
        if (lost.some((h) => h.strict)) expect(next.filter((h) => !h.strict && !isLiving(h))).toEqual([]);
        expect(next.slice(0, -1)).toEqual(holders.filter((h) => kept.has(h)));
      }),
    );
  });

  it("accepts no newcomer when it is full of living holders, and no request twice", () => {
    const full = Array.from({ length: MAX_HOLDERS }, (_, i) => ({ ...newcomer, sessionId: `s${i}` }));
    expect(withNewcomer(full, newcomer)).toBeUndefined();
    expect(withNewcomer([newcomer, ...full], newcomer)).toEqual([newcomer, ...full]);
  });

  it("keeps each request of a session that may be committed, and none after another one was", () => {
    const repeated = { ...newcomer, commandId: "repeated" };
    const both = withNewcomer([newcomer], repeated) ?? [];
    expect(both).toEqual([newcomer, repeated]);
    expect(corrected(both, { payments: [], gone: [newcomer] })).toEqual([repeated]);
    expect(corrected(both, { payments: [paymentOf(repeated, "inProgress")], gone: [] })).toEqual([repeated]);
    const elsewhere = { ...repeated, terminalId: "t2" };
    expect(corrected([newcomer, elsewhere], { payments: [paymentOf(elsewhere, "pending")], gone: [] })).toEqual([
      newcomer,
      elsewhere,
    ]);
  });

  it("shows each holder as its payment shows it, and leaves unread ones unchanged", () => {
    const states = fc.array(fc.option(fc.constantFrom(...paymentStates), { nil: undefined }), { maxLength: 12 });
    fc.assert(
      fc.property(states, (seen) => {
        const holders = seen.map((_, i) => ({ ...newcomer, sessionId: `s${i}` }));
        const payments = seen.flatMap((status, i) => {
          const holder = holders[i];
          return status && holder ? paymentOf(holder, status) : [];
        });
        const next = corrected(holders, { payments, gone: [] });
        for (const [i, status] of seen.entries()) {
          const found = next.find((h) => h.sessionId === `s${i}`);
          if (status === undefined) expect(found).toBe(holders[i]);
          else expect(found?.hold).toBe(orderHold(aPaymentIn(status)));
        }
        expect(corrected(next, { payments, gone: [] })).toEqual(next);
      }),
    );
  });

  it("lists a payment once when a charge after its end holds the order again, and drops it with that charge", () => {
    const paid = aPaymentIn("declined", { sessionId: "s1", charges: [aCharge("reversing")] });
    const [entered, ...others] = holdersAfter([newcomer], paid).toReversed();
    expect(entered).toMatchObject({ sessionId: "s1", hold: "givingBack" });
    expect(others).toEqual([newcomer]);
    const failed = holdersAfter([newcomer, ...(entered ? [entered] : [])], {
      ...paid,
      charges: [aCharge("reversalFailed")],
    });
    expect(failed).toMatchObject([newcomer, { sessionId: "s1", hold: "approved" }]);
    expect(holdersAfter(failed, { ...paid, charges: [aCharge("reversed")] })).toEqual([newcomer]);
  });
});

describe("a strict order", () => {
  /** An event of one of its payments, with days between the events. Some events are lost, like the release in a purged queue. */
  const happening = fc.record({
    what: fc.constantFrom("request", "approve", "fail", "giveBack"),
    which: fc.nat(),
    days: fc.integer({ min: 0, max: 20 }),
    isLost: fc.boolean(),
    confirmDuplicate: fc.boolean(),
  });

  it("is paid at most once, unless the partner confirms another payment", () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
        let moment = now;
        let holders: Holders = [];
        const payments: Payment[] = [];
        for (const { what, which, days, isLost, confirmDuplicate } of happenings) {
          moment = after(moment, days * DAY);
          if (what === "request") {
            const payment = { ...aPaymentIn("pending"), strictOrder: true, updatedAt: moment };
            const kept = withinHorizon(holders, moment, timings);
            const toRead = rivalsToRead(kept, payment);
            const read = payments.filter((p) => toRead.some((h) => h.sessionId === p.sessionId));
            const left = corrected(kept, { payments: read, gone: [] });
            const isPaid = payments.some((p) => orderHold(p) !== undefined);
            const blocks = duplicateAmong(left, { payments: read, awaited: [] }, payment)?.blocks ?? false;
            expect(blocks).toBe(isPaid);
            if (blocks && !confirmDuplicate) continue;
            payments.push(payment);
            holders = withNewcomer(left, asHolder(payment, "living")) ?? left;
            continue;
          }
          const i = payments.length === 0 ? 0 : which % payments.length;
          const payment = payments[i];
          if (!payment) continue;
          const next = happened(payment, what, moment);
          payments[i] = next;
          if (!isLost) holders = corrected(holders, { payments: [next], gone: [] });
        }
      }),
    );
  });

  function happened(payment: Payment, what: string, at: string): Payment {
    const isPending = payment.status === "pending";
    if (what === "approve" && isPending) return { ...payment, status: "authorized", updatedAt: at };
    if (what === "fail" && isPending) return { ...payment, status: "failed", updatedAt: at };
    if (what === "giveBack" && payment.status === "authorized") return { ...payment, status: "voided", updatedAt: at };
    return payment;
  }
});

describe("the duplicate check", () => {
  it("reads a bounded number of payments, first those that may be living, and never its own", () => {
    fc.assert(
      fc.property(aList(MAX_HOLDERS), (holders) => {
        const elsewhere = { ...newcomer, terminalId: "t2", commandId: "c2" };
        const read = rivalsToRead([...holders, newcomer, elsewhere], newcomer);
        expect(read.length).toBe(Math.min(holders.length, MAX_READ));
        expect(read).not.toContain(newcomer);
        expect(read).not.toContain(elsewhere);
        const living = holders.filter(isLiving);
        const newest = [...living.toReversed(), ...holders.filter((h) => !isLiving(h)).toReversed()];
        expect(read).toEqual(newest.slice(0, MAX_READ));
      }),
    );
  });

  it("names a session only to its own partner, as received from it, and none whose payment may still come", () => {
    const outcome = fc.constantFrom("inProgress", "captured", "unread", "awaited");
    const rivals = fc.array(fc.tuple(aHolder, outcome), { maxLength: 8 });
    fc.assert(
      fc.property(rivals, fc.boolean(), (given, strictOrder) => {
        const holders = given.map(([holder], i) => ({ ...holder, sessionId: `s${i}`, commandId: `c${i}` }));
        const payments = given.flatMap(([, status], i) => {
          const holder = holders[i];
          return holder && (status === "inProgress" || status === "captured") ? paymentOf(holder, status) : [];
        });
        const awaited = holders.filter((_, i) => given[i]?.[1] === "awaited");
        const claim = { ...newcomer, strictOrder };
        const duplicate = duplicateAmong(holders, { payments, awaited }, claim);
        const isPaid = ([holder, status]: (typeof given)[number]) =>
          status === "unread" ? holder.hold !== "givingBack" : true;
        const blocking = given.filter(
          (rival) => rival[1] === "inProgress" || rival[1] === "awaited" || (strictOrder && isPaid(rival)),
        );
        expect(duplicate?.blocks).toBe(given.length === 0 ? undefined : blocking.length > 0);
        if (duplicate)
          expect(duplicate.isAwaited).toBe(blocking.length > 0 && blocking.every(([, status]) => status === "awaited"));
        const named = holders.find((h) => h.sessionId === duplicate?.sessionId?.toLowerCase());
        expect(named?.partnerId).toBe(duplicate?.sessionId === undefined ? undefined : "own");
        const isRead = payments.some((p) => p.sessionId === named?.sessionId);
        if (!named) return;
        expect(awaited).not.toContain(named);
        expect(duplicate?.sessionId).toBe(isRead ? named.sessionId.toUpperCase() : named.sessionId);
      }),
    );
  });

  it("never counts the own session, requested here or at another terminal", () => {
    const own = [newcomer, { ...newcomer, commandId: "first" }, { ...newcomer, terminalId: "t2", commandId: "there" }];
    const judged = { payments: [], awaited: own };
    expect(duplicateAmong(own, judged, { ...newcomer, strictOrder: true })).toBeUndefined();
  });

  it("says that a request may succeed later only if nothing else than requests without an outcome blocks it", () => {
    const awaited = { ...newcomer, sessionId: "s0" };
    const living = { ...newcomer, sessionId: "s1" };
    const refusal = (holders: Holders, payments: readonly Payment[]) => {
      const duplicate = duplicateAmong(holders, { payments, awaited: [awaited] }, { ...newcomer, strictOrder: false });
      return duplicate?.blocks ? refuseDuplicate(duplicate) : undefined;
    };
    const detail = expect.stringContaining("20 seconds") as string;
    expect(refusal([awaited], [])).toEqual({ code: "possible_duplicate", retryAfterSeconds: 5, detail });
    const other = paymentOf(living, "inProgress");
    expect(refusal([awaited, living], [other])).toEqual({ code: "possible_duplicate", sessionId: "S1" });
    const paid = paymentOf(living, "captured");
    expect(refusal([awaited, living], [paid])).toEqual({ code: "possible_duplicate", retryAfterSeconds: 5, detail });
  });
});
