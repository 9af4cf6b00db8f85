/** A duration in seconds: its standard value, used unless a setting overrides it, and what it bounds. */
interface Timing {
  readonly standard: number;
  readonly means: string;
}

/** The durations by name. (API behaviour: Payments, Terminals) */
export const timingTable = {
  acceptanceSeconds: { standard: 30, means: "From creation until the terminal must have accepted." },
  expirySeconds: {
    standard: 120,
    means:
      "From creation until the platform cancels a payment without an approval, if the request does not set a time.",
  },
  answerSeconds: { standard: 60, means: "From a cancel until the terminal must have answered." },
  stillRunningSeconds: {
    standard: 3600,
    means:
      "How long after creation a terminal's report can end a doubt by saying that it accepted the payment or still runs it.",
  },
  outcomeSeconds: {
    standard: 600,
    means:
      "From the fetch of a capture or refund until the platform acts on a missing answer. Also how long a refund waits for the fetch, if its request does not say.",
  },
  doubtSeconds: { standard: 24 * 3600, means: "From the first doubt about an outcome until an operator is called." },
  captureSeconds: {
    standard: 36 * 3600,
    means: "From authorization until a payment is voided, if its partner has not asked to capture it.",
  },
  authorizationSeconds: {
    standard: 30 * 24 * 3600,
    means:
      "How long a void waits for its terminal to fetch it. Then it is withdrawn, and an operator is called. Also how long after its charge a capture waits.",
  },
  retryVoidSeconds: {
    standard: 6 * 3600,
    means:
      "From the first try of a void until the second. Each further pause doubles, and the last try has this long to be answered. After a failed capture the partner has at least this long for another.",
  },
  orderHorizonSeconds: {
    standard: 7 * 24 * 3600,
    means: "How long an approved payment marks other payments of its order as possible duplicates.",
  },
  actionSeconds: { standard: 120, means: "How long a partner has to respond to an action request." },
  dayTotalsSeconds: {
    standard: 12 * 3600,
    means:
      "From the end of a business day in UTC until an operator is called for a terminal that has not closed it. Also the longest wait for payments that are under way.",
  },
  dayGraceSeconds: {
    standard: 900,
    means: "From a terminal's totals until a difference from the books is final.",
  },
  commitWindowSeconds: {
    standard: 30,
    means: "How long an announced command may still be committed, measured between two enqueued times of the broker.",
  },
  leaseSeconds: { standard: 10, means: "How long a message that was handed to a terminal is not delivered again." },
  offlineAfterSeconds: { standard: 45, means: "How long a terminal may be silent before it counts as offline." },
  heartbeatSeconds: {
    standard: 30,
    means:
      "The shortest time between two writes of a terminal's heartbeat by one process. The rest until `OFFLINE_AFTER_SECONDS` is for reconnecting.",
  },
} as const satisfies Record<string, Timing>;

/** Durations in seconds. They are settings, so that a test can wait for a deadline. */
export type Timings = { readonly [Name in keyof typeof timingTable]: number };

export const standardTimings = Object.fromEntries(
  Object.entries(timingTable).map(([name, { standard }]) => [name, standard]),
) as Timings;
