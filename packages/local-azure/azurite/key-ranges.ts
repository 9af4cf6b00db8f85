import type { KeyRange } from "./sorted-table.ts";

/** The part of Azurite's parsed `$filter` that this file reads. */
export interface FilterNode {
  readonly name: string;
  readonly left?: FilterNode;
  readonly right?: FilterNode;
  /** The name of a property. */
  readonly identifier?: string;
  /** The value of a constant. */
  readonly value?: unknown;
}

/** The bounds of the keys that a matching row can have. */
export interface KeyRanges {
  readonly partitions: KeyRange;
  readonly rows: KeyRange;
}

/** The same comparison with its sides exchanged. */
const mirrored: Readonly<Record<string, string>> = { eq: "eq", ge: "le", gt: "lt", le: "ge", lt: "gt" };

/**
 * The ranges of keys that can match a filter. They come from the comparisons of `PartitionKey` and `RowKey` with a text that must all hold.
 * Other parts of a filter narrow nothing, and a bound is included even if the filter excludes it. Azurite's own filter then decides about
 * each row.
 */
export function keyRanges(filter: FilterNode | undefined): KeyRanges {
  const all = filter ? conjuncts(filter).flatMap(comparison) : [];
  return { partitions: narrowed(all, "PartitionKey"), rows: narrowed(all, "RowKey") };
}

const conjuncts = (node: FilterNode): FilterNode[] =>
  node.name === "and" && node.left && node.right ? [...conjuncts(node.left), ...conjuncts(node.right)] : [node];

interface Comparison {
  readonly key: string;
  readonly operator: string;
  readonly text: string;
}

function comparison({ name, left, right }: FilterNode): Comparison[] {
  const opposite = mirrored[name];
  if (opposite === undefined || !left || !right) return [];
  const isText = (node: FilterNode) => node.name === "constant" && typeof node.value === "string";
  if (left.name === "id" && isText(right))
    return [{ key: String(left.identifier), operator: name, text: String(right.value) }];
  if (right.name === "id" && isText(left))
    return [{ key: String(right.identifier), operator: opposite, text: String(left.value) }];
  return [];
}

/** The narrowest bounds of all comparisons of a key. */
function narrowed(comparisons: readonly Comparison[], key: string): KeyRange {
  const texts = (...operators: readonly string[]) =>
    comparisons.filter((one) => one.key === key && operators.includes(one.operator)).map(({ text }) => text);
  return { from: highest(texts("eq", "ge", "gt")), to: lowest(texts("eq", "le", "lt")) };
}

const highest = (texts: readonly string[]): string | undefined =>
  texts.length === 0 ? undefined : texts.reduce((a, b) => (a > b ? a : b));

const lowest = (texts: readonly string[]): string | undefined =>
  texts.length === 0 ? undefined : texts.reduce((a, b) => (a < b ? a : b));
