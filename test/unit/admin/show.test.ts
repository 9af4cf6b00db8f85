import { describe, expect, it } from "vitest";
import { shownResult } from "../../../infra/operator/admin/show.ts";

describe("the readable form of a result", () => {
  it("is a table with aligned columns, empty where a member is undefined, and nested values in short", () => {
    const rows = [
      { id: "a", status: undefined, amounts: { authorized: 125.5, captured: undefined } },
      { id: "bcd", status: "captured", scopes: ["payments", "refunds"] },
    ];
    expect(shownResult(rows, {})).toBe(
      [
        "id   status    amounts           scopes",
        "a              authorized=125.5",
        "bcd  captured                    payments, refunds",
      ].join("\n"),
    );
  });

  it("is a table of the columns that the command names, as far as its rows have them", () => {
    expect(shownResult([{ a: 1, b: 2, c: 3 }], { columns: ["c", "a", "none"] })).toBe("c  a\n3  1");
  });

  it("is a table that fits a terminal, with its last column on separate lines", () => {
    const rows = [{ id: "a", now: `${"x".repeat(30)} ${"y".repeat(30)} z` }];
    expect(shownResult(rows, {}, 45)).toBe(`id  now\na   ${"x".repeat(30)}\n    ${"y".repeat(30)} z`);
    expect(shownResult(rows, {}, 30)).toBe(shownResult(rows, {}));
  });

  it("is a line for each member of a record, with its lists as tables", () => {
    const record = { id: "a", none: undefined, charges: [{ chargeID: "c", status: "captured" }], empty: [] };
    expect(shownResult(record, {})).toBe("id       a\ncharges\n  chargeID  status\n  c         captured\nempty");
  });

  it("is records one below the other, if the command requests it", () => {
    expect(shownResult([{ a: 1 }, { a: 2 }], { as: "records" })).toBe("a  1\n\na  2");
  });

  it("is a sentence if there is nothing, and a text unchanged", () => {
    expect(shownResult([], {})).toBe("There are none.");
    expect(shownResult("two\nlines", {})).toBe("two\nlines");
  });

  it("cannot control the operator's terminal", () => {
    expect(shownResult([{ text: "\u001b[2J\u0007gone" }], {})).toBe("text\n [2J gone");
  });
});
