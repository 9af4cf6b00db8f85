import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { newChanges, type Change } from "../../start/watch.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const later = () => vi.advanceTimersByTimeAsync(1_000);

it("treats changes in quick succession as one", async () => {
  const act = vi.fn<(change: Change) => Promise<void>>(() => Promise.resolve());
  const changes = newChanges(act, () => {});
  changes.note("one.ts");
  await vi.advanceTimersByTimeAsync(10);
  changes.note("other.ts");
  await later();
  expect(act.mock.calls.map(([{ files }]) => [...files])).toEqual([["one.ts", "other.ts"]]);
});

it("acts again after a change during an action, once, when that is over", async () => {
  const over = Promise.withResolvers<void>();
  const act = vi.fn<(change: Change) => Promise<void>>(() => over.promise);
  const changes = newChanges(act, () => {});
  changes.note("one.ts");
  await later();
  changes.note("one.ts");
  await later();
  changes.note("one.ts");
  await later();
  expect(act).toHaveBeenCalledTimes(1);
  over.resolve();
  await later();
  expect(act).toHaveBeenCalledTimes(2);
});

it("continues after an action that failed, and reports it", async () => {
  const told: string[] = [];
  const act = vi.fn<(change: Change) => Promise<void>>(() => Promise.reject(new Error("the disk is full")));
  const changes = newChanges(act, (sentence) => told.push(sentence));
  changes.note("one.ts");
  await later();
  changes.note("one.ts");
  await later();
  expect(told).toEqual(["Error: the disk is full", "Error: the disk is full"]);
});

it("does nothing after its end", async () => {
  const act = vi.fn<(change: Change) => Promise<void>>(() => Promise.resolve());
  const changes = newChanges(act, () => {});
  changes.note("one.ts");
  changes.end();
  await later();
  expect(act).not.toHaveBeenCalled();
});
