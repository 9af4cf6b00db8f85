import { describe, expect, it } from "vitest";
import { toSettlementFile } from "../../../shared/contracts/objects/settlement-file.ts";
import { bookingKinds, totalsOf, type Booking } from "../../../shared/domain/booking.ts";
import { aBooking } from "../../support/a-booking.ts";
import { fc } from "../../support/drawn.ts";

/** Reads RFC 4180 text by its grammar. Records end with CRLF, and only quoted text may contain commas and line breaks. */
function parsed(text: string): string[][] {
  const records: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const record: string[] = [];
    for (;;) {
      let value = "";
      if (text[at] === '"') {
        for (at++; ; at++) {
          if (at >= text.length) throw new Error("a quotation mark is open at the end");
          if (text[at] !== '"') value += text[at];
          else if (text[at + 1] === '"') value += text[at++];
          else break;
        }
        at++;
      } else {
        while (at < text.length && text[at] !== "," && text[at] !== "\r") {
          if (text[at] === '"' || text[at] === "\n") throw new Error(`a bare ${JSON.stringify(text[at])} at ${at}`);
          value += text[at++];
        }
      }
      record.push(value);
      if (text[at] !== ",") break;
      at++;
    }
    if (text.slice(at, at + 2) !== "\r\n") throw new Error(`a record ends without CRLF at ${at}`);
    at += 2;
    records.push(record);
  }
  return records;
}

/** The file's lines as objects by the names of its columns. */
function linesOf(bookings: readonly Booking[], isClosed = true): Readonly<Record<string, string>>[] {
  const totals = totalsOf(bookings);
  const page = { isFirst: true, next: undefined, totals };
  const file = toSettlementFile({ date: "2026-11-21", isClosed, bookings, ...page });
  const [names = [], ...records] = parsed(file);
  for (const record of records) expect(record).toHaveLength(names.length);
  return records.map((record) => Object.fromEntries(names.map((name, i) => [name, record[i] ?? ""])));
}

/** A cell's text as a reader sees it: an apostrophe before the text does not belong to it. */
const read = (cell = ""): string => (cell.startsWith("'") ? cell.slice(1) : cell);

const naughty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 64 }),
  fc
    .array(fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", '"', "'", ",", ";", " ", "1", "A1", "＝"), {
      maxLength: 12,
    })
    .map((parts) => parts.join("")),
  fc.constantFrom(
    '=HYPERLINK("http://evil.example","x")',
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "-2+3",
    "\t=1",
    " =1",
    "'=1",
    "''",
    "\r\nbooking,2026-11-21",
  ),
);

describe("a settlement's file", () => {
  it("has every text unchanged, on a line of its booking, and none that a spreadsheet would run", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ orderId: naughty, paymentId: naughty }), { maxLength: 8 }), (references) => {
        const bookings = references.map((names, sequence) => aBooking({ ...names, sequence }));
        const lines = linesOf(bookings).filter(({ record }) => record === "booking");
        expect(lines).toHaveLength(bookings.length);
        for (const [i, line] of lines.entries()) {
          expect(line["sequence"]).toBe(String(i));
          expect(read(line["orderId"])).toBe(bookings[i]?.orderId);
          expect(read(line["paymentId"])).toBe(bookings[i]?.paymentId);
          for (const value of Object.values(line)) expect(value).not.toMatch(/^\s*[=+\-@＝＋－＠]/u);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("has totals that add up to its bookings, and a last line that counts them", () => {
    const money = fc.record({
      kind: fc.constantFrom(...bookingKinds),
      currency: fc.constantFrom("SEK", "EUR", "JPY"),
      amount: fc.integer({ min: 1, max: 999_999_999_999 }),
      isCredit: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(money, { maxLength: 30 }), fc.boolean(), (moved, isClosed) => {
        const bookings = moved.map(({ isCredit, ...more }) =>
          aBooking({ ...more, direction: isCredit ? "credit" : "debit" }),
        );
        const lines = linesOf(bookings, isClosed);
        expect(lines.at(-1)).toMatchObject({
          record: "day",
          status: isClosed ? "closed" : "open",
          count: String(bookings.length),
        });
        const totals = lines.filter(({ record }) => record === "total");
        for (const { currency, kind, direction, amountMinorUnits, count } of totals) {
          const own = lines.filter(
            (line) =>
              line["record"] === "booking" &&
              line["currency"] === currency &&
              line["kind"] === kind &&
              line["direction"] === direction,
          );
          expect(count).toBe(String(own.length));
          expect(amountMinorUnits).toBe(String(own.reduce((sum, line) => sum + Number(line["amountMinorUnits"]), 0)));
        }
        expect(totals.reduce((sum, { count }) => sum + Number(count), 0)).toBe(bookings.length);
      }),
    );
  });
});
