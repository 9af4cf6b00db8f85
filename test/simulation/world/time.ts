import type { Instant } from "../../../shared/domain/time.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** The end of the faults. Their effects have until `CALM` to end. */
export const FAULTS_END = 50 * MINUTE;
/** By now every present terminal must be free again, even if a clock was an hour ahead when the faults ended. */
export const CALM = 4 * HOUR;
export const DAY = 24 * HOUR;
/** After the last deadline of every payment: 36 h until it must be captured, and 32 h in which a void is retried. */
export const USUAL_LENGTH = 90 * HOUR;
/** Long enough for the horizons of orders, business days, authorizations and feeds. */
export const LONG_DAYS = 40;
/** In a long world payments later than this are outside one page's range of the first ones. */
export const LAST_PAYMENT = 28 * DAY;

const BEGINNING = Date.parse("2026-11-21T10:00:00.000Z");

/** A time of the world, given in milliseconds since it began. */
export const instantAt = (ms: number): Instant => new Date(BEGINNING + ms).toISOString();
/** Milliseconds since the world began. */
export const msAt = (instant: Instant): number => Date.parse(instant) - BEGINNING;
