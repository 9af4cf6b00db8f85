import { describe, expect, it } from "vitest";
import { isDayOrMoment, rangeOf } from "../../../shared/domain/payment/record/payment-query.ts";
import { isDay, monthsBetween } from "../../../shared/domain/time.ts";

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
    "2026-02-30",
    "2026-13-01",
    "2026-11-21T24:00:00Z",
    "2026-11-21T10:00:00",
    "2026-11-21T10:00Z",
    "21.11.2026",
    " 2026-11-21",
    "2026-11-21T10:00:00+01:00",
    "+02026-11-21",
  ])("are not %s", (text) => {
    expect(isDayOrMoment(text)).toBe(false);
    expect(isDay(text)).toBe(false);
  });

  it("distinguish a day from a time", () => {
    expect([isDay("2028-02-29"), isDay("2026-11-21T10:00:00Z")]).toEqual([true, false]);
    expect(isDayOrMoment("2026-11-21T23:59:59.999Z")).toBe(true);
  });
});

describe("months between two times", () => {
  it.each([
    [midnight("2026-11-01"), midnight("2026-12-01"), ["2026-11"]],
    [midnight("2026-11-30"), "2026-12-01T00:00:00.001Z", ["2026-11", "2026-12"]],
    [midnight("2027-12-31"), midnight("2028-01-02"), ["2027-12", "2028-01"]],
    ["2026-01-30T12:00:00.000Z~s1~c1", midnight("2026-03-02"), ["2026-01", "2026-02", "2026-03"]],
    [midnight("2026-11-02"), midnight("2026-10-01"), []],
  ])("from %s before %s", (from, before, months) => {
    expect(monthsBetween(from, before)).toEqual(months);
  });
});
