import { freezeEffects } from "../../contracts/events.ts";
import type { Change } from "../../domain/payment/advance.ts";
import type { Payments } from "../../ports/payments.ts";
import { announceAndCommit, type AnnounceDeps } from "./announce-and-commit.ts";

export interface CommitPaymentDeps extends AnnounceDeps {
  readonly payments: Payments;
}

/** A change that was decided, with what ties it to what was read and to who asked. */
export interface Decided {
  readonly change: Change;
  /** Of the payment that the change was decided on; undefined for a new one. */
  readonly etag: string | undefined;
  /** Drawn anew for every attempt. */
  readonly commandId: string;
  readonly reportId?: string | undefined;
  readonly traceparent?: string | undefined;
}

/** Announces and commits a change of a payment. Throws `Conflict` and `Unavailable` as the protocol says. */
export async function commitPayment(deps: CommitPaymentDeps, decided: Decided): Promise<void> {
  const { change, etag, commandId, reportId, traceparent } = decided;
  const { payment } = change;
  const { partnerId, sessionId } = payment;
  const effects = freezeEffects(change);
  const command = effects.length > 0 ? { commandId, effects } : undefined;
  const entry = { ...change.entry, commandId: command?.commandId };
  const commit = () => deps.payments.commit(payment, { payment, etag, entry, command, reportId });
  await announceAndCommit(deps, { kind: "payment", partnerId, sessionId }, command, commit, traceparent);
}
