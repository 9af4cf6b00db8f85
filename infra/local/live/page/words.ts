// The page's words for a payment's states and reasons, and the colours that go with them.

export type Tone = "good" | "bad" | "warn" | "busy" | "plain";

export interface StateWords {
  readonly label: string;
  readonly tone: Tone;
  /** No more money moves but by a refund. */
  readonly isFinal: boolean;
  /** What it means, and what comes next. */
  readonly means: string;
}

const words = (label: string, tone: Tone, isFinal: boolean, means: string): StateWords => ({
  label,
  tone,
  isFinal,
  means,
});

const states: ReadonlyMap<string, StateWords> = new Map(
  Object.entries({
    pending: words("pending", "busy", false, "On its way to the terminal, which has not accepted it yet."),
    inProgress: words("in progress", "busy", false, "The terminal has it. The customer may pay."),
    cancelRequested: words(
      "cancel requested",
      "busy",
      false,
      "The terminal is asked to stop. A card may still be first.",
    ),
    reconciling: words(
      "reconciling",
      "warn",
      false,
      "How it ended is not known yet. The platform asks, and never guesses.",
    ),
    authorized: words("authorized", "good", false, "Approved. The money is held until it is captured or cancelled."),
    captureRequested: words(
      "capture requested",
      "busy",
      false,
      "The terminal is asked to take the money that is held.",
    ),
    captured: words("captured", "good", true, "Paid. All or part of it can be refunded."),
    voidRequested: words("void requested", "busy", false, "The terminal is asked to let go of the money that is held."),
    voided: words("voided", "plain", true, "The card had been approved, and the money was let go. Nothing was paid."),
    cancelled: words("cancelled", "plain", true, "It was cancelled. Nothing was paid."),
    declined: words("declined", "bad", true, "The card was declined. Nothing was paid."),
    expired: words("expired", "bad", true, "Its time was over. Nothing was paid."),
    failed: words("failed", "bad", true, "It could not be carried out. Nothing was paid."),
  }),
);

/** The words for a payment's state. One that the page does not know is shown as it is. */
export const wordsOf = (status: string): StateWords => states.get(status) ?? words(status, "plain", false, "");

const days: ReadonlyMap<string, StateWords> = new Map(
  Object.entries({
    open: words("open", "plain", false, "Money was booked on it. The terminal has not closed it yet."),
    comparing: words("comparing", "busy", false, "The terminal's totals are here, and are compared with the books."),
    closed: words("closed", "good", true, "Terminal and books are equal."),
    differs: words("differs", "bad", false, "Terminal and books are not equal: an operator is called."),
    missing: words("missing", "warn", false, "The terminal did not close it in time: an operator is called."),
  }),
);

/** The words for the state of a terminal's business day. One that the page does not know is shown as it is. */
export const wordsOfDay = (status: string): StateWords => days.get(status) ?? words(status, "plain", false, "");

const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries({
    terminalBusy: "The terminal has another payment.",
    possibleDuplicate: "It looks like another payment of the same order.",
    terminalUnreachable: "The terminal did not fetch it in time.",
    terminalRefused: "The terminal did not begin it.",
    terminalReported: "The terminal says so.",
    cancelledByPartner: "The shop cancelled it.",
    cancelledByCustomer: "The customer cancelled it.",
    deadlinePassed: "Its time was over.",
    lateApproval: "The card was approved after the cancel.",
    amountMismatch: "The terminal approved another amount.",
    outcomeUnknown: "The terminal has not said how it ended.",
    captureFailed: "The capture failed.",
    captureNotDelivered: "The capture did not reach the terminal.",
    voidFailed: "The void failed.",
    voidNotDelivered: "The void did not reach the terminal.",
    notCaptured: "It was not captured in time.",
    settledByOperator: "An operator settled it.",
  }),
);

/** The sentence for a `statusReason`; undefined for none, and the reason itself where the page has no sentence for it. */
export const reasonText = (reason: string | undefined): string | undefined =>
  reason === undefined ? undefined : (reasons.get(reason) ?? reason);
