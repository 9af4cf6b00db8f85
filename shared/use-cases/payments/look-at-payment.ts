import type { OverdueMessage } from "../../domain/payment/reports/overdue.ts";
import type { Change } from "../../domain/payment/life/advance.ts";
import { earliestLook } from "../../domain/payment/life/deadlines.ts";
import type { DecisionContext } from "../../domain/payment/life/decision.ts";
import { isUnfetched, waitOf } from "../../domain/payment/life/waits.ts";
import type { Payment } from "../../domain/payment/record/payment.ts";
import {
  type AtTerminal,
  isWaiting,
  lookAfterwards,
  overdue,
  overdueBy,
  overdueMessage,
} from "../../domain/payment/reports/overdue.ts";
import { ok } from "../../domain/result.ts";
import type { Instant } from "../../domain/time.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { PaymentKey } from "../../ports/subjects.ts";
import type { InboxRow } from "../../stores/inboxes.ts";
import { callAboutWait } from "../alerts/long-waits.ts";
import type { RaiseAlertDeps } from "../alerts/raise-alert.ts";
import { messageOf, openMessages, taking } from "../terminals/open-messages.ts";
import { retryOnConflict } from "../outbox/retry-on-conflict.ts";
import type { Directly } from "../outbox/committed-command.ts";
import type { Outcome } from "../outbox/outcome.ts";
import { amendPayment, type AmendPaymentDeps } from "./amend-payment.ts";
import type { Taking } from "../../stores/payments.ts";
import type { Needs } from "../needs.ts";

export type LookAtPaymentDeps = AmendPaymentDeps & RaiseAlertDeps & Needs<"inboxes" | "terminals">;

/** The payment's terminal, as it was read. */
interface Reading {
  readonly open: readonly InboxRow[];
  readonly isRetired: boolean;
}

/** A look at a payment, as it was announced. */
export interface Look {
  readonly key: PaymentKey;
  /** The moment of the look. */
  readonly at: Instant;
  /** The sequence of the change that announced it. Undefined if that change was certainly committed. */
  readonly sequence?: number | undefined;
}

/**
 * Looks at the payment that an announcement names. No command is read: once the payment has reached the sequence of the announced change, it
 * shows by itself what it awaits. That change was then committed, or never can be. Undefined if the announcement is not a look.
 */
export function lookAnnounced(
  deps: LookAtPaymentDeps & Needs<"clock" | "newId">,
  { subject, sequence, at, traceparent }: Announcement,
): Directly | undefined {
  if (at === undefined || subject.kind !== "payment") return undefined;
  const call = { now: deps.clock.now, newId: deps.newId, traceparent };
  return () => lookAtPayment(deps, call, { key: subject, at, sequence });
}

/**
 * Acts on the first deadline up to a moment, and asks for a look at the next one. A look is due when it is delivered, so no clocks are
 * compared. The change takes the deadline's message if the terminal has not fetched it, or if its try is over. While a message only waits
 * for its terminal, the payment is not written. An operator is called about a capture that has waited for a day. If the terminal was
 * retired, the message waits no longer. Nearly every look comes after its payment has ended, and reads nothing else.
 *
 * Undefined if the payment has not reached the sequence of the look, or if there is none.
 */
export async function lookAtPayment(
  deps: LookAtPaymentDeps,
  call: CallContext,
  { key, at, sequence = 0 }: Look,
): Promise<Outcome | undefined> {
  const isTooEarly = (payment: Payment): boolean => payment.sequence < sequence;
  const looked = await amendPayment<never, Reading | undefined>(deps, call, {
    key,
    isLook: true,
    async read(finding) {
      const payment = await finding();
      if (!payment || isTooEarly(payment)) return undefined;
      const first = earliestLook(payment, deps.timings);
      return first !== undefined && first <= at ? readTerminal(deps, payment) : undefined;
    },
    decide: (payment, context, { read }) => ok(read ? actedOn(payment, at, context, read) : "unchanged"),
  });
  if (!looked.ok || isTooEarly(looked.value.payment)) return undefined;
  const { payment, replayed, read } = looked.value;
  if (!read) return lookLater(earliestLook(payment, deps.timings));
  const terminal = atTerminal(read);
  const { captureWaits } = payment;
  const isCaptureWaiting = payment.deadlines.some(
    (one) => one.about === undefined && isWaiting(payment, one, terminal),
  );
  if (captureWaits && isCaptureWaiting) await retryOnConflict(() => callAboutWait(deps, payment, captureWaits, at));
  const next = lookAfterwards(payment, { at, isChanged: !replayed }, terminal, deps);
  return next ? { lookAt: next } : "implied";
}

const lookLater = (lookAt: Instant | undefined): Outcome => (lookAt === undefined ? "pointless" : { lookAt });

/** The change by the first deadline up to a moment, with the message that it takes. */
function actedOn(
  payment: Payment,
  at: Instant,
  context: DecisionContext,
  read: Reading,
): (Change & Taking) | "unchanged" {
  const terminal = atTerminal(read);
  const deadline = overdueBy(payment, at, context, terminal);
  if (!deadline) return "unchanged";
  const about = overdueMessage(payment, deadline, context);
  const message = about && messageOf(read.open, about.sequence);
  const isWithdrawn = message !== undefined && isUnfetched(payment, message);
  const change = overdue(payment, deadline, isWithdrawn, context) ?? "unchanged";
  return taking(change, message && isTaken(about, message, isWithdrawn) ? [message] : []);
}

/** Whether the terminal is retired matters only to a message that waits for it. */
async function readTerminal(deps: LookAtPaymentDeps, payment: Payment): Promise<Reading> {
  const isWaiting = payment.deadlines.some((deadline) => waitOf(payment, deadline));
  const [open, terminal] = await Promise.all([
    openMessages(deps, payment),
    isWaiting ? deps.terminals.findKey(payment.terminalId) : undefined,
  ]);
  return { open, isRetired: isWaiting && !terminal };
}

const atTerminal = ({ open, isRetired }: Reading): AtTerminal => ({
  messageOf: (sequence) => messageOf(open, sequence),
  isRetired,
});

/** Whether the change takes the message of its deadline. */
function isTaken({ act }: OverdueMessage, { state }: InboxRow, isWithdrawn: boolean): boolean {
  if (act === "giveUp") return true;
  return act === "withdraw" ? isWithdrawn : state === "fetched";
}
