/** Durations in seconds, used where no setting overrides them. (API behaviour: Payments, Terminals) */
export const standardTimings = {
  /** From creation until the terminal must have accepted. */
  acceptanceSeconds: 30,
  /** From creation until the platform cancels a payment without an approval, where the request names no time. */
  expirySeconds: 120,
  /** From a cancel until the terminal must have answered. */
  answerSeconds: 60,
  /** From creation until a terminal's report that it has accepted the payment, or still runs it, no longer ends a doubt. */
  stillRunningSeconds: 3600,
  /** From a capture, void or refund until a missing answer is acted on. */
  outcomeSeconds: 600,
  /** From the first doubt about an outcome until an operator is called. */
  doubtSeconds: 24 * 3600,
  /** From authorization until an uncaptured payment is voided. */
  captureSeconds: 36 * 3600,
  /** From authorization until the acquirer no longer holds the money: a void that has not succeeded by then is not tried again. */
  authorizationSeconds: 30 * 24 * 3600,
  /** From a failed void until the next try. */
  retryVoidSeconds: 6 * 3600,
  /** How long an approved payment marks other payments of its order as possible duplicates. */
  orderHorizonSeconds: 7 * 24 * 3600,
  /** How long a partner has to respond to an action request. */
  actionSeconds: 120,
  /** How long an announced command may still be committed, measured between two enqueued times of the broker. */
  commitWindowSeconds: 30,
  /** How long a message handed to a terminal is not handed out again. */
  leaseSeconds: 10,
  /** How long a terminal may be silent before it counts as offline. */
  offlineAfterSeconds: 45,
  /**
   * The shortest time in which one process writes a terminal's heartbeat twice. What remains until `offlineAfterSeconds` is for
   * reconnecting.
   */
  heartbeatSeconds: 30,
} as const;

/** Durations in seconds. They are settings, so that a test can wait for a deadline. */
export type Timings = { readonly [Name in keyof typeof standardTimings]: number };
