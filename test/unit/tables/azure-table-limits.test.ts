import { expect, it } from "vitest";
import { inMemoryRows } from "../../support/in-memory-rows.ts";

const insert = (rowKey: string, columns: Record<string, string> = {}) => ({ kind: "insert", rowKey, columns }) as const;
const many = <One>(count: number, one: (i: number) => One): One[] => Array.from({ length: count }, (_, i) => one(i));
const filled = (properties: number, length: number) =>
  Object.fromEntries(many(properties, (i) => [`p${i}`, "x".repeat(length)]));

it.each([
  ["101 operations", "p", many(101, (i) => insert(String(i)))],
  ["a row twice", "p", [insert("r"), insert("r")]],
  ["a slash in a row's key", "p", [insert("a/b")]],
  ["a control character in a partition's key", "p\u0085", [insert("r")]],
  ["a key of 513 characters", "p", [insert("k".repeat(513))]],
  ["253 properties", "p", [insert("r", filled(253, 1))]],
  ["a property of more than 64 KiB", "p", [insert("r", filled(1, 32_769))]],
  ["a property that begins with a digit", "p", [insert("r", { "1st": "" })]],
  ["an entity of more than 1 MiB", "p", [insert("r", filled(17, 32_000))]],
  ["a group of more than 4 MiB", "p", many(5, (i) => insert(String(i), filled(16, 32_000)))],
])("a test in memory fails if it writes what Azure refuses: %s", async (_, partitionKey, operations) => {
  await expect(inMemoryRows().submit(partitionKey, operations)).rejects.toThrow("Azure refuses this");
});

it("and not if it writes as much as Azure takes", async () => {
  const rows = inMemoryRows();
  const largest = [insert("k".repeat(512), filled(16, 32_000)), ...many(99, (i) => insert(String(i)))];
  await rows.submit("p", largest);
  await rows.submit("q", [insert("r", filled(252, 1)), insert("s", filled(1, 32_768))]);
  expect(await rows.withPrefix("q", "")).toHaveLength(2);
});
