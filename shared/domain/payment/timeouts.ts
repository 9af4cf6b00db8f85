import type { Deadline } from "../effects.ts";
import type { Payment, PaymentState } from "./payment.ts";
import type { PaymentEvent } from "./transitions.ts";

/** Deadlines of payments; an action request has one of its own. */
type PaymentDeadline = Exclude<Deadline, "action">;

/** What silence means once a deadline is due. */
export interface Timeout {
  /** In any other state the deadline does nothing. */
  readonly in: readonly PaymentState[];
  /** It counts only for the command whose message the payment still awaits an answer to. */
  readonly ofAwaited?: true;
  /** The message that is taken back first, where the terminal has not fetched it; what was fetched may have reached a card. */
  readonly withdraws?: "request" | "awaited";
  /** What happens where the message was taken back. */
  readonly withdrawn?: PaymentEvent;
  /** What happens otherwise. */
  readonly overdue: PaymentEvent;
}

/** What happens to a payment when a deadline passes: the state machine's sister. */
export const timeouts: Readonly<Record<PaymentDeadline, Timeout>> = {
  acceptance: {
    in: ["pending"],
    withdraws: "request",
    withdrawn: "withdrawnByDeadline",
    overdue: "acceptanceOverdue",
  },
  expiry: { in: ["inProgress"], overdue: "expiryOverdue" },
  answer: { in: ["cancelRequested"], ofAwaited: true, overdue: "answerOverdue" },
  capture: { in: ["authorized"], overdue: "captureOverdue" },
  outcome: {
    in: ["captureRequested", "voidRequested"],
    ofAwaited: true,
    withdraws: "awaited",
    withdrawn: "messageWithdrawn",
    overdue: "outcomeOverdue",
  },
};

/** The timeout that a deadline of this command is to the payment as it stands; undefined where it comes too late to matter. */
export function timeoutOf(payment: Payment, deadline: Deadline, commandId: string): Timeout | undefined {
  if (deadline === "action") return undefined;
  const timeout = timeouts[deadline];
  const isCurrent = !timeout.ofAwaited || payment.awaiting?.commandId === commandId;
  return isCurrent && timeout.in.includes(payment.status) ? timeout : undefined;
}

/** The sequence of the message that a timeout takes back; undefined where it takes none. */
export const withdrawnSequence = ({ awaiting }: Payment, { withdraws }: Timeout): number | undefined =>
  withdraws === "request" ? 1 : withdraws && awaiting?.sequence;
