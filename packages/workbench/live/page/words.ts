import type { PaymentView } from "../views/payments.ts";

// The page's words and colours for the states of payments and days.

export type Tone = "good" | "bad" | "warn" | "busy" | "plain";

export interface StateWords {
  readonly label: string;
  readonly tone: Tone;
  /** No more money moves, except by a refund. */
  readonly isFinal: boolean;
  /** Its meaning, and what comes next. */
  readonly means: string;
  /** What frees the terminal. Absent if the payment does not hold its terminal. */
  readonly frees?: string;
}

const words = (label: string, tone: Tone, isFinal: boolean, means: string): StateWords => ({
  label,
  tone,
  isFinal,
  means,
});

/** The words for a state in which the payment holds its terminal. */
const holding = (label: string, tone: Tone, means: string, frees: string): StateWords => ({
  ...words(label, tone, false, means),
  frees,
});

const states: ReadonlyMap<string, StateWords> = new Map(
  Object.entries({
    pending: holding(
      "pending",
      "busy",
      "The terminal has not accepted it yet.",
      "The terminal is free when the payment ends. The shop can cancel it.",
    ),
    inProgress: holding(
      "in progress",
      "busy",
      "The terminal has accepted it. The customer can pay.",
      "The terminal is free when the customer has paid or cancelled. The shop can cancel the payment, too.",
    ),
    cancelRequested: holding(
      "cancel requested",
      "busy",
      "The terminal is asked to cancel it. A card may still be charged before that.",
      "The terminal is free when it reports the outcome.",
    ),
    reconciling: holding(
      "reconciling",
      "warn",
      "The outcome is not known yet. The platform asks the terminal, and never guesses.",
      "The terminal is free when it reports the outcome, or when an operator records it.",
    ),
    authorized: words("authorized", "good", false, "Approved. The money is held until it is captured or cancelled."),
    captureRequested: words("capture requested", "busy", false, "The terminal is asked to capture the money."),
    captured: words("captured", "good", true, "Paid."),
    voidRequested: words("void requested", "busy", false, "The terminal is asked to release the money."),
    voided: words("voided", "plain", true, "The card was approved, and the money was released."),
    cancelled: words("cancelled", "plain", true, "It was cancelled."),
    declined: words("declined", "bad", true, "The card was declined."),
    expired: words("expired", "bad", true, "It was not approved in time."),
    failed: words("failed", "bad", true, "It could not be carried out."),
  }),
);

/** The words for a payment's state. An unknown state is shown unchanged. */
export const wordsOf = (status: string): StateWords => states.get(status) ?? words(status, "plain", false, "");

/** The words for a payment, from its state and the merchant's money. */
export function standingOf(payment: PaymentView): StateWords {
  const state = { ...wordsOf(payment.status), ...emptied(payment), ...(payment.hasVoidFailed && voidFailed) };
  const means = [state.means, payment.money].filter(Boolean).join(" ");
  return { ...state, ...(payment.isInDoubt && { tone: "warn" }), means };
}

/** The words for a payment whose own charge the terminal did not give back. */
const voidFailed: Partial<StateWords> = {
  label: "void failed",
  tone: "bad",
  means: "The terminal did not release the money. An operator is called.",
};

/** The words for a captured payment if the merchant has no money left from it. */
function emptied({ status, held, refunded }: PaymentView): Partial<StateWords> {
  if (status !== "captured" || held > 0) return {};
  const label = refunded > 0 ? "refunded" : "returned";
  return { label, tone: "plain", means: `The money is ${label}.` };
}

/** The main amount of a payment: the captured amount, or the amount to pay if nothing is captured. */
export const amountOf = ({ status, amount, captured }: Pick<PaymentView, "status" | "amount" | "captured">): number =>
  status === "captured" || captured > 0 ? captured : amount;

const days: ReadonlyMap<string, StateWords> = new Map(
  Object.entries({
    open: words("open", "plain", false, "It has bookings, and the terminal has not closed it yet."),
    comparing: words(
      "comparing",
      "busy",
      false,
      "The terminal's totals have arrived, and are being compared with the books.",
    ),
    closed: words("closed", "good", true, "The terminal's totals equal the books."),
    differs: words("differs", "bad", false, "The terminal's totals differ from the books. An operator is called."),
    missing: words("missing", "warn", false, "The terminal did not close it in time. An operator is called."),
  }),
);

/** The words for the state of a terminal's business day. An unknown state is shown unchanged. */
export const wordsOfDay = (status: string): StateWords => days.get(status) ?? words(status, "plain", false, "");
