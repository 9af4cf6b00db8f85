import type { Random } from "../../support/seeded-random.ts";
import type { World } from "../world/world.ts";

/** The choices that the contract leaves to a terminal. */
export interface Habits {
  /** The message that a report names. A careless terminal names none, the payment's message, or a message that does not exist. */
  nameOf(messageId: string, paymentMessageId: string | undefined): string | undefined;
  /** Whether the terminal writes identifiers in capitals. */
  readonly inCapitals: boolean;
  /** The business day that its reports of money name: the right day, none, or the day of a clock that is years off. */
  dayOf(right: string | undefined): string | undefined;
  readonly namesDays: boolean;
  /** The message that a poll names as the last to arrive. */
  received(lastArrived: string | undefined): string | undefined;
}

/**
 * Draws the habits. The habit of days has its own random source. Most terminals name the message that they answer. Careless terminals do so
 * sometimes or never.
 */
export function drawHabits({ random, quirks }: World, fate: Random): Habits {
  const days = fate.pick("right", "right", "right", "none", "wrong");
  const carelessness = random.pick(0, 0, 0.3, 1);
  const namesLast = random.pick(0, 0.5, 1);
  return {
    inCapitals: quirks.chance(0.3),
    nameOf: (messageId, paymentMessageId) =>
      random.chance(carelessness) ? random.pick(undefined, undefined, paymentMessageId, "unknown") : messageId,
    namesDays: days === "right",
    dayOf: (right) => (right === undefined || days === "right" ? right : days === "none" ? undefined : "1970-01-01"),
    received: (lastArrived) => (random.chance(namesLast) ? lastArrived : undefined),
  };
}
