import type { World } from "../world/world.ts";

/** The choices of a terminal that the contract leaves open. */
export interface Habits {
  /** The message that a report names. A careless terminal names none, the payment's, or one that does not exist. */
  nameOf(messageId: string, paymentMessageId: string | undefined): string | undefined;
  /** Whether it writes identifiers in capitals. */
  readonly inCapitals: boolean;
  /** The message that a poll names as the last that arrived. */
  received(lastArrived: string | undefined): string | undefined;
}

/** Draws the habits. Most terminals name the message that they answer; careless ones do so sometimes, or never. */
export function drawHabits({ random, quirks }: World): Habits {
  const carelessness = random.pick(0, 0, 0.3, 1);
  const namesLast = random.pick(0, 0.5, 1);
  return {
    inCapitals: quirks.chance(0.3),
    nameOf: (messageId, paymentMessageId) =>
      random.chance(carelessness) ? random.pick(undefined, undefined, paymentMessageId, "unknown") : messageId,
    received: (lastArrived) => (random.chance(namesLast) ? lastArrived : undefined),
  };
}
