import { describe, expect, it } from "vitest";
import { rangeOf, whyNoTime } from "../../../shared/domain/payment/record/payment-query.ts";
import { isDay, momentOf } from "../../../shared/domain/time.ts";

const midnight = (day: string) => `${day}T00:00:00.000Z`;

describe("the times of a list", () => {
  it.each([
    ["a day", { day: "2026-11-21" }, [midnight("2026-11-21"), midnight("2026-11-22")]],
    ["days", { from: "2026-02-01", to: "2026-02-28" }, [midnight("2026-02-01"), midnight("2026-03-01")]],
    ["one day twice", { from: "2026-12-31", to: "2026-12-31" }, [midnight("2026-12-31"), midnight("2027-01-01")]],
    [
      "moments",
      { from: "2026-11-21T10:00:00Z", to: "2026-11-21T10:00:00.5Z" },
      ["2026-11-21T10:00:00.000Z", "2026-11-21T10:00:00.500Z"],
    ],
    ["31 days", { from: "2026-01-01", to: "2026-01-31" }, [midnight("2026-01-01"), midnight("2026-02-01")]],
    ["from alone", { from: "2026-01-30" }, [midnight("2026-01-30"), midnight("2026-03-02")]],
  ])("are %s", (_, named, [from, before]) => {
    expect(rangeOf(named)).toEqual({ ok: true, value: { from, before } });
  });

  it("may be left out", () => {
    expect(rangeOf({})).toEqual({ ok: true, value: undefined });
  });

  it.each([
    ["day", { day: "2026-11-21", from: "2026-11-21" }],
    ["day", { day: "2026-11-21", to: "2026-11-21" }],
    ["to", { to: "2026-11-21" }],
    ["to", { from: "2026-11-21", to: "2026-11-20" }],
    ["to", { from: "2026-11-21T10:00:00Z", to: "2026-11-21T10:00:00Z" }],
    ["to", { from: "2026-01-01", to: "2026-02-01" }],
    ["to", { from: "2026-01-01", to: "2026-02-01T00:00:00.001Z" }],
  ])("are refused by the name of %s: %o", (field, named) => {
    expect(rangeOf(named)).toMatchObject({ ok: false, error: { code: "validation_failed", errors: [{ field }] } });
  });

  it.each([
    ["2026-11-21T10:30:00Z", "10:30:00.000"],
    ["2026-11-21T10:30:00.5Z", "10:30:00.500"],
    ["Java's Instant", "2026-11-21T10:30:00.123456789Z", "10:30:00.124"],
    ['.NET\'s "o"', "2026-11-21T10:30:00.1230000Z", "10:30:00.123"],
    ['.NET\'s "u"', "2026-11-21 10:30:00Z", "10:30:00.000"],
    ["Go's RFC3339Nano", "2026-11-21T11:30:00.000000001+01:00", "10:30:00.001"],
    ["Python's isoformat", "2026-11-21T10:30:00.000123+00:00", "10:30:00.001"],
    ["PHP's DATE_ATOM", "2026-11-21T05:00:00-05:30", "10:30:00.000"],
    ["a query that lost its plus", "2026-11-21T11:30:00 01:00", "10:30:00.000"],
    ["lower case", "2026-11-21t10:30:00z", "10:30:00.000"],
    ["another day in UTC", "2026-11-22T00:29:59.9+14:00", "10:29:59.900"],
    ["a leap second", "2026-11-21T10:29:60Z", "10:30:00.000"],
  ])("may be written as %s", (...row) => {
    const [written = "", time] = row.slice(-2);
    expect(momentOf(written)).toBe(`2026-11-21T${time}Z`);
    expect(rangeOf({ from: written })).toMatchObject({ ok: true, value: { from: `2026-11-21T${time}Z` } });
  });

  it.each([
    "2026-02-30",
    "2026-13-01",
    "2026-02-30T10:00:00Z",
    "2026-11-21T24:00:00Z",
    "2026-11-21T10:60:00Z",
    "2026-11-21T10:00Z",
    "2026-11-21T10:00:00.1234567890Z",
    "2026-11-21T10:00:00.Z",
    "2026-11-21T10:00:00+24:00",
    "2026-11-21T10:00:00+0100",
    "0000-01-01T00:00:00+01:00",
    "9999-12-31T23:00:00-02:00",
    "21.11.2026",
    " 2026-11-21",
    "+02026-11-21",
  ])("are not %s", (text) => {
    expect(whyNoTime(text)).toContain("must be a day");
    expect(isDay(text)).toBe(false);
  });

  it('must have an offset, as .NET\'s "s" has not', () => {
    expect(whyNoTime("2026-11-21T10:00:00")).toBe("has no offset: add Z or an offset such as +01:00");
    expect(whyNoTime("2026-11-21T10:00:00.123456")).toContain("has no offset");
  });

  it("distinguish a day from a time", () => {
    expect([isDay("2028-02-29"), isDay("2026-11-21T10:00:00Z")]).toEqual([true, false]);
  });
});
