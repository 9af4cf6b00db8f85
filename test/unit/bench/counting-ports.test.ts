import { describe, expect, it } from "vitest";
import { callsOfPayment } from "../../bench/calls.ts";
import { countingRows, type TableCall } from "../../bench/counting-ports.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import { kindOfRow } from "../../../shared/tables/row-kind.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";

function counted() {
  const calls: TableCall[] = [];
  return { calls, rows: countingRows("payments", inMemoryRows(), (call) => void calls.push(call)) };
}
const insert = (rowKey: string) => ({ kind: "insert", rowKey, columns: {} }) as const;

describe("rows that are counted", () => {
  it("tell each call by its method, the kinds of its rows and whether there was anything", async () => {
    const { calls, rows } = counted();
    await rows.get("p", "session");
    await rows.submit("p", [insert("session"), insert("history~000001")]);
    await rows.submit("p", [insert("report~1")]);
    await rows.withPrefix("p", "history~");
    const row = await rows.get("p", "session");
    await rows.remove("p", "session", row?.etag ?? "");
    expect(calls.map(({ method, keys, result }) => `${method} ${keys}: ${result}`)).toEqual([
      "get session: none",
      "group insert session, insert history: ok",
      "write insert report: ok",
      "query history…: ok",
      "get session: ok",
      "remove session: ok",
    ]);
  });

  it("count a call that was refused, and refuse as before", async () => {
    const { calls, rows } = counted();
    await rows.submit("p", [insert("session")]);
    await expect(rows.submit("p", [insert("session")])).rejects.toThrow(Conflict);
    await expect(rows.remove("p", "session", "another")).rejects.toThrow(Conflict);
    expect(calls.map(({ result }) => result)).toEqual(["ok", "refused", "refused"]);
  });

  it.each([
    ["session", "session"],
    ["command~1~2", "command"],
    ["terminal~claim", "terminal~claim"],
    ["terminal~", "terminal"],
  ])("name the kind of %s", (key, kind) => {
    expect(kindOfRow(key)).toBe(kind);
  });
});

describe("a payment that is counted", () => {
  it("has a step for each request and each message, and every message is delivered once", async () => {
    const steps = await callsOfPayment();
    const sends = steps.flatMap((step) => step.sends.map((send) => send.replace(/^[^:]*: /, "")));
    const delivered = steps.filter(({ deliveries }) => deliveries > 0);
    expect(delivered.map(({ step }) => step).toSorted()).toEqual(sends.toSorted());
    expect(delivered.every(({ deliveries }) => deliveries === 1)).toBe(true);
    expect(steps.filter(({ deliveries }) => deliveries === 0).map(({ step }) => step)).toEqual([
      "request",
      "fetch",
      "report accepted",
      "report authorized",
    ]);
    expect(steps.every(({ calls }) => calls.length > 0)).toBe(true);
  });
});
