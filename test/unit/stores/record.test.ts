import { expect, it } from "vitest";
import * as z from "zod";
import { toColumns } from "../../../shared/stores/record.ts";
import { fc } from "../../support/drawn.ts";
import { stored } from "./stored.ts";

const dataOf = (record: unknown): string[] =>
  Object.entries(toColumns(record)).flatMap(([name, value]) => (name.startsWith("data") ? [String(value)] : []));

const text = z.object({ text: z.string() });
const unit = fc.constantFrom("😀", "😀", "😀", "😀", "a", "\ud83d", "\ude00", "\u2028");
const aroundCut = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 10, max: 30 }), fc.string({ unit, minLength: 30 }))
  .map(([cut, before, characters]) => ({ text: "x".repeat(cut * 30_000 - before) + characters }));

it("splits any text into columns, and joins it unchanged", () => {
  fc.assert(
    fc.property(aroundCut, (record) => {
      expect(stored(record, text)).toStrictEqual(record);
      for (const column of dataOf(record)) {
        expect(column.length).toBeLessThanOrEqual(32 * 1024);
        expect(column.isWellFormed()).toBe(true);
      }
    }),
  );
});

it("cuts before an astral character, never within it", () => {
  const json = (before: number) => ({ text: `${"x".repeat(before)}😀` });
  const head = '{"text":"'.length;
  expect(dataOf(json(29_998 - head)).map((column) => column.length)).toEqual([30_000, 2]);
  expect(dataOf(json(29_999 - head)).map((column) => column.length)).toEqual([29_999, 4]);
  expect(dataOf(json(30_000 - head)).map((column) => column.length)).toEqual([30_000, 4]);
});

it("escapes line separators and lone surrogates", () => {
  const record = { text: "a\u2028b\u2029c\ud83dd\ude00" };
  expect(dataOf(record)).toEqual([String.raw`{"text":"a\u2028b\u2029c\ud83dd\ude00"}`]);
  expect(stored(record, text)).toStrictEqual(record);
});

it("refuses a record that does not fit one row", () => {
  expect(() => toColumns({ text: "x".repeat(16 * 30_000) })).toThrow("does not fit one row");
});
