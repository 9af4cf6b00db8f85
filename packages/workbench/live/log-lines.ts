import * as z from "zod";
import type { AttemptLine } from "./receiver.ts";

const attemptLine = z.object({
  event: z.literal("webhookAttempt"),
  time: z.iso.datetime(),
  eventID: z.string(),
  outcome: z.string(),
  dueMs: z.number().optional(),
});

/** The app's log line about an attempt to deliver an event. Undefined for any other line. */
export function attemptIn(line: string): AttemptLine | undefined {
  const [json] = /\{"event":"webhookAttempt".*\}$/.exec(line) ?? [];
  if (json === undefined) return undefined;
  try {
    const { eventID, time, outcome, dueMs } = attemptLine.parse(JSON.parse(json));
    if (dueMs !== undefined) return { eventId: eventID, nextAt: Date.parse(time) + dueMs, isGivenUp: false };
    return { eventId: eventID, nextAt: undefined, isGivenUp: outcome !== "delivered" };
  } catch {
    return undefined; // only looks like a line of the log
  }
}
