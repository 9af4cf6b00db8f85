import { describe, expect, it } from "vitest";
import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";
import type { Rows } from "../../../shared/ports/rows.ts";
import { eachTable } from "../../../shared/stores/stores.ts";
import { tracedTables } from "../../../shared/adapters/tracing/traced-tables.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { among, inATrace, recordSpans, TRACE_ID } from "./recorded-spans.ts";

const spans = recordSpans();
const { named, outer } = among(spans);

describe("tables", () => {
  const insert = (rowKey: string) => ({ kind: "insert", rowKey, columns: {} }) as const;
  const tables = () => tracedTables(eachTable(() => inMemoryRows()));

  it("have a span for each call, with the kinds of its rows but without its keys", async () => {
    const { accessTokens } = tables();
    await inATrace(async () => {
      await accessTokens.submit("code~5ecret", [insert("code~5ecret"), insert("token")]);
      await accessTokens.get("code~5ecret", "code~5ecret");
      await accessTokens.withPrefix("code~5ecret", "code~");
    });
    expect(named("group AccessTokens")).toMatchObject({
      kind: "client",
      traceId: TRACE_ID,
      parentId: outer(),
      failed: false,
      attributes: { "db.collection.name": "AccessTokens", "payment.rows": ["insert code", "insert token"] },
    });
    expect(spans().map(({ name }) => name)).toEqual([
      "group AccessTokens",
      "get AccessTokens",
      "query AccessTokens",
      "outer",
    ]);
    expect(JSON.stringify(spans())).not.toContain("5ecret");
  });

  it("have none outside a trace, and the bells' have none at all", async () => {
    const { terminals, bells } = tables();
    await terminals.get("t", "payment~session~now");
    await inATrace(() => bells.withPrefix("bells", "ringer~"));
    expect(spans().map(({ name }) => name)).toEqual(["outer"]);
  });

  it("name only the class of an error, and a conflict as an outcome", async () => {
    const failing = (error: Error): Rows => ({
      ...inMemoryRows(),
      async get() {
        throw error;
      },
    });
    for (const error of [new Unavailable("the account's 5ecret"), new Conflict("EntityAlreadyExists")]) {
      const { terminals } = tracedTables(eachTable(() => failing(error)));
      await inATrace(async () => expect(terminals.get("t", "payment~session~now")).rejects.toBe(error));
    }
    const [away, conflict] = spans().filter(({ name }) => name === "get Terminals");
    expect(away).toMatchObject({ failed: true, attributes: { "error.type": "Unavailable" } });
    expect(conflict).toMatchObject({ failed: false, attributes: { "payment.outcome": "conflict" } });
    expect(JSON.stringify(spans())).not.toContain("5ecret");
  });
});
