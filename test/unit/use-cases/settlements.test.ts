import { describe, expect, it } from "vitest";
import { toSettlementFile } from "../../../shared/contracts/objects/settlement-file.ts";
import type { SettlementPage } from "../../../shared/contracts/objects/settlement.ts";
import { linesOfPage, totalsOf, type Booking } from "../../../shared/domain/booking.ts";
import { eachTable, tablePorts, type TablePorts } from "../../../shared/stores/stores.ts";
import { listSettlements } from "../../../shared/use-cases/bookings/list-settlements.ts";
import { readSettlement, type SettlementQuery } from "../../../shared/use-cases/bookings/read-settlement.ts";
import { readFeed } from "../../../shared/use-cases/feed/read-feed.ts";
import { repair } from "../../../shared/use-cases/operator/repair/repair.ts";
import { aBooking } from "../../support/a-booking.ts";
import { addBookings } from "../../support/add-bookings.ts";
import { aCall } from "../../support/calls.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { aPlatform, callBy, type Platform } from "../../support/platform.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { lookAtSettlement, settlementOf } from "../../support/settlement.ts";

const { partnerId } = aBooking();
const day = "2026-11-21";
const key = { partnerId, day };
const [NOON, DUE] = ["2026-11-21T12:00:00.000Z", "2026-11-25T00:00:00.000Z"];
const newBooks = () => tablePorts(eachTable(() => inMemoryRows()));
const HOUR = 3_600;

interface Asked extends Omit<SettlementQuery, "date"> {
  readonly limit?: number | undefined;
  readonly terminalIds?: readonly string[] | undefined;
}

const read = (books: TablePorts, { terminalIds, limit, ...query }: Asked = {}, cursor?: string) =>
  readSettlement(
    books,
    { now: () => NOON, caller: { partnerId, keyId: "k1", terminalIds } },
    { date: day, ...query },
    { limit, after: cursor },
  );

/** Every page. */
async function pages(books: TablePorts, asked: Asked): Promise<SettlementPage[]> {
  const found: SettlementPage[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await read(books, asked, cursor);
    if (!page.ok) throw new Error(JSON.stringify(page.error));
    found.push(page.value);
    cursor = page.value.next;
    if (cursor === undefined) return found;
  }
}

/** Sorts as the terminals, sessions, sequences and numbers do. */
const placeOf = ({ terminalId, sessionId, sequence, number }: Booking): string =>
  [terminalId, sessionId, String(sequence).padStart(6, "0"), number].join(" ");

it("the pages of a settlement have each line once and in order, and their totals are those of the lines, whatever the page and the filter", async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = seededRandom(seed);
    const books = newBooks();
    const terminals = Array.from({ length: random.between(1, 40) }, (_, i) => ({
      terminalId: `terminal-${i}`,
      merchantId: `merchant-${random.between(1, 3)}`,
    }));
    const made = terminals.flatMap((terminal) =>
      Array.from({ length: random.between(1, random.pick(1, 3, 30)) }, (_, sequence) =>
        aBooking({
          ...terminal,
          sessionId: `session-${random.between(1, 9)}`,
          sequence,
          amount: random.between(1, 1_000),
          ...(random.chance(0.3) && { kind: "refund", direction: "debit" }),
        }),
      ),
    );
    for (const own of Map.groupBy(made, ({ terminalId }) => terminalId).values()) await addBookings(books, own, day);
    const [old] = terminals;
    if (old && random.chance(0.2)) await books.partnerDays.saveTotals(key, [{ terminalId: old.terminalId }]); // as an earlier version entered it
    if (random.chance(0.5)) await lookAtSettlement(books, key, DUE);
    const merchantId = random.pick(undefined, "merchant-1");
    const terminalId = random.pick(undefined, undefined, "terminal-0");
    const terminalIds = random.pick(undefined, ["terminal-0", "terminal-3", "elsewhere"]);
    const asked = { merchantId, terminalId, terminalIds, limit: random.pick(1, 2, 7, 100, undefined) };
    const wanted = made
      .filter((line) => merchantId === undefined || line.merchantId === merchantId)
      .filter((line) => terminalId === undefined || line.terminalId === terminalId)
      .filter((line) => terminalIds === undefined || terminalIds.includes(line.terminalId))
      .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
    const found = await pages(books, asked);
    expect(
      found.flatMap(({ bookings }) => bookings),
      `seed ${seed}`,
    ).toEqual(wanted);
    const { isClosed, totals } = found.at(-1) ?? {};
    expect(totals, `seed ${seed}`).toEqual(totalsOf(wanted));
    for (const page of found.slice(0, -1)) expect(page.totals).toEqual(isClosed ? totals : undefined);
    const whole = await pages(books, { ...asked, limit: undefined });
    expect(found.map(toSettlementFile).join("")).toBe(whole.map(toSettlementFile).join(""));
    expect(await pages(books, asked)).toEqual(found);
  }
});

