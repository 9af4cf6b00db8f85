import { expect, it } from "vitest";
import { effectId } from "../../../shared/domain/effects.ts";
import { retentionTable } from "../../../shared/domain/retention.ts";
import { after } from "../../../shared/domain/time.ts";
import { commandsDue, UNMARKED_DAYS } from "../../../shared/use-cases/feed/events-due.ts";
import { aCommand, at, paymentOf } from "./a-feed.ts";

const days = (count: number) => after(at, count * 86_400);
const aged = (sequence: number, daysAgo: number) =>
  aCommand(paymentOf(1), sequence, ["one", "other"], { at: days(-daysAgo) });
const all = [aged(5, 1), aged(1, 40), aged(2, 29), aged(3, 10), aged(4, 2)];
const due = (sequence: number, commands = all) => {
  const command = commands.find((one) => one.sequence === sequence);
  if (!command) throw new Error("no command");
  const others = commands.filter((one) => one !== command);
  return commandsDue({ subject: paymentOf(1), command, others }, at).map((one) => one.sequence);
};

it("the events due are those of the command and of the earlier ones, in the order of the changes", () => {
  expect(due(4)).toEqual([2, 3, 4]);
  expect(due(3)).toEqual([2, 3]);
});

it("an earlier command has events due until one of its webhooks is done, and only if it was committed with any", () => {
  const [, , second, ...others] = all;
  if (!second) throw new Error("no command");
  const done = { ...second, done: second.effects.slice(1).map(effectId) };
  const without = aCommand(paymentOf(1), 1, []);
  const aborted = aCommand(paymentOf(1), 0, ["one"], { state: "aborted" });
  expect(due(4, [...others, without, aborted, second])).toEqual([2, 3, 4]);
  expect(due(4, [...others, without, aborted, done])).toEqual([3, 4]);
});

it("an earlier command has events due if its partner made the change, which is not sent", () => {
  const own = aCommand(paymentOf(1), 1, []);
  const effect = { kind: "feedEntry", type: "payment.captureRequested", eventId: "own" } as const;
  const entered = { ...own, effects: [effect], done: [effectId(effect)] };
  expect(due(4, [...all.slice(2), { ...own, effects: [effect] }])).toEqual([1, 2, 3, 4]);
  expect(due(4, [...all.slice(2), entered])).toEqual([2, 3, 4]);
});

it("an earlier command is at most as old as one whose mark may be purged, and the command itself may be older", () => {
  expect(due(2)).toEqual([2]);
  expect(due(1)).toEqual([1]);
  expect(UNMARKED_DAYS).toBeLessThan(retentionTable.events.least);
});
