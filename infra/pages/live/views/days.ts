/** The business day that a terminal closes next, as it has counted it. */
export interface CountedDay {
  /** `2026-11-21`. */
  readonly businessDay: string;
  /** By currency. */
  readonly totals: readonly MinorTotals[];
}

/** What a terminal counted in one currency; sums are minor units. */
export interface MinorTotals {
  readonly currency: string;
  readonly captures: number;
  readonly captured: number;
  readonly refunds: number;
  readonly refunded: number;
  readonly reversals: number;
  readonly reversed: number;
}

/** A terminal's business day, as the platform has compared it with its books. */
export interface DayView {
  readonly terminalId: string;
  /** `2026-11-21`. */
  readonly businessDay: string;
  readonly status: string;
  /** Until when a difference is not final. */
  readonly graceEndsAt?: number;
  /** How terminal and books differ, a line for each difference. */
  readonly differences: readonly string[];
}
