import { expect, it } from "vitest";
import { oneEachTurn } from "../../settling.ts";

it("settles messages in order, never two in one turn, and each with its own outcome", async () => {
  const settling = oneEachTurn();
  const turns: number[] = [];
  let turn = 0;
  let counting = true;
  const count = () => {
    turn++;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  const outcomes = await Promise.allSettled([
    settling(async () => turns.push(turn)),
    settling(() => Promise.reject(new Error("the lock is lost"))),
    settling(async () => turns.push(turn)),
  ]);
  counting = false;
  expect(outcomes.map((o) => o.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(turns[1]).toBeGreaterThan(turns[0] ?? Infinity);
});
