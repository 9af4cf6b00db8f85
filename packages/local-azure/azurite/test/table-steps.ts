import { fc } from "../../common/test/drawn.ts";

// Writes to tables and queries of them, with few keys, so that steps use each other's rows.

/** The content of a row. */
export interface Properties {
  readonly v?: number;
  readonly text?: string;
}
export interface Query {
  readonly filter: string | undefined;
  readonly top: number | undefined;
}

const key = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom("", "a", "a'b", "A", "2", "10", "1a", "é", "e\u0301", "𝒳", "\uffee", "~", "slot~1"),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 4, unit: "binary" }) },
);
const properties: fc.Arbitrary<Properties> = fc.record(
  { v: fc.integer({ min: 0, max: 3 }), text: key },
  { requiredKeys: [] },
);

type Kind = "insert" | "replace" | "upsert" | "merge" | "delete";
const change = (rowKey: fc.Arbitrary<string>) =>
  fc.record({
    kind: fc.constantFrom<Kind>("insert", "insert", "replace", "upsert", "merge", "delete"),
    RowKey: rowKey,
    properties,
    /** The condition of a write: the present ETag, none, or an ETag that never existed. */
    condition: fc.constantFrom("current", "any", "stale"),
  });
export type Change = typeof change extends (of: never) => fc.Arbitrary<infer T> ? T : never;

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const operator = fc.constantFrom("eq", "ne", "ge", "gt", "le", "lt");
const comparison = fc.oneof(
  fc
    .tuple(fc.constantFrom("PartitionKey", "RowKey", "text"), operator, key, fc.boolean())
    .map(([name, is, text, first]) => (first ? `${name} ${is} ${quoted(text)}` : `${quoted(text)} ${is} ${name}`)),
  fc.tuple(operator, fc.integer({ min: 0, max: 3 })).map(([is, v]) => `v ${is} ${v}`),
  fc.constantFrom("PartitionKey eq RowKey", "RowKey ge 2", "PartitionKey eq guid'a'", "RowKey eq 10L", "true"),
);
const { filter } = fc.letrec<{ filter: string }>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    comparison,
    fc
      .tuple(tie("filter"), fc.constantFrom("and", "and", "or"), tie("filter"))
      .map(([a, is, b]) => `(${a}) ${is} (${b})`),
    fc.tuple(tie("filter"), tie("filter")).map(([a, b]) => `${a} and ${b}`),
    tie("filter").map((one) => `not (${one})`),
  ),
}));
const query: fc.Arbitrary<Query> = fc.record({
  filter: fc.oneof(filter, fc.constantFrom(undefined, "", "true", "false", "no filter at all (", "1 eq 1")),
  top: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
});
const strange = fc.option(
  key.map((text) => Buffer.from(text).toString("base64")),
  { nil: undefined },
);

/** One call of a store of tables. */
export const anyStep = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("write" as const), PartitionKey: key, change: change(key) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("batch" as const),
      PartitionKey: key,
      changes: fc.uniqueArray(change(key), { selector: ({ RowKey }) => RowKey, maxLength: 5 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("read" as const), PartitionKey: key, RowKey: key }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("query" as const), query }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("from" as const), query, partition: strange, row: strange }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("begin anew" as const) }) },
);
export type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;
