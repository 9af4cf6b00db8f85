import type { Filed } from "./inbox.ts";
import type { RuleNumber } from "./rules.ts";

/** A payment that the kit requested. */
export interface Payment {
  readonly sessionID: string;
  readonly filed: Filed;
  /** Minor units. */
  readonly total: number;
  readonly currency: string;
  readonly charges: number;
  readonly once: RuleNumber;
}
