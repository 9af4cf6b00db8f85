import type { AlertKind } from "./alert.ts";

/**
 * The detail of an alert after its cause is over. Stored effects and alerts are recognised by these words, so they
 * never change.
 */
export const mendedDetail = {
  dayDiffers: "the day is closed: terminal and books are equal",
  dayMissing: "the totals have come",
  captureWaits: "the terminal has fetched the capture",
} as const satisfies Partial<Record<AlertKind, string>>;

/** Whether a cause of an alert is really its end. It is stored as any other cause, and wakes no operator. */
export const isMended = (kind: AlertKind, detail: string | undefined): boolean =>
  detail !== undefined && kind in mendedDetail && mendedDetail[kind as keyof typeof mendedDetail] === detail;
