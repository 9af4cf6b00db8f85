import type { Change } from "../../domain/payment/life/advance.ts";
import { lookOf } from "../../domain/payment/life/deadlines.ts";
import { bookingsOf } from "../../domain/payment/life/bookings.ts";
import { dayOf } from "../../domain/time.ts";
import type { Timings } from "../../domain/timings.ts";
import { holdsTerminal, type Payment } from "../../domain/payment/record/payment.ts";
import type { CallContext } from "../../ports/clock.ts";
import { paymentSubjectOf } from "../../ports/subjects.ts";
import { book, type BookDeps } from "../bookings/book.ts";
import { announceAndCommit, type AnnounceDeps } from "../outbox/announce-and-commit.ts";
import { commandOf } from "../outbox/store-effects.ts";
import { originOf } from "./payment-origin.ts";
import type { Booked } from "../../stores/bookings.ts";
import type { NewCommand } from "../../stores/commands.ts";
import type { UsedKey } from "../../stores/idempotency-keys.ts";
import type { NewMessage } from "../../stores/inboxes.ts";
import type { StoredPayment, Taking } from "../../stores/payments.ts";
import type { StoredClaim } from "../../stores/terminals.ts";
import type { Needs } from "../needs.ts";

export type CommitPaymentDeps = AnnounceDeps & BookDeps & Needs<"payments" | "timings">;

/** A decided change, and the version of the payment that it was decided on. */
export interface DecidedChange {
  readonly change: Change & Taking;
  /** The payment that the change was decided on; undefined for a new one. */
  readonly before: StoredPayment | undefined;
  /** The terminal's free claim as it was read, for a new payment. */
  readonly claim?: StoredClaim | undefined;
  /** A new identifier for every attempt. */
  readonly commandId: string;
  /** The `Idempotency-Key` of the change's request. */
  readonly idempotency?: UsedKey | undefined;
  /** A look makes the change. It looks again afterwards, so the change announces no look. */
  readonly isLook?: true | undefined;
  /** Writes other data before the commit. */
  readonly beside?: (() => Promise<void>) | undefined;
}

/**
 * Announces and commits a change of a payment. Its history entry names the request and the trace of the call, so that an operator can find
 * the payment. The money that it moves is booked with it. Its messages are written held, and the messages that it takes out are removed. A
 * new payment takes its terminal's claim, and the change with which it lets the terminal go frees it. Throws `Conflict` and `Unavailable`
 * as `announceAndCommit` does.
 */
export async function commitPayment(
  deps: CommitPaymentDeps,
  call: Pick<CallContext, "now" | "traceparent" | "requestId" | "keyId">,
  { change: decided, before: read, claim: free, commandId, idempotency, isLook, beside }: DecidedChange,
): Promise<void> {
  const before = read?.payment;
  const { change: updated, booked } = await withBookings(deps, call, before, decided);
  const change = isLook ? updated : withLook(before, updated, deps.timings);
  const { payment, effects, receipt } = change;
  const { traceparent, requestId, keyId } = call;
  const claim = before && letsGo(before, payment) ? "freed" : free;
  const command = commandOf({ commandId, keyId, idempotency }, effects, originOf(payment, change.entry.by));
  const { removed, discarded } = decided;
  const messages = command ? messagesOf(command, traceparent) : [];
  const entry = {
    ...change.entry,
    commandId: command?.commandId,
    bookings: booked?.bookings,
    requestId,
    keyId,
    traceId: traceIdOf(traceparent),
  };
  await announceAndCommit(deps, {
    subject: paymentSubjectOf(payment),
    sequence: payment.sequence,
    command,
    beside,
    call,
    commit: () =>
      deps.payments.commit(payment, {
        payment,
        read,
        entry,
        claim,
        removed,
        discarded,
        messages,
        command,
        booked,
        receipt,
      }),
  });
  logReconciling(deps, change);
}

/** The messages of a command, as they are written in the terminal's inbox. A message has the identifier of its command. */
const messagesOf = ({ commandId: messageId, effects }: NewCommand, traceparent: string | undefined): NewMessage[] =>
  effects.flatMap((effect) => {
    if (effect.kind !== "message") return [];
    const { terminalId: _, ...message } = effect.envelope;
    return [{ ...message, messageId, traceparent }];
  });

/** Whether the payment lets its terminal go. No status that holds a terminal can be entered again after that. */
const letsGo = (before: Payment, next: Payment): boolean =>
  holdsTerminal(before.status) && !holdsTerminal(next.status) && !before.unclaimed;

/**
 * Books the money that the change moved. It is derived here for every change, so that no decision can forget it. Adds the effect that brings
 * the business days of the bookings up to date.
 */
async function withBookings(
  deps: BookDeps,
  { now }: Pick<CallContext, "now">,
  before: Payment | undefined,
  change: Change,
): Promise<{ readonly change: Change; readonly booked?: Booked }> {
  const bookings = before ? bookingsOf(before, change) : [];
  if (bookings.length === 0) return { change };
  const { booked, updates } = await book(deps, bookings, dayOf(now()));
  if (updates.length === 0) return { change, booked };
  const effects = [...change.effects, { kind: "dayUpdate", days: [...updates] } as const];
  return { change: { ...change, effects }, booked };
}

/** Adds a look if no other look comes in time for what the payment awaits. */
function withLook(before: Payment | undefined, change: Change, timings: Timings): Change {
  const at = lookOf(before, change.payment, timings);
  return at === undefined ? change : { ...change, effects: [...change.effects, { kind: "look", at }] };
}

/** Logs that a payment's outcome has become unknown, or is known again. */
function logReconciling({ log }: CommitPaymentDeps, { payment, entry: { from, to, event: reason } }: Change): void {
  if (from === to || (from !== "reconciling" && to !== "reconciling")) return;
  const { partnerId: partner, sessionId: session, sequence } = payment;
  if (to === "reconciling") log.write("reconcilingEntered", { partner, session, sequence, reason });
  else log.write("reconcilingLeft", { partner, session, sequence, outcome: to, reason });
}

/** The second part of a W3C trace context: version, trace, parent, flags. */
const traceIdOf = (traceparent: string | undefined): string | undefined => traceparent?.split("-")[1];