describe("a page", () => {
  it("is refused after a cursor of another day, filter or key, and after any other text", async () => {
    const books = newBooks();
    for (const terminalId of ["terminal-1", "terminal-2"]) await addBookings(books, [aBooking({ terminalId })], day);
    const [first] = await pages(books, { limit: 1 });
    const refused = { ok: false, error: { errors: [{ field: "after", code: "invalid" }] } };
    const others: Asked[] = [
      { merchantId: "merchant-1" },
      { terminalId: "terminal-1" },
      { terminalIds: ["terminal-1"] },
    ];
    for (const other of others) expect(await read(books, other, first?.next)).toMatchObject(refused);
    for (const text of ["", "x", first?.next?.slice(1)]) expect(await read(books, {}, text)).toMatchObject(refused);
  });

  it("must be asked for if there are more than 5,000 lines", async () => {
    const books = newBooks();
    for (const terminalId of ["terminal-1", "terminal-2", "terminal-3"]) {
      const size = terminalId === "terminal-3" ? 1 : linesOfPage.most / 2;
      for (let made = 0; made < size; made += 90) {
        const some = Array.from({ length: Math.min(90, size - made) }, () => aBooking({ terminalId }));
        await addBookings(books, some, day);
      }
    }
    const required = { ok: false, error: { errors: [{ field: "limit", code: "required" }] } };
    expect(await read(books)).toMatchObject(required);
    expect((await pages(books, { terminalIds: ["terminal-1", "terminal-2"] })).length).toBe(1);
    const found = await pages(books, { limit: linesOfPage.most });
    expect(found.map(({ bookings }) => bookings.length)).toEqual([linesOfPage.most, 1]);
  });

  it("of an open day shows no totals before the last one, and a terminal that is entered in a closed day changes none", async () => {
    const books = newBooks();
    await addBookings(books, [aBooking(), aBooking()], day);
    await lookAtSettlement(books, key, DUE);
    const before = await pages(books, { limit: 1 });
    await books.partnerDays.enter(key, { terminalId: "late", merchantId: "merchant-1" });
    expect(await pages(books, { limit: 1 })).toEqual(before);
  });
});

