import type { Instant } from "../../domain/time.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { WebhookAttempt } from "../../domain/webhook-attempt.ts";

/**
 * The result of carrying out an effect.
 *
 * - `done`: mark the effect done, in the same group as the attempt that did it, if there is one.
 * - `implied`: the subject's own state shows that nothing is left to do.
 * - `pointless`: a look at a payment or a settlement that awaits nothing.
 * - `superseded`: a duplicate has already scheduled the next attempt.
 * - `lookAt`: look again at this moment.
 *
 * Otherwise: schedule the next attempt in `retryInSeconds`, then call `onScheduled`. This is the effect's own schedule, not a failure.
 */
export type Outcome =
  | "done"
  | { readonly done: WebhookAttempt }
  | "implied"
  | "pointless"
  | "superseded"
  | { readonly lookAt: Instant }
  | {
      readonly retryInSeconds: number;
      readonly announcement: Announcement;
      readonly onScheduled?: () => Promise<void>;
    };

/**
 * The result of a delivery, for the log.
 *
 * - `pointless`: a look at a payment or a settlement that awaits nothing.
 * - `awaited`: the command may still be committed.
 * - `aborted`: the command was never committed.
 * - `doneBefore`: another run did it.
 * - `scheduled`: the effect's own schedule continues, or a look is due later.
 * - `putOff`: the try failed, and another one follows.
 */
export interface Delivered {
  readonly outcome:
    | "pointless"
    | "awaited"
    | "aborted"
    | "doneBefore"
    | "done"
    | "implied"
    | "superseded"
    | "scheduled"
    | "putOff";
  /** Milliseconds until the next try, if one follows. */
  readonly dueMs?: number;
}
