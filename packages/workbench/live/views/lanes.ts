export const lanes = ["partner", "gateway", "function", "queue", "worker", "terminal", "webhook"] as const;
export type Lane = (typeof lanes)[number];

/** One bar of the swim-lane picture. */
export interface LaneItem {
  readonly id: string;
  readonly lane: Lane;
  readonly from: number;
  /** Undefined until it ends. Equal to `from` for an item without length. */
  readonly to: number | undefined;
  readonly title: string;
  readonly detail?: string;
  readonly hasFailed: boolean;
  /** A deadline that waits for its time, or the worker's run of a deadline whose reason had passed. */
  readonly isTimer?: boolean;
  /** The item that caused it. */
  readonly cause?: string;
}
