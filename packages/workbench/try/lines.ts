import type { TimelineObject } from "../../../shared/contracts/objects/timeline.ts";

/** An event of a payment. */
export interface Happening {
  /** Milliseconds since the payment was requested. */
  readonly ms: number;
  readonly who: TimelineObject["entries"][number]["by"] | "webhook";
  readonly event: string;
  readonly text: string;
}

/** The lines of a payment, from several sources. */
export interface Lines {
  tell(happening: Happening): void;
  /** Whether an event with this name was told. */
  has(event: string): boolean;
  /** Shows every line that still waits. */
  flush(): void;
}

/** A line waits this long for earlier ones from other sources. */
const HOLD_MS = 500;

/** Shows lines in the order of their times, if each is told at most `HOLD_MS` after a later one. */
export function newLines(show: (happening: Happening) => void): Lines {
  const told = new Set<string>();
  let waiting: readonly Happening[] = [];
  const showUntil = (ms: number) => {
    const due = waiting.filter((line) => line.ms <= ms).toSorted(inOrder);
    waiting = waiting.filter((line) => line.ms > ms);
    due.forEach(show);
  };
  return {
    tell(happening) {
      told.add(happening.event);
      waiting = [...waiting, happening];
      setTimeout(() => {
        if (waiting.includes(happening)) showUntil(happening.ms);
      }, HOLD_MS).unref();
    },
    has: (event) => told.has(event),
    flush: () => showUntil(Infinity),
  };
}

/** An alert has the time of the change that raised it, and follows it. */
const inOrder = (one: Happening, other: Happening): number =>
  one.ms - other.ms || Number(one.event === "alert") - Number(other.event === "alert");
