/** The business day that a terminal closes next, with the terminal's own totals. */
export interface CountedDay {
  /** `2026-11-21`. */
  readonly businessDay: string;
  /** By currency. */
  readonly totals: readonly MinorTotals[];
}

/** A terminal's totals in one currency. Sums are minor units. */
export interface MinorTotals {
  readonly currency: string;
  readonly captures: number;
  readonly captured: number;
  readonly refunds: number;
  readonly refunded: number;
  readonly reversals: number;
  readonly reversed: number;
}

/** A terminal's business day, with the platform's comparison with its books. */
export interface DayView {
  readonly terminalId: string;
  /** `2026-11-21`. */
  readonly businessDay: string;
  readonly status: string;
  /** When the grace time ends. Until then a difference is not final. */
  readonly graceEndsAt?: number;
  /** The differences between terminal and books, one line each. */
  readonly differences: readonly string[];
}
