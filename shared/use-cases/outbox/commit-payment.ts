import type { Change } from "../../domain/payment/advance.ts";
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

/** Announces and commits a change of a payment. Throws `Conflict` and `Unavailable` as `announceAndCommit` does. */
export async function commitPayment(
  deps: CommitPaymentDeps,
  { traceparent }: Pick<CallContext, "traceparent">,
  { change, etag, commandId }: DecidedChange,
): Promise<void> {
  const { partnerId, sessionId } = change.payment;
  const command = commandOfPayment(commandId, change);
  const { record: payment, entering } = listed(change.payment, command);
  const entry = { ...change.entry, commandId: command?.commandId };
  await announceAndCommit(deps, {
    subject: { kind: "payment", partnerId, sessionId },
    command,
    entering,
    traceparent,
    commit: () => deps.payments.commit(payment, { payment, etag, entry, command }),
  });
}
