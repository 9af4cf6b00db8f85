import { isOfPayment, type Alert } from "../../../domain/alert.ts";
import { effectId, type StoredEffect } from "../../../domain/effects.ts";
import type { Payment } from "../../../domain/payment/record/payment.ts";
import type { Instant } from "../../../domain/time.ts";
import type { Command } from "../../../stores/commands.ts";
import type { WebhookAttempt } from "../../../domain/webhook-attempt.ts";
import { lacksPayment, type RecordedEntry } from "../../../stores/payments.ts";
import { paymentSubjectOf, type PaymentKey } from "../../../ports/subjects.ts";
import type { InboxRow } from "../../../stores/inboxes.ts";
import { openMessages } from "../../terminals/open-messages.ts";
import { isOverdue, undoneIn } from "../repair/undone.ts";
import { deliveriesOf, type EventDelivery } from "./deliveries.ts";
import type { Needs } from "../../needs.ts";

export type InspectPaymentDeps = Needs<"alerts" | "commands" | "inboxes" | "payments">;

/** Everything that the tables hold about one payment, for an operator. */
export interface InspectedPayment {
  readonly payment: Payment;
  /** The changes, oldest first. */
  readonly history: readonly RecordedEntry[];
  /** The commands with their effects, in the order of their changes. Aborted commands are left out, since their effects never happen. */
  readonly commands: readonly InspectedCommand[];
  readonly attempts: readonly WebhookAttempt[];
  readonly deliveries: readonly EventDelivery[];
  /** The payment's alerts, open and closed, in the order in which they were first raised. */
  readonly alerts: readonly Alert[];
  /** Its messages that the terminal has not answered. */
  readonly inbox: readonly InboxRow[];
}

export interface InspectedCommand {
  readonly commandId: string;
  readonly sequence: number;
  readonly at: Instant | undefined;
  readonly effects: readonly InspectedEffect[];
}

export interface InspectedEffect {
  /** `effectId` of the effect. */
  readonly effect: string;
  readonly state: EffectState;
}

/**
 * The state of an effect.
 *
 * - `done`: carried out.
 * - `over`: the payment's own state shows that nothing is left to do.
 * - `toDo`: not carried out yet.
 * - `overdue`: not carried out ten minutes after its time.
 */
export type EffectState = "done" | "over" | "toDo" | "overdue";

/**
 * Reads one payment as a whole, in six calls. Undefined if it does not exist. Returns `tombstone` if the session was cancelled before it
 * was requested, and `unreadable` if a restore could not read the payment. The calls do not read one state, so a payment that changes
 * meanwhile may show a change without its effects. Throws `Unavailable`.
 */
export async function inspectPayment(
  deps: InspectPaymentDeps,
  { now }: { readonly now: () => Instant },
  key: PaymentKey,
): Promise<InspectedPayment | "tombstone" | "unreadable" | undefined> {
  const stored = await deps.payments.findOrTombstone(key);
  if (!stored) return undefined;
  if (lacksPayment(stored)) return stored.unreadable ? "unreadable" : "tombstone";
  const { payment } = stored;
  const subject = paymentSubjectOf(key);
  const [history, commands, attempts, alerts, inbox] = await Promise.all([
    deps.payments.history(key),
    deps.commands.ofSubject(subject),
    deps.commands.attempts(subject),
    deps.alerts.of(key.sessionId),
    openMessages(deps, payment),
  ]);
  return {
    payment,
    history,
    commands: inspected(commands, { payment, inbox }, now()),
    attempts: attempts.toSorted((one, other) => (one.at < other.at ? -1 : 1)),
    deliveries: deliveriesOf(commands, attempts),
    alerts: alerts
      .map(({ alert }) => alert)
      .filter((alert) => isOfPayment(alert, key))
      .toSorted((one, other) => (one.firstAt < other.firstAt ? -1 : 1)),
    inbox,
  };
}

function inspected(
  commands: readonly Command[],
  { payment, inbox }: Pick<InspectedPayment, "payment" | "inbox">,
  now: Instant,
): InspectedCommand[] {
  const undone = undoneIn(commands, { payment, inbox }, now);
  const stateIn = (command: Command, effect: StoredEffect): EffectState => {
    if (command.done.includes(effectId(effect))) return "done";
    const left = undone.find((one) => one.commandId === command.commandId && one.effect === effect);
    if (!left) return "over";
    return isOverdue(left, now) ? "overdue" : "toDo";
  };
  return commands
    .filter(({ state }) => state === "ready")
    .toSorted((one, other) => one.sequence - other.sequence)
    .map((command) => ({
      commandId: command.commandId,
      sequence: command.sequence,
      at: command.at,
      effects: command.effects
        .filter(({ kind }) => kind !== "look") // the payment has its deadlines
        .map((effect) => ({ effect: effectId(effect), state: stateIn(command, effect) })),
    }));
}
