import type { PaymentEvent } from "../record/events.ts";
import type { Payment, PaymentState, Refund } from "../record/payment.ts";
import { again, to, type Rule } from "./rules.ts";

// *Restoring* is the second dimension of the table of transitions. A payment or a refund is restoring until the terminal has answered the
// status query that a restore sent. The terminal went on after the export. It may have approved, captured or voided what the books still
// hold as pending. Restoring is not a status: partners and terminals do not see it. Everything that it changes is in this file.

/** The states of an open payment that is restoring. A restore leads only to these. */
type RestoringState = "reconciling" | "authorized" | "captureRequested" | "voidRequested";

/** The platform was restored from an export. The terminal is queried before anything else is handed out to it. */
export const restoredTo = (state: RestoringState): Rule =>
  again(state, { reason: "outcomeUnknown", sends: "firstStatusQuery", arms: "doubt" });

/** An approval counts as in time unless the books hold a cancel. Only the restore made it late. */
const approved = [
  to("captured", { captures: "authorized", when: ["capture is automatic", "no cancel is remembered"] }),
  to("authorized", { when: ["no cancel is remembered"] }),
];
const captured = to("captured", { captures: "requested" });
const voided = [to("voided", { when: ["every charge is closed"] }), again("voidRequested", {})];
/** The terminal holds the authorization, as the books do. */
const held = to("authorized");
/** The terminal has no capture. It is not handed out again, because its partner may have withdrawn it in the lost time. */
const undelivered = to("authorized", { reason: "captureNotDelivered" });

/** Only the answer to the query is a transition, by this rule. */
interface ByAnswer {
  readonly byAnswer: Rule;
}

/**
 * Rules take precedence over those of the table. `waits`: the event is not a transition until the query is answered. Until then a partner
 * is refused and may repeat its request, the answer sets the deadline again, and a report is only recorded. The answer itself does not
 * wait.
 */
type Cell = Rule | readonly Rule[] | ByAnswer | "waits";
type Row = Readonly<Partial<Record<PaymentEvent, Cell>>>;

/** The meaning of an event for a restoring payment. If a row lacks the event, the table of transitions decides alone. */
const restoring: Readonly<Record<RestoringState, Row>> = {
  reconciling: {
    // *Still running* may be older than the outcome.
    accepted: "waits",
    stillRunning: "waits",
    authorized: approved,
    captured,
    voided,
  },
  authorized: {
    // The money is neither captured nor given back until the platform knows where it is.
    capture: "waits",
    cancel: "waits",
    captureOverdue: "waits",
    authorized: held,
    captureFailed: held,
    voidFailed: held,
    captured,
    voided,
  },
  // A failure may come from an earlier try, and an approval may be repeated.
  captureRequested: { voided, authorized: { byAnswer: undelivered }, captureFailed: { byAnswer: undelivered } },
  voidRequested: { captured },
};

/** The cell of a state and event. Undefined if restoring changes nothing. */
export const restoringCell = (state: PaymentState, event: PaymentEvent): Cell | undefined =>
  (restoring as Readonly<Partial<Record<PaymentState, Row>>>)[state]?.[event];

/** The rules that only a restoring payment has for a state and event, in the order in which they are tried. */
export function restoringRules(state: PaymentState, event: PaymentEvent): readonly Rule[] {
  const cell = restoringCell(state, event);
  if (cell === undefined || cell === "waits") return [];
  return "byAnswer" in cell ? [cell.byAnswer] : [cell].flat();
}

/** Whether an event is not a transition yet. If only the query's answer decides, the answer to the awaited message decides too. */
function waits(cell: Cell | undefined, { query, rows }: Books): boolean {
  if (query !== "unanswered" || cell === undefined) return false;
  return cell === "waits" || ("byAnswer" in cell && rows);
}

/** How far the books can be trusted when an event arrives for a payment or a refund. */
export interface Books {
  /** The state of a restore's query. `answered`: this report answers it. */
  readonly query: "none" | "unanswered" | "answered";
  /** Whether the rules of the restoring rows come first. */
  readonly rows: boolean;
  /** The most that a terminal may have captured. `authorized`: the books may have lost the request of the capture. */
  readonly capturesUpTo: "requested" | "authorized";
  /** Whether an approval of another amount is kept, with an alert. The books may have lost what explains the amount. */
  readonly keepsUnexplained: boolean;
  /** Whether a charge that the books lack may be the payment's own, if they have none. */
  readonly mayLackCharge: boolean;
  /** The outcome of a refund that the terminal reports as failed. `waits`: the report may be older than the refund. */
  readonly failedRefund: "ends" | "waits";
}

const current = {
  rows: false,
  capturesUpTo: "requested",
  keepsUnexplained: false,
  mayLackCharge: false,
  failedRefund: "ends",
} as const;
const restored = {
  rows: true,
  capturesUpTo: "authorized",
  keepsUnexplained: true,
  mayLackCharge: true,
  failedRefund: "waits",
} as const;

/** How far the books can be trusted, by what the event answers. `current`: the payment is not restoring. */
export const books = {
  current: { query: "none", ...current },
  unanswered: { query: "unanswered", ...restored },
  // An answer to the awaited message is certain, even before the query is answered.
  answersAwaited: { query: "unanswered", ...current },
  answersQuery: { query: "answered", ...restored, failedRefund: "ends" },
} as const satisfies Record<string, Books>;

/** A payment, or a refund with the message that requests it. Either may be restoring. */
interface Restorable extends Pick<Payment, "restored"> {
  readonly awaiting?: { readonly sequence: number } | undefined;
}

/**
 * How far a payment's books can be trusted when an event arrives.
 *
 * @param answered the sequence of the command whose message the event answers. Undefined if it is unknown, or if the event is not a report
 */
export function booksOf({ restored, awaiting }: Restorable, answered?: number): Books {
  if (restored === undefined) return books.current;
  if (answered === undefined) return books.unanswered;
  if (answered === restored) return books.answersQuery;
  return answered === awaiting?.sequence ? books.answersAwaited : books.unanswered;
}

/** The same for a refund, which awaits the answer to its own message. */
export const booksOfRefund = ({ restored, sequence }: Refund, answered: number | undefined): Books =>
  booksOf({ restored, awaiting: { sequence } }, answered);

/** The rules that precede the table of transitions for a payment and event, often none. `waits`: the event is not a transition yet. */
export function beforeTable(payment: Payment, event: PaymentEvent, answered?: number): readonly Rule[] | "waits" {
  const worth = booksOf(payment, answered);
  if (waits(restoringCell(payment.status, event), worth)) return "waits";
  return worth.rows ? restoringRules(payment.status, event) : [];
}

/** The payment or refund after a report. A report that answers the query ends the restoring. */
export const afterAnswer = <Subject extends Pick<Payment, "restored">>(subject: Subject, { query }: Books): Subject =>
  query === "answered" ? { ...subject, restored: undefined } : subject;
