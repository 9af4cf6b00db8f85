import { effectId, type StoredEffect } from "../../../domain/effects.ts";
import type { Command } from "../../../stores/commands.ts";
import type { WebhookAttempt } from "../../../domain/webhook-attempt.ts";

/** An event for a partner's server, and the result of its delivery. */
export interface EventDelivery {
  readonly eventId: string;
  readonly type: string;
  /** The sequence of the change that the event is about. */
  readonly sequence: number;
  /** The attempts, in the order of their numbers. */
  readonly attempts: readonly WebhookAttempt[];
  readonly state: DeliveryState;
}

/**
 * The state of an event's delivery.
 *
 * - `delivered`: the server accepted it.
 * - `gone`: the server responded 410.
 * - `givenUp`: the schedule ended without success.
 * - `waiting`: another attempt follows.
 * - `noAddress`: neither the request nor the partner named an address.
 */
export type DeliveryState = "delivered" | "gone" | "givenUp" | "waiting" | "noAddress";

/** The events of these commands, in the order of the changes that they are about, each with its attempts. */
export const deliveriesOf = (
  commands: readonly Command[],
  attempts: readonly WebhookAttempt[],
): readonly EventDelivery[] =>
  commands
    .filter(({ state }) => state === "ready")
    .flatMap((command) =>
      command.effects
        .filter((effect): effect is StoredEffect<"webhook"> => effect.kind === "webhook")
        .map((effect): EventDelivery => {
          const { eventId, type } = effect;
          const made = attempts.filter((attempt) => attempt.eventId === eventId).toSorted(byNumber);
          const isDone = command.done.includes(effectId(effect));
          return { eventId, type, sequence: command.sequence, attempts: made, state: stateOf(made, isDone) };
        }),
    )
    .toSorted((one, other) => one.sequence - other.sequence);

/** Whether an operator should look at the event: an attempt failed, or the partner does not have the event. */
export const hasTrouble = ({ state, attempts }: EventDelivery): boolean =>
  state === "waiting" || state === "givenUp" || state === "gone" || attempts.some(isFailed);

const isFailed = ({ outcome }: WebhookAttempt): boolean => outcome !== "delivered";

const byNumber = (one: WebhookAttempt, other: WebhookAttempt): number => one.attempt - other.attempt;

function stateOf(attempts: readonly WebhookAttempt[], isDone: boolean): DeliveryState {
  if (attempts.some(({ outcome }) => outcome === "delivered")) return "delivered";
  if (attempts.some(({ outcome }) => outcome === "gone")) return "gone";
  if (!isDone) return "waiting";
  return attempts.length === 0 ? "noAddress" : "givenUp";
}
