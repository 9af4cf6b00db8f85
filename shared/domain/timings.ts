/** How long things may take, in seconds, where no setting says otherwise. (Decisions: Payments, Terminals) */
export const standardTimings = {
  /** From creation until the terminal must have accepted. */
  acceptanceSeconds: 30,
  /** From creation until the platform cancels what is not paid, where the request does not say. */
  expirySeconds: 120,
  /** From a cancel until the terminal must have answered. */
  answerSeconds: 60,
  /** From creation until a terminal's word that it has accepted the payment, or that it still runs, no longer ends a doubt. */
  stillRunningSeconds: 3600,
  /** From a capture, void or refund until silence is looked into. */
  outcomeSeconds: 600,
  /** From the first doubt of an outcome until an operator is called. */
  doubtSeconds: 24 * 3600,
  /** From authorization until what is not captured is voided. */
  captureSeconds: 36 * 3600,
  /** From authorization until the acquirer no longer holds the money: what is still not voided then is tried no more. */
  authorizationSeconds: 30 * 24 * 3600,
  /** Until a void that failed is tried again. */
  retryVoidSeconds: 6 * 3600,
  /** How long an approved payment marks others of its order as possible duplicates. */
  orderHorizonSeconds: 7 * 24 * 3600,
  /** How long a partner has to answer an action request. */
  actionSeconds: 120,
  /** How long an announced command may still be committed, between two enqueued times of the broker. */
  commitWindowSeconds: 30,
  /** How long a message handed to a terminal is not handed out again. */
  leaseSeconds: 10,
  /** How long a terminal may be silent before it counts as offline. */
  offlineAfterSeconds: 45,
  /** How often at most each process writes a terminal's heartbeat. What is left until it counts as offline is for reconnecting. */
  heartbeatSeconds: 30,
} as const;

/** How long things may take, in seconds. Settings, so that a test can live through a deadline. */
export type Timings = { readonly [Name in keyof typeof standardTimings]: number };
