import { percentile } from "../bench/statistics.ts";
import type { Phase, Rehearsal, Waits } from "./record.ts";

/** A payment that was acknowledged, in seconds since the day began. */
export interface PaymentTimes {
  readonly requestedAt: number;
  readonly acknowledgedAt: number;
  /** When the first webhook brought its partner the outcome; undefined where none did. */
  readonly outcomeAt: number | undefined;
  readonly tries: number;
}

/** A trouble and the time around it that belongs to it, in seconds since the day began. */
export interface Window {
  readonly from: number;
  readonly begins: number;
  readonly ends: number;
  readonly to: number;
}

/**
 * The payments that a slot's trouble met, and those of the slot before and after it. A payment meets a trouble that was there at any moment
 * between its request and its outcome.
 */
export function phasesOf(
  payments: readonly PaymentTimes[],
  window: Window,
): Record<"before" | "during" | "after", Phase> {
  const { from, begins, ends, to } = window;
  const endOf = ({ acknowledgedAt, outcomeAt = acknowledgedAt }: PaymentTimes) => outcomeAt;
  const met = (one: PaymentTimes) => one.requestedAt < ends && endOf(one) > begins;
  const began = (low: number, high: number) => (one: PaymentTimes) =>
    one.requestedAt >= low && one.requestedAt < high && !met(one);
  return {
    before: phaseOf(payments.filter(began(from, begins))),
    during: phaseOf(payments.filter(met)),
    after: phaseOf(payments.filter(began(ends, to))),
  };
}

function phaseOf(payments: readonly PaymentTimes[]): Phase {
  const outcomes = payments.flatMap(({ requestedAt, outcomeAt }) =>
    outcomeAt === undefined ? [] : [milliseconds(requestedAt, outcomeAt)],
  );
  return {
    payments: payments.length,
    repeats: payments.reduce((sum, { tries }) => sum + tries - 1, 0),
    untilAcknowledged: waitsOf(
      payments.map(({ requestedAt, acknowledgedAt }) => milliseconds(requestedAt, acknowledgedAt)),
    ),
    untilOutcome: waitsOf(outcomes),
  };
}

const milliseconds = (from: number, to: number): number => Math.round((to - from) * 1_000);

const waitsOf = (values: readonly number[]): Waits =>
  values.length === 0
    ? null
    : { p50: percentile(values, 50), p95: percentile(values, 95), p99: percentile(values, 99) };

/** The most parts into which a day is divided: each is a bar of the picture. */
const MOST_PARTS = 120;

/** The payments over time, by the moment at which they were acknowledged. */
export function overTime(payments: readonly PaymentTimes[], seconds: number): Rehearsal["over"] {
  const last = Math.max(seconds, ...payments.map(({ acknowledgedAt }) => acknowledgedAt));
  const length = Math.max(1, Math.ceil(last / MOST_PARTS));
  const parts = Array.from({ length: Math.floor(last / length) + 1 }, () => ({ payments: 0, longestWait: 0 }));
  for (const { requestedAt, acknowledgedAt } of payments) {
    const part = parts[Math.max(0, Math.floor(acknowledgedAt / length))];
    if (!part) continue;
    part.payments++;
    part.longestWait = Math.max(part.longestWait, milliseconds(requestedAt, acknowledgedAt));
  }
  return { seconds: length, parts };
}
