import { freezeEvents } from "../../contracts/events.ts";
import type { Change } from "../../domain/advance.ts";
import { effectId, type Effect } from "../../domain/effects.ts";
import type { Announcements, QueueName } from "../../ports/announcements.ts";
import type { Commands, Subject } from "../../ports/commands.ts";
import { Conflict, Unavailable } from "../../ports/failures.ts";
import type { PaymentKey, Payments } from "../../ports/payments.ts";

export interface Committing {
  readonly payments: Payments;
  readonly commands: Commands;
  readonly announcements: Announcements;
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

const queueOf: Record<Effect["kind"], QueueName> = {
  admission: "terminal-messages",
  message: "terminal-messages",
  release: "terminal-messages",
  deadline: "deadlines",
  webhook: "webhook-deliveries",
};

/**
 * The two steps by which anything happens to a payment: every effect is announced, then all is committed in one group of the
 * session's partition. Returns when it is committed for certain. Throws `Conflict` when the payment had changed since it was
 * read, or a worker gave the command up; `Unavailable` when it is not known, or known not to have happened.
 */
export async function announceAndCommit(deps: Committing, key: PaymentKey, decided: Decided): Promise<void> {
  const { change, etag, commandId, reportId, traceparent } = decided;
  const { payment, effects } = change;
  const subject: Subject = { kind: "payment", partnerId: key.partnerId, sessionId: key.sessionId };
  const command = effects.length > 0 ? { commandId, effects } : undefined;
  const entry = { ...change.entry, commandId: command?.commandId, events: freezeEvents(change) };
  try {
    await Promise.all(
      effects.map((effect) =>
        deps.announcements.send(
          queueOf[effect.kind],
          { v: 1, subject, commandId, effect: effectId(effect), traceparent },
          effect.kind === "deadline" ? effect.due : undefined,
        ),
      ),
    );
    await deps.payments.commit(key, { payment, etag, entry, command, reportId });
  } catch (error) {
    const doubtful = error instanceof Conflict || error instanceof Unavailable;
    if (!command || !doubtful || !(await isCommitted(deps, subject, commandId))) throw error;
  }
}

/**
 * Whether a commit that failed took place all the same: its answer may have been lost. Where it did not, the command's row
 * is taken as void, so that a late arrival fails and its workers need not wait for the commit window.
 */
async function isCommitted(deps: Committing, subject: Subject, commandId: string): Promise<boolean> {
  try {
    await deps.commands.voidCommand(subject, commandId);
    return false;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    return (await deps.commands.find(subject, commandId))?.state === "ready";
  }
}
