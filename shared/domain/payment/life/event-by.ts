import type { Effect } from "../../effects.ts";
import type { Actor } from "../record/events.ts";

/**
 * The event of a change. A partner gets its own change as a response, so that event is only entered into its feed.
 *
 * @param about the refund or discount that the event is about
 */
export const eventBy = (by: Actor, type: string, about?: string): Effect<"payment"> => ({
  kind: by === "partner" ? "feedEntry" : "webhook",
  type,
  about,
});
