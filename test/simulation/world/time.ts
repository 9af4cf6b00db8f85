import type { Instant } from "../../../shared/domain/time.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** Faults end here; what they left behind has until the calm to heal. */
export const FAULTS_END = 50 * MINUTE;
/** By now every terminal that is there at all must be free again, also where a clock was an hour ahead when faults ended. */
export const CALM = 4 * HOUR;
/** Past the last deadline that a payment can have: 36 h until it must be captured, and the voids that are tried again every 6 h. */
export const END = 90 * HOUR;

const BEGINNING = Date.parse("2026-11-21T10:00:00.000Z");

/** A moment of the world, given in milliseconds since it began. */
export const instantAt = (ms: number): Instant => new Date(BEGINNING + ms).toISOString();
/** Milliseconds since the world began. */
export const msAt = (instant: Instant): number => Date.parse(instant) - BEGINNING;
