import type { Instant } from "../domain/time.ts";

/** Time and identifiers, passed in: nothing below the composition root asks the machine for either. */
export interface Clock {
  now(): Instant;
  sleep(ms: number): Promise<void>;
}

export type NewId = () => string;
