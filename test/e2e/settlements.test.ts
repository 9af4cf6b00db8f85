import { randomUUID } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import type { SettlementObject } from "../../shared/contracts/objects/settlement.ts";
import { operatorOf } from "../support/admin.ts";
import { issueKey } from "../support/credentials.ts";
import { partnerFor } from "../support/partner.ts";
import { hasPython, readByPython, withoutPython } from "../support/python.ts";
import { waitFor } from "../support/wait-for.ts";

// A partner's accountant reads the movements of its terminals. The expected sums come from the test's actions at the terminals and from the
// payments' own objects.

const { headers, onAutopilot, partner, pay, read, refund, refused, request, send, silent, timeline, until } =
  partnerFor("settlements");
const stack = inject("stack");
const { autopilot, silent: till } = partner.terminals;

type Line = SettlementObject["bookings"][number];

const utcDay = (daysAgo = 0): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
/** The day that the terminal names. An operator's decision has the UTC day, which differs if a test runs over midnight. */
const today = utcDay();

const settlement = async (day: string, more: Readonly<Record<string, string>> = {}) =>
  (await send<SettlementObject>("GET", `/settlements/${day}`, undefined, more)).body;
async function text(day: string, format: "json" | "csv"): Promise<string> {
  const answer = await fetch(`${stack.baseUrl}/settlements/${day}${format === "csv" ? "/file" : ""}`, { headers });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** The lines of this session in today's file, once there are this many. */
const linesOf = (sessionID: string, count: number): Promise<Line[]> =>
  waitFor(
    `${count} lines of a payment`,
    async () => {
      const files = await Promise.all([...new Set([today, utcDay()])].map((day) => settlement(day)));
      return files.flatMap(({ bookings }) => bookings).filter((line) => line.sessionID === sessionID);
    },
    { until: ({ length }) => length >= count },
  );

const card = { brand: "Visa", last4: "4242" };
const acquirer = { authorisationCode: "A1B2C3", rrn: "000000000007", tid: "T1", mid: "M1" };
const evidence = { card, acquirer, receipt: { customer: ["SALE"], merchant: ["SALE, COPY"] } };

/** Takes a payment on the silent terminal. It is captured at once, on this day. */
async function takes(businessDay: string, more: Record<string, unknown> = {}) {
  await silent.online();
  const body = request({ captureMode: "automatic", expiresInSeconds: 60, ...more });
  expect(await pay(body)).toMatchObject({ status: 202 });
  const message = await silent.begin(body.sessionID);
  const chargeID = randomUUID();
  await silent.sendReport(message, "authorized", { chargeID, businessDay, ...evidence });
  await until(body.sessionID, "captured");
  return { ...body, message, chargeID };
}

/** Refunds an amount of a payment, on this day. */
async function givesBack(
  of: Awaited<ReturnType<typeof takes>>,
  amount: number,
  businessDay: string,
  more: Record<string, unknown> = {},
): Promise<void> {
  expect(await refund(of, amount)).toMatchObject({ status: 202 });
  const message = await silent.reach("refund", of.sessionID);
  await silent.sendReport(message, "refunded", { refundID: message.refundID, businessDay, ...more });
}

/** The sum of lines in the merchant's favour, in minor units. */
const sum = (lines: readonly Pick<Line, "direction" | "amount">[]): number =>
  lines.reduce((all, { direction, amount }) => all + Math.round(amount * 100) * (direction === "credit" ? 1 : -1), 0);
const movements = (lines: readonly Line[]) =>
  lines.map(({ kind, direction, amount }) => `${kind} ${direction} ${amount}`);

describe("the evidence of each movement", () => {
  it("is in the object, the receipts, the settlement and the file", async () => {
    const sale = await takes(today, { metadata: { table: "12" } });
    const own = { acquirer: { rrn: "000000000008" }, receipt: { customer: ["REFUND"] } };
    await givesBack(sale, 25.5, today, own);
    await givesBack(sale, 10, today);
    const { sessionID } = sale;
    const lines = await linesOf(sessionID, 3);
    const { tid, mid } = acquirer;
    expect(lines).toMatchObject([
      { kind: "capture", ...card, ...acquirer },
      { kind: "refund", ...card, rrn: "000000000008", tid, mid },
      { kind: "refund", ...card, tid, mid },
    ]);
    expect(lines[1]).not.toHaveProperty("authorisationCode");
    expect(lines[2]).not.toHaveProperty("rrn");
    const csv = (await text(today, "csv")).split("\r\n").filter((line) => line.includes(sessionID));
    expect(csv.map((line) => line.split(",").slice(-7, -1).join(","))).toEqual([
      "Visa,4242,A1B2C3,000000000007,T1,M1",
      "Visa,4242,,000000000008,T1,M1",
      "Visa,4242,,,T1,M1",
    ]);

    const payment = await read(sessionID);
    expect(payment).toMatchObject({ metadata: { table: "12" }, charges: [{ card, acquirer }] });
    expect(payment.refunds.map((one) => one.acquirer)).toEqual([own.acquirer, undefined]);
    const [refundID] = payment.refunds.map((one) => one.refundID);
    const receipts = await send<{ next: number }>("GET", `/pos-payment/${sessionID}/receipts?limit=1`);
    expect(receipts).toMatchObject({
      status: 200,
      body: { receipts: [{ of: "sale", chargeID: sale.chargeID, ...evidence.receipt }], next: expect.any(Number) },
    });
    const later = await send("GET", `/pos-payment/${sessionID}/receipts?after=${receipts.body.next}`);
    expect(later.body).toEqual({
      receipts: [
        { sequence: expect.any(Number), of: "refund", at: expect.any(String), refundID, customer: ["REFUND"] },
      ],
    });
  });

  it("of a decline is its code, with any unknown one as other", async () => {
    const declined = async (declineCode: unknown, hostCode: unknown) => {
      await silent.online();
      const body = request({ expiresInSeconds: 60 });
      await pay(body);
      await silent.sendReport(await silent.begin(body.sessionID), "declined", { declineCode, hostCode });
      return until(body.sessionID, "declined");
    };
    expect(await declined("insufficientFunds", "51")).toMatchObject({
      declineCode: "insufficientFunds",
      hostCode: "51",
    });
    const unknown = await declined("brandNew", "toolong");
    expect(unknown).toMatchObject({ declineCode: "other" });
    expect(unknown).not.toHaveProperty("hostCode");
    expect(await declined(51, 51)).not.toHaveProperty("declineCode");
  });
});

describe("a day's settlement", () => {
  it("has a line for each movement: capture, refund, a charge given back, an operator's correction", async () => {
    const refunded = await takes(today);
    await givesBack(refunded, 25.5, today);
    const twice = await takes(today);
    const second = randomUUID();
    await silent.sendReport(twice.message, "authorized", { chargeID: second, businessDay: today });
    await silent.sendReport(await silent.reach("void", twice.sessionID), "voided", { businessDay: today });
    const corrected = await takes(today);
    await silent.sendReport(corrected.message, "voided", { chargeID: corrected.chargeID });
    const { shown } = operatorOf(stack);
    const session = ["--partner", partner.partnerID, "--session", corrected.sessionID];
    await waitFor("the alert", () => shown("alert", "show", corrected.sessionID).catch(() => undefined));
    const decision = ["--charge", corrected.chargeID, "--outcome", "reversed", "--by", "ada", "--why", "the list"];
    const { sequence } = await read(corrected.sessionID);
    await shown("payment", "resolve", ...session, "--sequence", String(sequence), ...decision);

    expect(movements(await linesOf(refunded.sessionID, 2))).toEqual(["capture credit 125.5", "refund debit 25.5"]);
    const ofTwice = await linesOf(twice.sessionID, 3);
    expect(movements(ofTwice)).toEqual(["capture credit 125.5", "capture credit 125.5", "reversal debit 125.5"]);
    expect(ofTwice.map(({ chargeID }) => chargeID)).toEqual([twice.chargeID, second, second]);
    const ofCorrected = await linesOf(corrected.sessionID, 2);
    expect(movements(ofCorrected)).toEqual(["capture credit 125.5", "correction debit 125.5"]);
    for (const { sessionID } of [refunded, twice, corrected]) {
      const { amounts } = await read(sessionID);
      expect(sum(await linesOf(sessionID, 1))).toBe(Math.round((amounts.captured - amounts.refunded) * 100));
      const { entries } = await timeline(sessionID);
      for (const { sequence } of await linesOf(sessionID, 1))
        expect(entries.map((entry) => entry.sequence)).toContain(sequence);
    }
  });

  it("adds up to its totals, is open, and stays the same while nothing moves, as JSON and as a file", async () => {
    const { sessionID } = await takes(today);
    await linesOf(sessionID, 1);
    const file = await settlement(today);
    expect(file).toMatchObject({ date: today, status: "open" });
    expect(file).not.toHaveProperty("closedAt");
    const groups = Map.groupBy(file.bookings, ({ currency, kind, direction }) => `${currency} ${kind} ${direction}`);
    expect(
      Object.fromEntries(
        (file.totals ?? []).map(({ currency, kind, direction, count, amount }) => [
          `${currency} ${kind} ${direction}`,
          { count, amount },
        ]),
      ),
    ).toEqual(
      Object.fromEntries(
        [...groups].map(([group, lines]) => [group, { count: lines.length, amount: Math.abs(sum(lines)) / 100 }]),
      ),
    );
    for (const format of ["json", "csv"] as const) expect(await text(today, format)).toBe(await text(today, format));
  });

  it("shows a key for one terminal only that terminal's lines, and another partner none", async () => {
    const { sessionID } = await takes(today);
    const body = onAutopilot({ captureMode: "automatic" });
    await pay(body);
    await linesOf(sessionID, 1);
    await linesOf(body.sessionID, 1);
    for (const [shownLine, hidden, pointOfServiceID] of [
      [sessionID, body.sessionID, till.pointOfServiceID],
      [body.sessionID, sessionID, autopilot.pointOfServiceID],
    ] as const) {
      const { bookings, totals = [] } = await settlement(today, {
        apikey: await issueKey(stack, partner, { terminalIds: [pointOfServiceID] }),
      });
      const sessions = bookings.map((line) => line.sessionID);
      expect(sessions).toContain(shownLine);
      expect(sessions).not.toContain(hidden);
      expect(new Set(bookings.map((line) => line.pointOfServiceID))).toEqual(new Set([pointOfServiceID]));
      expect(totals.reduce((all, { count }) => all + count, 0)).toBe(bookings.length);
    }
    const others = await partnerFor("stranger").send<SettlementObject>("GET", `/settlements/${today}`);
    expect(others.body.bookings).toEqual([]);
  });

  it.skipIf(!hasPython)(
    `is read cell by cell by an independent CSV reader, and no cell begins a formula${withoutPython}`,
    async () => {
      const hostile = ["=1+1", "+46", "@SUM(1)", "-2", 'a "quoted", text', "two\r\nlines", "\t=1", "'=1", "ö, 💳", " "];
      for (const orderId of hostile) {
        const body = onAutopilot({ captureMode: "automatic", merchantName: orderId, merchantReferences: { orderId } });
        expect(await pay(body)).toMatchObject({ status: 202 });
        await linesOf(body.sessionID, 1);
      }
      const { bookings, totals = [] } = await settlement(today);
      const lines = readByPython(await text(today, "csv"));
      for (const cell of lines.flatMap((line) => Object.values(line))) expect(cell).not.toMatch(/^\s*[=+\-@]/);
      const ofRecord = (record: string) => lines.filter((line) => line["record"] === record);
      /** A cell's text as a reader sees it: an apostrophe before the text does not belong to it. */
      const told = (cell = "") => cell.replace(/^'/, "");
      const withoutRest = ofRecord("booking").map((line) => ({
        kind: line["kind"],
        direction: line["direction"],
        amount: Number(line["amountMinorUnits"]) / 100,
        pointOfServiceID: line["pointOfServiceID"],
        sessionID: line["sessionID"],
        orderId: told(line["orderId"]),
        bookedAt: line["bookedAt"],
      }));
      expect(withoutRest).toEqual(
        bookings.map(({ kind, direction, amount, pointOfServiceID, sessionID, merchantReferences, bookedAt }) => ({
          kind,
          direction,
          amount,
          pointOfServiceID,
          sessionID,
          orderId: merchantReferences?.orderId ?? "",
          bookedAt,
        })),
      );
      expect(withoutRest.map(({ orderId }) => orderId)).toEqual(expect.arrayContaining(hostile));
      expect(ofRecord("total").map((line) => Number(line["amountMinorUnits"]) / 100)).toEqual(
        totals.map(({ amount }) => amount),
      );
      expect(lines.at(-1)).toMatchObject({ record: "day", status: "open", count: String(bookings.length) });
    },
  );

  it("is read page by page, as JSON and as a file, by filters and in the list of settlements", async () => {
    for (let i = 0; i < 3; i++) await takes(today);
    const whole = await settlement(today);
    const path = `/settlements/${today}`;
    const lines: Line[] = [];
    for (let page = await send<SettlementObject>("GET", `${path}?limit=2`); ;) {
      expect(page.status).toBe(200);
      lines.push(...page.body.bookings);
      const { next, totals } = page.body;
      expect(totals).toEqual(next === undefined ? whole.totals : undefined);
      if (next === undefined) break;
      page = await send("GET", `${path}?limit=2&after=${next}`);
    }
    expect(lines).toEqual(whole.bookings);

    let csv = "";
    for (let url: string | undefined = `${stack.baseUrl}${path}/file?limit=3`; url !== undefined;) {
      const page: Response = await fetch(url, { headers });
      csv += await page.text();
      const [, next] = /^<(.*)>; rel="next"$/.exec(page.headers.get("link") ?? "") ?? [];
      url = next && new URL(next, url).href;
    }
    expect(csv).toBe(await text(today, "csv"));

    const { bookings } = (await send<SettlementObject>("GET", `${path}?pointOfServiceID=${till.pointOfServiceID}`))
      .body;
    expect(bookings).toEqual(whole.bookings.filter((line) => line.pointOfServiceID === till.pointOfServiceID));
    expect(await refused("GET", `${path}?after=${today}`)).toMatchObject({ body: { errors: [{ field: "after" }] } });
    const listed = await send<{ settlements: object[] }>("GET", "/settlements");
    expect(listed.body.settlements).toContainEqual({ date: today, status: "open" });
    expect(await refused("GET", "/settlements?from=2026-11-02&to=2026-11-01")).toMatchObject({ status: 422 });
  });

  it("of a day long past is closed, and stays the same", async () => {
    // A day with bookings is over in every time zone only at noon UTC, and a terminal names none before yesterday.
    const longPast = utcDay(40);
    expect(await settlement(longPast)).toMatchObject({ date: longPast, status: "closed", bookings: [] });
    expect(await text(longPast, "csv")).toBe(await text(longPast, "csv"));
  });

  it("is refused for an invalid day, and for an unknown format", async () => {
    for (const path of ["/settlements/yesterday", "/settlements/yesterday/file"])
      expect(await refused("GET", path)).toMatchObject({ status: 422, body: { code: "validation_failed" } });
  });
});
