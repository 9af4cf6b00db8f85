import type { Change } from "../../domain/payment/advance.ts";
import { paymentHasEnded } from "../../domain/payment/ended.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { Payments } from "../../ports/payments.ts";
import { announceAndCommit, type AnnounceDeps } from "./announce-and-commit.ts";
import { listed } from "./enter-lists.ts";
import { commandOfPayment } from "./store-effects.ts";

export interface CommitPaymentDeps extends AnnounceDeps {
  readonly payments: Payments;
}

/** A change that was decided, and what ties it to the payment that was read. */
export interface DecidedChange {
  readonly change: Change;
  /** Of the payment that the change was decided on; undefined for a new one. */
  readonly etag: string | undefined;
  /** Drawn anew for every attempt. */
  readonly commandId: string;
}

/**
 * Announces and commits a change of a payment. One that has ended is written as unlisted, so that the next commit lists it anew, and its
 * command holds what takes the entry off. Throws `Conflict` and `Unavailable` as `announceAndCommit` does.
 */
export async function commitPayment(
  deps: CommitPaymentDeps,
  { traceparent }: Pick<CallContext, "traceparent">,
  { change, etag, commandId }: DecidedChange,
): Promise<void> {
  const { partnerId, sessionId, sequence } = change.payment;
  const ends = paymentHasEnded(change.payment);
  const command = commandOfPayment(commandId, ends ? withLeaving(change) : change);
  const { record, entering } = listed(change.payment, command);
  const entry = { ...change.entry, commandId: command?.commandId };
  await announceAndCommit(deps, {
    subject: { kind: "payment", partnerId, sessionId },
    sequence,
    ends,
    command,
    entering,
    traceparent,
    commit(entered) {
      const listedAs = entered ?? record.listedAs;
      const isLeft = ends && command !== undefined;
      const payment = isLeft ? { ...record, listedOn: undefined, listedAs: undefined } : { ...record, listedAs };
      const leaving = isLeft ? { ...command, leaves: listedAs } : command;
      return deps.payments.commit(payment, { payment, etag, entry, command: leaving });
    },
  });
}

/** A listed payment leaves the list by the worker of the command that it ended with: there must be one. */
const withLeaving = (change: Change): Change =>
  change.effects.length > 0 || change.payment.listedOn === undefined
    ? change
    : { ...change, effects: [{ kind: "unlisting" }] };
