import { expect, it } from "vitest";
import type { RecordedEntry } from "../../../shared/stores/payments.ts";
import { alertsOf } from "../../chaos/checker.ts";

const entry = (sequence: number, event: RecordedEntry["event"], more: Partial<RecordedEntry> = {}): RecordedEntry => ({
  sequence,
  at: "2026-01-02T03:04:05.000Z",
  by: "platform",
  event,
  to: "voidRequested",
  ...more,
});
const late = [1, 2, 3, 4].map((sequence) => entry(sequence, "reversalOverdue"));
const given = entry(6, "reversalFailed", { alerts: [{ kind: "reversalFailed", about: "a charge" }] });

it.each([
  ["late", late, []],
  ["refused by its terminal once", [...late, entry(5, "voidFailed", { by: "terminal" })], [expect.any(String)]],
])("a reversal that failed, and was %s, may or may not have raised an alert", (_, tries, complaints) => {
  const history = [...tries, given];
  expect(alertsOf({ payment: { terminalId: "perfect" }, history }, new Set(["perfect"]))).toEqual(complaints);
});

it.each([
  ["before", 1, [expect.any(String)]],
  ["after", 3, []],
])("a terminal may contradict an operator: a report %s the decision", (_, sequence, complaints) => {
  const history = [
    entry(2, "settledPaid", { by: "operator", to: "captured" }),
    entry(sequence, "notStarted", { by: "terminal", alerts: [{ kind: "contradictingReport" }] }),
  ];
  expect(alertsOf({ payment: { terminalId: "perfect" }, history }, new Set(["perfect"]))).toEqual(complaints);
});
