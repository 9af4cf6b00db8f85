import { describe, expect, it } from "vitest";
import type { Command } from "../../../infra/operator/admin/command.ts";
import { alert } from "../../../infra/operator/admin/commands/alert.ts";
import { audit } from "../../../infra/operator/admin/commands/audit.ts";
import { listPayments } from "../../../infra/operator/admin/commands/payment-list.ts";
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

  it("is a table that fits a terminal, with its longest column on more lines, or below its rows", () => {
    const rows = [{ id: "a", now: `${"x".repeat(30)} ${"y".repeat(30)} z`, end: "b" }];
    const [xs, ys] = ["x".repeat(30), `${"y".repeat(30)} z`];
    expect(shownResult(rows, {}, 45)).toBe(`id  ${"now".padEnd(36)}  end\na   ${xs.padEnd(36)}  b\n    ${ys}`);
    expect(shownResult(rows, {}, 38)).toBe(
      `id  end\na   b\n    now  ${xs}\n         ${ys.replace(" ", `\n${" ".repeat(9)}`)}`,
    );
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

const uuid = "5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10";
const at = "2026-11-21T10:00:00.000Z";
const now =
  "Till 3 of Café Kassa: The charge of 125.50 SEK on visa ···· 4242 (8c7e3e22) is being reversed, since 2026-11-21T10:00:00Z. (raised 2026-11-21T10:00Z)";
const command = `npm run admin -- payment resolve --partner ${uuid} --session ${uuid} --charge charge-2 --outcome reversed --why "<text>"`;
const toDo = `Wait first: the platform reverses the charge. If it fails, \`npm run admin -- terminal show ${uuid}\` says why.`;
const paid = { sessionID: uuid, status: "captureRequested", statusReason: "captureNotDelivered", updatedAt: at };

/** Results as the commands have them. */
const results: Readonly<Record<string, readonly [result: unknown, command?: Command | undefined]>> = {
  "audit list": [
    [
      {
        at,
        by: `ada on vm, ada@example.com, identity ${uuid}`,
        command: "partner onboard",
        about: `terminals=3 new partnerID=${uuid} new keyID=0f3a91c2d4e5b6a7`,
        outcome: "broke off",
      },
      { at, by: "ada on vm", command: "setup", about: "", outcome: "done" },
    ],
    audit.commands[0],
  ],
  "alert list": [[{ alert: "contradictingReport", name: uuid, now }], alert.commands[0]],
  "alert show": [
    [
      {
        alert: "unwantedApproval",
        partnerID: uuid,
        means: now,
        toDo,
        cause: now,
        actions: [{ command }, { command }],
        changes: [{ sequence: 4, at, by: "terminal", detail: now }],
      },
    ],
    alert.commands[1],
  ],
  "payment list": [
    [{ ...paid, amount: "0.00 of 125.50 SEK", waitsFor: "2 effects", terminal: "Till 3 of Café Kassa, Stora torget" }],
    listPayments,
  ],
};

describe.each(Object.entries(results))("the result of %s", (_, [result, of = {}]) => {
  it.each([80, 100, 160])("fits a terminal of %i columns, except words and commands, and is not cut", (width) => {
    const lines = shownResult(result, of, width).split("\n");
    const tooLong = lines.filter((line) => line.length > width).map((line) => line.trim());
    for (const line of tooLong) expect(line).toMatch(/^(?:command {2})?npm run admin -- |^`npm run admin/);
    const words = (text: string) => text.split(/\s+/).filter(Boolean).toSorted();
    const whole = words(shownResult(result, of));
    const missing = whole.filter((word) => !words(lines.join("\n")).includes(word));
    expect(missing).toEqual([]);
    for (const copied of shownResult(result, of).match(/`?npm run admin -- .*?(?:`|$)/gm) ?? [])
      expect(lines.some((line) => line.includes(copied))).toBe(true);
  });

  it("has each row and member on one line if it goes into a file", () => {
    const rows = (result as readonly object[]).length;
    const text = shownResult(result, of);
    if ("as" in of) for (const value of [now, toDo, command]) expect(text).toContain(value);
    else expect(text.split("\n")).toHaveLength(1 + rows);
  });
});