describe("the platform closes a settlement by itself", () => {
  const lastHour = (platform: Platform) => platform.queued.filter(({ announcement }) => announcement.effect === "look");
  const events = async ({ deps }: Platform) => {
    const page = await readFeed(deps, callBy(deps), { number: undefined, atMost: 100, waitSeconds: 0 });
    return page.ok ? page.value.events.map(({ body }) => JSON.parse(body) as Record<string, unknown>) : [];
  };

  it("and says so once, with its totals; then nothing of it is left to do", async () => {
    const platform = await aPlatform();
    const { deps } = platform;
    await addBookings(deps, [aBooking(), aBooking({ amount: 50 })], day);
    await platform.pass(3 * 24 * HOUR);
    expect(await settlementOf(deps, callBy(deps), day)).toMatchObject({ isClosed: false });
    await platform.pass(24 * HOUR);
    expect(await settlementOf(deps, callBy(deps), day)).toMatchObject({ isClosed: true });
    const totals = [{ currency: "SEK", kind: "capture", direction: "credit", count: 2, amount: 126 }];
    const closed = { type: "settlement.closed", sequence: 1, data: { date: day, status: "closed", totals } };
    expect(await events(platform)).toMatchObject([closed]);
    expect(platform.webhooksSent.map(({ body }) => JSON.parse(body) as unknown)).toMatchObject([closed]);
    expect(await deps.partnerDays.openDays()).toEqual([]);
    expect(lastHour(platform)).toEqual([]);
  });

  it("within an hour after its last terminal, if the day is over in every time zone", async () => {
    const platform = await aPlatform();
    const { deps } = platform;
    const booking = aBooking();
    await addBookings(deps, [booking], day);
    await platform.pass(40 * HOUR);
    await deps.terminalDays.closeBooks({ ...booking, day }, NOON, await deps.terminalDays.find({ ...booking, day }));
    expect(await settlementOf(deps, callBy(deps), day)).toMatchObject({ isClosed: false });
    await platform.pass(HOUR);
    expect(await settlementOf(deps, callBy(deps), day)).toMatchObject({ isClosed: true });
  });

  it("after its look was lost, by a repair; a repair announces no look that is not due", async () => {
    const platform = await aPlatform();
    const { deps } = platform;
    await addBookings(deps, [aBooking()], day);
    platform.queued.splice(0);
    const mend = (all: boolean) => repair(deps, aCall(deps), { all, dryRun: false });
    expect((await mend(false)).announced).toEqual([]);
    expect((await mend(true)).announced).toMatchObject([{ effect: "look", at: "2026-11-22T12:00:00.000Z" }]);
    platform.queued.splice(0);
    await platform.pass(4 * 24 * HOUR);
    expect((await mend(false)).announced).toMatchObject([{ effect: "look", subject: { kind: "partnerDay" } }]);
    await platform.pass(2 * HOUR);
    expect(await settlementOf(deps, callBy(deps), day)).toMatchObject({ isClosed: true });
    expect((await mend(true)).announced).toEqual([]);
  });

  it("also if its first booking is committed after its look was due, and forgets a day that got none", async () => {
    const late = await aPlatform();
    const { partnerDays } = late.deps;
    await late.pass(5 * 24 * HOUR);
    const { open } = partnerDays;
    partnerDays.open = async (of) => {
      partnerDays.open = open;
      await late.pass(1); // the look comes first
      await open(of);
    };
    await addBookings(late.deps, [aBooking()], day);
    await late.pass(60);
    expect(await settlementOf(late.deps, callBy(late.deps), day)).toMatchObject({ isClosed: true });

    const never = await aPlatform();
    await never.pass(5 * 24 * HOUR);
    never.deps.partnerDays.open = async () => Promise.reject(new Error("the host died"));
    await expect(addBookings(never.deps, [aBooking()], day)).rejects.toThrow("the host died");
    await never.pass(24 * HOUR);
    expect(never.queued).toEqual([]);
  });

  it("in several runs if it has many terminals", async () => {
    const platform = await aPlatform();
    const { deps } = platform;
    for (let i = 0; i < 450; i++) await addBookings(deps, [aBooking({ terminalId: `terminal-${i}` })], day);
    await platform.pass(4 * 24 * HOUR);
    const { totals } = await settlementOf(deps, callBy(deps), day);
    expect(totals).toMatchObject([{ count: 450 }]);
    expect(await events(platform)).toHaveLength(1);
  });
});

describe("the list of settlements", () => {
  const list = (books: TablePorts, range: { from?: string; to?: string }, terminalIds?: readonly string[]) =>
    listSettlements(books, { now: () => DUE, caller: { partnerId, keyId: "k1", terminalIds } }, range);

  it("has the days with movements, and the totals of closed ones that the key reaches", async () => {
    const books = newBooks();
    const own = aBooking({ terminalId: "terminal-1" });
    await addBookings(books, [own, aBooking({ terminalId: "terminal-1", businessDay: "2026-11-23" })], "2026-11-23");
    await addBookings(books, [aBooking({ terminalId: "terminal-2" })], day);
    await lookAtSettlement(books, key, DUE);
    const open = { date: "2026-11-23", isClosed: false };
    expect(await list(books, {})).toMatchObject({ value: [{ date: day, totals: [{ count: 2 }] }, open] });
    expect(await list(books, {}, ["terminal-1"])).toMatchObject({ value: [{ totals: totalsOf([own]) }, open] });
    expect(await list(books, {}, ["terminal-2"])).toMatchObject({ value: [{ date: day }] });
    expect(await list(books, {}, ["elsewhere"])).toEqual({ ok: true, value: [] });
    expect(await list(books, { from: "2026-11-22" })).toMatchObject({ value: [open] });
    expect(await list(books, { to: "2026-11-22" })).toMatchObject({ value: [{ date: day }] });
  });

  it("covers at most 31 days, and none backwards", async () => {
    const refused = { ok: false, error: { errors: [{ field: "to", code: "out_of_range" }] } };
    expect(await list(newBooks(), { from: "2026-11-02", to: "2026-11-01" })).toMatchObject(refused);
    expect(await list(newBooks(), { from: "2026-11-01", to: "2026-12-02" })).toMatchObject(refused);
    expect(await list(newBooks(), { from: "2026-11-01", to: "2026-12-01" })).toEqual({ ok: true, value: [] });
  });
});
