import { expect, it } from "vitest";
import { eachOf } from "../../../shared/use-cases/each-of.ts";

const items = Array.from({ length: 40 }, (_, i) => i);

it("each item is processed, at most sixteen at the same time, with the results in the items' order", async () => {
  let [underWay, most] = [0, 0];
  const results = await eachOf(items, async (item) => {
    most = Math.max(most, ++underWay);
    for (let turn = 0; turn < 40 - item; turn++) await Promise.resolve(); // a later item ends earlier
    underWay--;
    return item * 2;
  });
  expect(results).toEqual(items.map((item) => item * 2));
  expect(most).toBe(16);
});

it("no further items are processed after sixteen if one of them is enough", async () => {
  const enough = (item: number) => item === 17;
  expect(await eachOf(items, async (item) => item, enough)).toEqual(items.slice(0, 32));
  expect(await eachOf([], async (item) => item, enough)).toEqual([]);
});

it("an error ends it before the next sixteen", async () => {
  const begun: number[] = [];
  const failing = eachOf(items, async (item) => {
    begun.push(item);
    if (item === 3) throw new Error("item 3");
  });
  await expect(failing).rejects.toThrow("item 3");
  expect(begun).toEqual(items.slice(0, 16));
});
