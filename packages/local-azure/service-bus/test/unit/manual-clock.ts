import type { Clock } from "../../due-times.ts";

export interface ManualClock extends Clock {
  /** Moves the time forward. Alarms on the way ring at their own time. */
  advance(milliseconds: number): void;
  pendingAlarms(): number;
}

/** A clock that moves only when a test moves it. */
export function manualClock(start = Date.UTC(2026, 0, 1)): ManualClock {
  let now = start;
  const alarms = new Set<{ readonly time: number; readonly ring: () => void }>();
  return {
    now: () => now,
    alarm: (time, ring) => {
      const alarm = { time, ring };
      alarms.add(alarm);
      return () => alarms.delete(alarm);
    },
    pendingAlarms: () => alarms.size,
    advance: (milliseconds) => {
      const end = now + milliseconds;
      for (;;) {
        const [next] = [...alarms].filter(({ time }) => time <= end).toSorted((a, b) => a.time - b.time);
        if (!next) break;
        alarms.delete(next);
        now = Math.max(now, next.time);
        next.ring();
      }
      now = end;
    },
  };
}
