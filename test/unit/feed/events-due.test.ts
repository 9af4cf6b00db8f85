import { expect, it } from "vitest";
import { retentionTable } from "../../../shared/domain/retention.ts";
import { after } from "../../../shared/domain/time.ts";
import { eventsDue, UNMARKED_DAYS } from "../../../shared/use-cases/feed/events-due.ts";
import { aCommand, at, paymentOf } from "./a-feed.ts";

const days = (count: number) => after(at, count * 86_400);
const aged = (sequence: number, daysAgo: number) => aCommand(paymentOf(1), sequence, ["one"], { at: days(-daysAgo) });
const due = (sequence: number, mark: { sequence: number; number: number } | undefined, now = at) => {
  const all = [aged(5, 1), aged(1, 40), aged(2, 29), aged(3, 10), aged(4, 2)];
  const command = all.find((one) => one.sequence === sequence);
  if (!command) throw new Error("no command");
  return eventsDue(command, all, { mark, now }).map((one) => one.sequence);
};

it("due events begin after the mark and end with the command, in the order of the changes", () => {
  expect(due(4, { sequence: 1, number: 9 })).toEqual([2, 3, 4]);
  expect(due(4, { sequence: 3, number: 9 })).toEqual([4]);
  expect(due(4, { sequence: 4, number: 9 })).toEqual([]);
  expect(due(3, { sequence: 5, number: 9 })).toEqual([]);
});

it("the due events of a subject without a mark are at most as old as a purged mark could be, except for the command itself", () => {
  expect(due(4, undefined)).toEqual([2, 3, 4]);
  expect(due(1, undefined)).toEqual([1]);
  expect(UNMARKED_DAYS).toBeLessThan(retentionTable.events.least);
});
