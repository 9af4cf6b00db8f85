import { array, assert, boolean, integer, property, record } from "fast-check";
import { expect, it } from "vitest";
import { Heap } from "../../heap.ts";
import { seed } from "../seed.ts";

/** Removes all values, from the top. */
function drained<T>(heap: Heap<T>): T[] {
  const values: T[] = [];
  for (let node = heap.peek(); node; node = heap.peek()) {
    values.push(node.value);
    heap.remove(node);
  }
  return values;
}

it("gives values up in order, equals in order of arrival, without those that were removed", () => {
  const items = array(record({ order: integer({ min: 0, max: 9 }), removed: boolean() }));
  assert(
    property(items, (given) => {
      const heap = new Heap<number>();
      const nodes = given.map(({ order }, arrival) => heap.push(arrival, order));
      for (const [arrival, node] of nodes.entries()) if (given[arrival]?.removed) heap.remove(node);
      const expected = given
        .map(({ order, removed }, arrival) => ({ order, removed, arrival }))
        .filter(({ removed }) => !removed)
        .toSorted((a, b) => a.order - b.order);
      expect(drained(heap)).toEqual(expected.map(({ arrival }) => arrival));
    }),
    { seed },
  );
});

it("does not mind a node that has left already", () => {
  const heap = new Heap<string>();
  const gone = heap.push("gone", 1);
  heap.push("kept", 2);
  heap.remove(gone);
  heap.remove(gone);
  expect(drained(heap)).toEqual(["kept"]);
});
