/** How long things may take, in seconds. Settings, so that a test can live through a deadline. (Decisions: Payments, Terminals) */
export interface Timings {
  /** From creation until the terminal must have accepted. */
  readonly acceptanceSeconds: number;
  /** From creation until the platform cancels what is not paid, where the request does not say. */
  readonly expirySeconds: number;
  /** From a cancel until the terminal must have answered. */
  readonly answerSeconds: number;
  /** From a capture, void or refund until silence is looked into. */
  readonly outcomeSeconds: number;
  /** From authorization until what is not captured is voided. */
  readonly captureSeconds: number;
  /** Until a void that failed is tried again. */
  readonly retryVoidSeconds: number;
  /** How long a partner has to answer an action request. */
  readonly actionSeconds: number;
  /** How long an announced command may still be committed, between two enqueued times of the broker. */
  readonly commitWindowSeconds: number;
  /** How long a message handed to a terminal is not handed out again. */
  readonly leaseSeconds: number;
  /** How long a terminal may be silent before it counts as offline. */
  readonly offlineAfterSeconds: number;
  /** How often at most a terminal's heartbeat is written. */
  readonly heartbeatSeconds: number;
}

export const standardTimings: Timings = {
  acceptanceSeconds: 30,
  expirySeconds: 120,
  answerSeconds: 60,
  outcomeSeconds: 600,
  captureSeconds: 36 * 3600,
  retryVoidSeconds: 6 * 3600,
  actionSeconds: 120,
  commitWindowSeconds: 30,
  leaseSeconds: 10,
  offlineAfterSeconds: 45,
  heartbeatSeconds: 15,
};
