import type { World } from "../world/world.ts";

/** How a terminal speaks to the platform, within what the contract leaves open. */
export interface Habits {
  /** The message that a report says it answers: none, that of the payment, or one that does not exist, where it is careless. */
  nameOf(messageId: string, paymentMessageId: string | undefined): string | undefined;
  /** Writes identifiers in capitals. */
  readonly inCapitals: boolean;
  /** What a poll names as the last message that arrived. */
  received(lastArrived: string | undefined): string | undefined;
}

/** Most terminals name what they answer; careless ones do so sometimes, or never. */
export function drawHabits({ random, quirks }: World): Habits {
  const carelessness = random.pick(0, 0, 0.3, 1);
  const tells = random.pick(0, 0.5, 1);
  return {
    inCapitals: quirks.chance(0.3),
    nameOf: (messageId, paymentMessageId) =>
      random.chance(carelessness) ? random.pick(undefined, undefined, paymentMessageId, "unknown") : messageId,
    received: (lastArrived) => (random.chance(tells) ? lastArrived : undefined),
  };
}
