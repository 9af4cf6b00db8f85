import type { Random } from "../../support/seeded-random.ts";
import { CALM, HOUR, MINUTE, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";

/** How the partners of a world let captures and refunds wait for their terminals, and change their minds meanwhile. */
export interface Waits {
  /** Whether messages wait for long in this world. Then its terminals are off for hours or days. */
  readonly areLong: boolean;
  /** The `deliverWithinSeconds` of a capture. */
  ofCapture(): number | undefined;
  /** The `deliverWithinSeconds` of a refund. Only a named refund may wait for long, and partners forget that sometimes. */
  ofRefund(isNamed: boolean): number | undefined;
  /** Milliseconds from a refund until it is withdrawn; several if it is withdrawn more than once. */
  withdrawnAfter(): readonly number[];
  /** Milliseconds from a refund until an equal one is requested under another name. Undefined if there is none. */
  repeatedAfter(): number | undefined;
  /** Milliseconds from a capture until the partner cancels the payment. Undefined if it does not. */
  cancelledAfter(): number | undefined;
  /** Whether a payment is not captured soon after its sale. */
  isCapturedLate(): boolean;
  /** Whether the acquirer refuses a late capture or refund. */
  isRefused(): boolean;
  /** Whether a terminal answers that a payment runs, although its capture has failed. */
  isEvasive(): boolean;
  /** Milliseconds after which a terminal reports a late capture or refund. Undefined if it does so at once. */
  answersAfter(): number | undefined;
  readonly fate: Random;
}

/** The probability that messages wait for long in a world. */
const LONG_WAITS = 0.15;
/** The last hours of a world, in which partners change nothing. */
const SETTLING = 10 * HOUR;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Draws from a separate random source, so that worlds without long waits are unchanged. */
export function drawWaits({ agenda, fateOf, end }: World): Waits {
  const fate = fateOf("waits for terminals");
  const isInTime = (ms: number) => agenda.now() + ms < end - SETTLING;
  const areLong = fate.chance(LONG_WAITS);
  const soonOrLate = () =>
    fate.pick(
      () => fate.between(0, 2 * SECOND),
      () => fate.between(2 * SECOND, 2 * MINUTE),
      () => fate.between(2 * MINUTE, 2 * HOUR),
      () => fate.between(2 * HOUR, 50 * HOUR),
    )();
  const hours = () => fate.between(1, 20) * HOUR_SECONDS;
  return {
    areLong,
    ofCapture() {
      if (!areLong || fate.chance(0.4)) return undefined;
      return fate.pick(60, 90, 600, hours(), hours(), 3 * DAY_SECONDS, 30 * DAY_SECONDS, 60 * DAY_SECONDS);
    },
    ofRefund(isNamed) {
      if (!areLong) return undefined;
      if (!isNamed && !fate.chance(0.15)) return fate.pick(undefined, undefined, 60, 90, 600);
      return fate.pick(
        undefined,
        60,
        600,
        hours(),
        hours(),
        fate.between(1, 7) * DAY_SECONDS,
        fate.between(1, 7) * DAY_SECONDS,
      );
    },
    withdrawnAfter() {
      const drawn = areLong ? fate.pick([], [], [soonOrLate()], [soonOrLate(), soonOrLate()]) : [];
      return drawn.filter(isInTime);
    },
    repeatedAfter() {
      const ms = areLong && fate.chance(0.3) ? fate.between(30 * SECOND, fate.pick(3, 300) * MINUTE) : undefined;
      return ms !== undefined && isInTime(ms) ? ms : undefined;
    },
    cancelledAfter() {
      const ms = areLong && fate.chance(0.25) ? soonOrLate() : undefined;
      return ms !== undefined && isInTime(ms) ? ms : undefined;
    },
    isCapturedLate: () => areLong && fate.chance(0.5),
    isRefused: () => areLong && agenda.now() > CALM && fate.chance(0.2),
    isEvasive: () => areLong && fate.chance(0.4),
    answersAfter() {
      const ms = areLong && agenda.now() > CALM && fate.chance(0.3) ? fate.pick(3, 8, 20) * HOUR : undefined;
      return ms !== undefined && isInTime(ms) ? ms : undefined;
    },
    fate,
  };
}
